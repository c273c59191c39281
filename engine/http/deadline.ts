// A request's time: it ends when nothing has happened for too long, or when the execution is cancelled.

export interface Deadline {
	/** Milliseconds the service may take. */
	limit: number;
	/** Ends the work at once. */
	cancelled?: AbortSignal;
	/** When the time last began to count anew, as performance.now() tells it; without it, at the start. */
	lastSign?: () => number | undefined;
}

/**
 * Runs work that stops when its signal is aborted.
 * A time-out of the transport's own would not do: it ends a long upload that is still moving, and lets an
 * answer go on forever that comes byte by byte. The time is a monotonic clock's: setting the computer's
 * clock changes nothing.
 */
export async function withDeadline<Value>(
	{ limit, cancelled, lastSign }: Deadline,
	work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
	const started = performance.now();
	const request = new AbortController();
	const end = () => request.abort();
	// Listened to, not combined by AbortSignal.any: Node.js 20 loses a combined timer to its garbage collector.
	let timer: AbortSignal | undefined;
	const look = () => {
		const left = (lastSign?.() ?? started) + limit - performance.now();
		if (left <= 0) return end();
		timer = AbortSignal.timeout(Math.ceil(left));
		timer.addEventListener('abort', look);
	};
	look();
	cancelled?.addEventListener('abort', end);
	if (cancelled?.aborted) end();
	try {
		return await work(request.signal);
	} finally {
		timer?.removeEventListener('abort', look);
		cancelled?.removeEventListener('abort', end);
	}
}
