// Time limits for work that does not stop, which the nodes' own tests do not cover.
import { withDeadline } from '../../../engine/http/deadline';
import { comeToRest } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();

const anHour = 3_600_000;

/** What is due by then acts in turns of its own. */
async function passInTurns(...steps: number[]): Promise<void> {
	for (const milliseconds of steps) {
		time.pass(milliseconds);
		await comeToRest();
	}
}

test.each([[[]], [[AbortSignal.abort()]]])('deaf work is abandoned', async (signals) => {
	const deaf = () => new Promise<string>(() => {});
	const work = withDeadline({ timeout: anHour, stopSignals: signals }, deaf, () => 'late');
	if (signals.length === 0) await passInTurns(anHour, 500);
	await passInTurns(500);
	expect(await work).toBe('late');
});

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
	await passInTurns(...Array<number>(5).fill(100));
	await stopped;
	time.pass(1000);
	expect(fallback).not.toHaveBeenCalled();
});

// Each of these throws while the work continues.
test.each(['lastActivity', 'onQuiet', 'fallback'])('what %s throws fails work', async (name) => {
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
	const failed = expect(work).rejects.toThrow(name);
	await passInTurns(61_000, anHour, 500);
	await failed;
	expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('nobody misses the failure of work whose deadline failed first', async () => {
	let fail!: (reason: Error) => void;
	const lastActivity = () => {
		throw new Error('first');
	};
	const failing = () => new Promise<number>((_, reject) => (fail = reject));
	const work = withDeadline({ timeout: anHour, lastActivity }, failing, () => 0);
	await expect(work).rejects.toThrow('first');
	fail(new Error('second'));
	// An unhandled rejection would fail this test, as it would end n8n.
	await comeToRest();
});
