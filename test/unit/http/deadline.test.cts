// What the nodes' own tests do not see of a time limit: work that does not stop, and the timer that requests share.
import { withDeadline } from '../../../engine/http/deadline';
import { nextTurn } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();

/** Ends when its signal does. */
const endless = (signal: AbortSignal) =>
	new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** Enough for any timeout of seconds. */
const anHour = 3_600_000;

test('work that does not stop is given up', async () => {
	const deaf = () => new Promise<string>(() => {});
	const late = () => 'late';
	const work = withDeadline({ timeout: 20 }, deaf, late);
	time.pass(20);
	time.pass(anHour);
	expect(await work).toBe('late');
	const ended = withDeadline({ timeout: anHour, stopSignals: [AbortSignal.abort()] }, deaf, late);
	time.pass(1000);
	expect(await ended).toBe('late');
});

describe('the timer that requests share', () => {
	/** Whether work has ended, as soon as it has. */
	const watched = (timeout: number) => {
		const work = { hasEnded: false };
		void withDeadline({ timeout }, endless, () => {}).then(() => (work.hasEnded = true));
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
		// The clock of the machine goes on too.
		time.pass(5000);
		await nextTurn();
		expect(second.hasEnded).toBe(true);
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
