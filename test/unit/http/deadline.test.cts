// Time limits for work that does not stop, which the nodes' own tests do not cover.
import { withDeadline } from '../../../engine/http/deadline';
import { comeToRest } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();

const anHour = 3_600_000;

test.each([[[]], [[AbortSignal.abort()]]])(
	'work that does not stop is abandoned',
	async (signals) => {
		const deaf = () => new Promise<string>(() => {});
		const work = withDeadline({ timeout: anHour, stopSignals: signals }, deaf, () => 'late');
		if (signals.length === 0) time.pass(anHour);
		time.pass(1000);
		expect(await work).toBe('late');
	},
);

test('work that stops when aborted is not abandoned as well', async () => {
	const obedient = (signal: AbortSignal) =>
		new Promise<string>((_, reject) =>
			signal.addEventListener('abort', () => reject(new Error('stopped'))),
		);
	const fallback = jest.fn(() => 'late');
	const work = withDeadline({ timeout: anHour }, obedient, fallback);
	const stopped = expect(work).rejects.toThrow('stopped');
	time.pass(anHour);
	// Each step is shorter than the time that the work has to stop.
	for (let step = 0; step < 5; step++) {
		time.pass(100);
		await comeToRest();
	}
	await stopped;
	time.pass(1000);
	expect(fallback).not.toHaveBeenCalled();
});

// An error thrown by a listener would end the process. Each of these throws while the work continues.
test.each(['lastActivity', 'onQuiet', 'fallback'])(
	'what %s throws fails the work',
	async (name) => {
		let isBroken = false;
		const begunAt = performance.now();
		const call = (listener: string) => () => {
			if (isBroken && listener === name) throw new Error(name);
			return begunAt;
		};
		const [lastActivity, onQuiet, fallback] = ['lastActivity', 'onQuiet', 'fallback'].map(call);
		const signals: AbortSignal[] = [];
		const deaf = (signal: AbortSignal) => new Promise<number>(() => signals.push(signal));
		const deadline = { timeout: anHour, quietAfter: 60_000, lastActivity, onQuiet };
		const work = withDeadline(deadline, deaf, fallback!);
		isBroken = true;
		time.pass(61_000);
		time.pass(anHour);
		time.pass(1000);
		await expect(work).rejects.toThrow(name);
		expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
	},
);
