// Limits a request's time: it is aborted if nothing happens for too long, or if a signal says so.

import { onAbort, unlessStopped } from '../n8n';

interface Deadline {
	/** Milliseconds the service may take. */
	timeout: number;
	/** Signals that each abort the work immediately, such as the one that cancels the execution. */
	stopSignals?: readonly AbortSignal[];
	/** When data last moved, by performance.now(); undefined before that. The timeout counts from then. */
	lastActivity?: () => number | undefined;
	/** Milliseconds, fewer than the timeout: `onQuiet` is called if, once data has moved, none moves for that long. */
	quietAfter?: number;
	onQuiet?: () => void;
}

/** Grace period (ms) for aborted work to say how far it got. */
const graceAfterAbort = 250;

/** Milliseconds: deadlines within the same 500 ms share a timer, since one per request is expensive. */
const precision = 500;

const timers = new Map<number, AbortSignal>();

/** @returns a signal that is aborted at a time by performance.now(), or up to `precision` later */
function timerAt(time: number): AbortSignal {
	const end = Math.ceil(time / precision) * precision;
	const known = timers.get(end);
	if (known) return known;
	const timer = AbortSignal.timeout(Math.ceil(end - performance.now()));
	timers.set(end, timer);
	onAbort(timer, () => timers.delete(end));
	return timer;
}

/**
 * Runs work that stops when its signal is aborted. The HTTP client's own timeout would not do: it ends a long upload
 * that is still moving, and never ends a response that comes byte by byte. A monotonic clock measures the time, so
 * setting the computer's clock changes nothing.
 * @param fallback provides the value of work that does not stop after it was aborted, since n8n's request helper may
 * ignore the signal
 */
export async function withDeadline<Value>(
	{ timeout, stopSignals = [], lastActivity, quietAfter = timeout, onQuiet }: Deadline,
	work: (signal: AbortSignal) => Promise<Value>,
	fallback: () => Value | Promise<Value>,
): Promise<Value> {
	const startedAt = performance.now();
	const isStopped = () => stopSignals.some(({ aborted }) => aborted);
	const workAbort = new AbortController();
	if (isStopped()) workAbort.abort();
	const working = work(workAbort.signal).then((value) => ({ value }));
	const watch = async () => {
		while (!isStopped()) {
			const now = performance.now();
			const activeAt = lastActivity?.();
			const end = (activeAt ?? startedAt) + timeout;
			const quietAt = (activeAt ?? now) + quietAfter;
			if (end <= now) break;
			if (quietAt <= now) onQuiet?.();
			const checkAt = quietAt <= now ? end : Math.min(quietAt, end);
			const done = await unlessStopped(working, timerAt(checkAt), ...stopSignals);
			if (done) return done.value;
		}
		workAbort.abort();
		const done = await unlessStopped(working, AbortSignal.timeout(graceAfterAbort));
		return done ? done.value : await fallback();
	};
	return await watch().catch((error: unknown) => {
		workAbort.abort();
		// If something else threw this, the work may fail later, and an unhandled rejection would end n8n.
		working.catch(() => {});
		throw error;
	});
}
