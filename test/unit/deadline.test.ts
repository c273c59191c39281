import { withDeadline as withDeadlineOf, type Deadline } from '../../engine/http/deadline';

/** Ends when its signal does. */
const endless = (signal: AbortSignal) =>
	new Promise<string>((resolve) => {
		if (signal.aborted) resolve('ended');
		signal.addEventListener('abort', () => resolve('ended'));
	});
const after = (milliseconds: number) => async (signal: AbortSignal) => {
	await new Promise((resolve) => setTimeout(resolve, milliseconds));
	return signal.aborted ? 'ended' : 'whole';
};

const late = () => 'late';
const withDeadline = (deadline: Deadline, work: Parameters<typeof withDeadlineOf<string>>[1]) =>
	withDeadlineOf(deadline, work, late);

test('work ends at its limit', async () => {
	expect(await withDeadline({ timeout: 20 }, endless)).toBe('ended');
});

test('the limit counts from the last sign of life', async () => {
	const lastActivity = () => performance.now();
	expect(await withDeadline({ timeout: 20, lastActivity }, after(100))).toBe('whole');
	const started = performance.now();
	expect(await withDeadline({ timeout: 20, lastActivity: () => started }, endless)).toBe('ended');
});

test('cancelling ends it at once, also before it began', async () => {
	const cancel = new AbortController();
	const timeout = 3_600_000;
	const work = withDeadline({ timeout, stopSignals: [cancel.signal] }, endless);
	cancel.abort();
	expect(await work).toBe('ended');
	expect(await withDeadline({ timeout, stopSignals: [cancel.signal] }, endless)).toBe('ended');
});

test("setting the computer's clock ends nothing and lengthens nothing", async () => {
	const { now } = Date;
	for (const hour of [3_600_000, -3_600_000]) {
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + hour);
		expect(await withDeadline({ timeout: 10_000 }, after(20))).toBe('whole');
		expect(await withDeadline({ timeout: 20 }, endless)).toBe('ended');
		clock.mockRestore();
	}
});

test('work that does not stop is given up', async () => {
	const deaf = () => new Promise<string>(() => {});
	expect(await withDeadline({ timeout: 20 }, deaf)).toBe('late');
	const stopSignals = [AbortSignal.abort()];
	expect(await withDeadline({ timeout: 3_600_000, stopSignals }, deaf)).toBe('late');
});
