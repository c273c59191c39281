// A request's time: it ends when nothing has happened for too long, or when the execution is cancelled.

export interface Deadline {
	/** Milliseconds the service may take. */
	limit: number;
	/** Each ends the work at once. */
	ended?: readonly AbortSignal[];
	/** When something last moved, as performance.now() tells it: the time counts anew from there. */
	lastActivity?: () => number | undefined;
}

/** The timer that was started last. */
let sharedTimer: { limit: number; started: number; timer: AbortSignal } | undefined;

/**
 * A signal that is aborted when the time has passed, or up to a second before: requests that begin in the same
 * second share a timer, since each costs as much as all else that is done here.
 * @param limit milliseconds
 * @param now performance.now()
 */
function timerFor(limit: number, now: number): AbortSignal {
	const isFresh =
		sharedTimer?.limit === limit && now - sharedTimer.started < 1000 && !sharedTimer.timer.aborted;
	if (!sharedTimer || !isFresh)
		sharedTimer = { limit, started: now, timer: AbortSignal.timeout(limit) };
	return sharedTimer.timer;
}

/** Milliseconds in which work whose signal was aborted may still say how far it got. */
const graceAfterAbort = 250;

/**
 * Runs work that stops when its signal is aborted.
 * A time-out of the transport's own would not do: it ends a long upload that is still moving, and lets an
 * answer go on forever that comes byte by byte. The time is a monotonic clock's: setting the computer's
 * clock changes nothing.
 * @param late gives the value of work that does not stop; n8n's helper may not know the signal
 */
export async function withDeadline<Value>(
	{ limit, ended = [], lastActivity }: Deadline,
	work: (signal: AbortSignal) => Promise<Value>,
	late: () => Value | Promise<Value>,
): Promise<Value> {
	const started = performance.now();
	const request = new AbortController();
	let giveUp!: (value: Promise<Value>) => void;
	const overdue = new Promise<Value>((resolve) => (giveUp = resolve));
	const end = () => {
		if (request.signal.aborted) return;
		request.abort();
		AbortSignal.timeout(graceAfterAbort).addEventListener('abort', () =>
			giveUp(Promise.resolve().then(late)),
		);
	};
	// Listened to, not combined by AbortSignal.any: Node.js 20 loses a combined timer to its garbage collector.
	let timer = timerFor(Math.ceil(limit), started);
	const look = () => {
		const left = Math.max(started, lastActivity?.() ?? started) + limit - performance.now();
		if (left <= 0) return end();
		timer = AbortSignal.timeout(Math.ceil(left));
		timer.addEventListener('abort', look);
	};
	timer.addEventListener('abort', look);
	for (const signal of ended) signal.addEventListener('abort', end);
	if (ended.some(({ aborted }) => aborted)) end();
	try {
		return await Promise.race([work(request.signal), overdue]);
	} finally {
		timer.removeEventListener('abort', look);
		for (const signal of ended) signal.removeEventListener('abort', end);
	}
}
