// Limits the time of a request: it is aborted when nothing has happened for too long, or when a signal says so.

import { onAbort } from '../n8n';

interface Deadline {
	/** Milliseconds the service may take. */
	timeout: number;
	/** Signals that each abort the work at once, such as the cancelling of the execution. */
	stopSignals?: readonly AbortSignal[];
	/** When data last moved, by performance.now(), once it has. The time-out counts from then. */
	lastActivity?: () => number | undefined;
	/** Milliseconds, fewer than the time-out: `onQuiet` is called when nothing has moved for so long since data did. */
	quietAfter?: number;
	onQuiet?: () => void;
}

/** Grace period (ms) for aborted work to say how far it got. */
const graceAfterAbort = 250;

/** Milliseconds. Deadlines that end within the same so many share a timer, since one for each request costs much. */
const precision = 500;

const timers = new Map<number, AbortSignal>();

/** @returns what is aborted at a time by performance.now(), or up to `precision` later */
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
 * Runs work that stops when its signal is aborted.
 * A time-out of the HTTP client's own would not do: it ends a long upload that is still moving, and never ends an
 * answer that comes byte by byte. The time is measured with a monotonic clock, so that setting the computer's
 * clock changes nothing.
 * @param fallback gives the value of work that does not stop after it was aborted, because n8n's request helper may
 * ignore the signal
 */
export async function withDeadline<Value>(
	{ timeout, stopSignals = [], lastActivity, quietAfter = timeout, onQuiet }: Deadline,
	work: (signal: AbortSignal) => Promise<Value>,
	fallback: () => Value | Promise<Value>,
): Promise<Value> {
	const startedAt = performance.now();
	const workAbort = new AbortController();
	let stopTimer = () => {};
	let forget: Array<() => void> = [];
	try {
		return await new Promise<Value>((resolve, reject) => {
			// What a listener throws would end n8n.
			const listener = (listen: () => void) => () => {
				try {
					listen();
				} catch (error) {
					workAbort.abort();
					reject(error as Error);
				}
			};
			const fallBack = listener(() => void Promise.resolve(fallback()).then(resolve, reject));
			const abortWork = () => {
				stopTimer();
				workAbort.abort();
				stopTimer = onAbort(AbortSignal.timeout(graceAfterAbort), fallBack);
			};
			// Each signal has a listener of its own, because Node.js loses a timer that AbortSignal.any has combined
			// to its garbage collector.
			const checkTime = listener(() => {
				const now = performance.now();
				const activeAt = lastActivity?.();
				const end = (activeAt ?? startedAt) + timeout;
				const quietAt = (activeAt ?? now) + quietAfter;
				if (end <= now) return abortWork();
				if (quietAt <= now) onQuiet?.();
				stopTimer = onAbort(timerAt(quietAt <= now ? end : Math.min(quietAt, end)), checkTime);
			});
			checkTime();
			forget = stopSignals.map((signal) => onAbort(signal, abortWork));
			work(workAbort.signal).then(resolve, reject);
		});
	} finally {
		stopTimer();
		for (const forgetSignal of forget) forgetSignal();
	}
}
