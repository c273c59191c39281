import { withDeadline as withDeadlineOf, type Deadline } from '../../../engine/http/deadline';
import { nextTurn } from '../../harness/turns';
import { useVirtualTime } from '../../harness/virtualTime';

const time = useVirtualTime();

/** Ends when its signal does. */
const endless = (signal: AbortSignal) =>
	new Promise<string>((resolve) => {
		if (signal.aborted) resolve('ended');
		signal.addEventListener('abort', () => resolve('ended'));
	});

const late = () => 'late';
const withDeadline = (deadline: Deadline, work: Parameters<typeof withDeadlineOf<string>>[1]) =>
	withDeadlineOf(deadline, work, late);

/** Work that takes so long; `ended` when it was told to stop meanwhile. */
async function lasting(milliseconds: number, deadline: Deadline): Promise<string> {
	let finish!: () => void;
	const result = withDeadline(
		deadline,
		(signal) =>
			new Promise((resolve) => {
				finish = () => resolve(signal.aborted ? 'ended' : 'whole');
			}),
	);
	time.pass(milliseconds);
	finish();
	return await result;
}

/** Enough for any timeout of seconds. */
const anHour = 3_600_000;

test('work ends at its timeout', async () => {
	const work = withDeadline({ timeout: 20 }, endless);
	time.pass(20);
	expect(await work).toBe('ended');
});

test('the timeout counts from the last sign of life', async () => {
	const lastActivity = () => time.now;
	expect(await lasting(anHour, { timeout: 20_000, lastActivity })).toBe('whole');
	const started = time.now;
	const work = withDeadline({ timeout: 20_000, lastActivity: () => started }, endless);
	time.pass(20_000);
	expect(await work).toBe('ended');
});

test('cancelling ends it at once, also before it began', async () => {
	const cancel = new AbortController();
	const work = withDeadline({ timeout: anHour, stopSignals: [cancel.signal] }, endless);
	cancel.abort();
	expect(await work).toBe('ended');
	expect(await withDeadline({ timeout: anHour, stopSignals: [cancel.signal] }, endless)).toBe(
		'ended',
	);
});

test("setting the computer's clock ends nothing and lengthens nothing", async () => {
	const { now } = Date;
	for (const hour of [anHour, -anHour]) {
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + hour);
		expect(await lasting(5000, { timeout: 10_000 })).toBe('whole');
		expect(await lasting(10_000, { timeout: 10_000 })).toBe('ended');
		clock.mockRestore();
	}
});

test('work that does not stop is given up', async () => {
	const deaf = () => new Promise<string>(() => {});
	const work = withDeadline({ timeout: 20 }, deaf);
	time.pass(20);
	time.pass(anHour);
	expect(await work).toBe('late');
	const ended = withDeadline({ timeout: anHour, stopSignals: [AbortSignal.abort()] }, deaf);
	time.pass(1000);
	expect(await ended).toBe('late');
});

describe('the timer that requests share', () => {
	/** Whether work has ended, as soon as it has. */
	const watched = (timeout: number) => {
		const work = { hasEnded: false };
		void withDeadline({ timeout }, endless).then(() => (work.hasEnded = true));
		return work;
	};
	const timersStarted = () => (AbortSignal.timeout as jest.Mock).mock.calls.length;

	test('is that of the second in which they begin, and each has all of its time', async () => {
		const first = watched(10_000);
		time.pass(700);
		const second = watched(10_000);
		expect(timersStarted()).toBe(1);
		time.pass(300);
		watched(10_000);
		expect(timersStarted()).toBe(2);
		time.pass(9000);
		await nextTurn();
		expect([first.hasEnded, second.hasEnded]).toEqual([true, false]);
		time.pass(700);
		await nextTurn();
		expect(second.hasEnded).toBe(true);
	});

	test('is not that of a longer time', async () => {
		watched(anHour);
		const short = watched(5000);
		time.pass(5000);
		await nextTurn();
		expect(short.hasEnded).toBe(true);
	});

	test('is not one that has rung already', async () => {
		watched(100);
		time.pass(100);
		const next = watched(100);
		time.pass(100);
		await nextTurn();
		expect(next.hasEnded).toBe(true);
	});
});
