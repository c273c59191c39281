// A request's time: it ends when nothing has happened for too long, or when the execution is cancelled.
import { sleep } from 'n8n-workflow';

export interface Deadline {
	/** Milliseconds the service may take. */
	limit: number;
	/** Ends the work at once. */
	cancelled?: AbortSignal;
	/** When the time last began to count anew, in milliseconds since the epoch; without it, at the start. */
	lastSign?: () => number | undefined;
}

interface Timed {
	/** Milliseconds since the epoch. */
	ends: () => number;
	end: () => void;
}

/** One clock looks after all requests: a timer for each would cost more than the rest of our work. */
const timed = new Set<Timed>();
let idle: AbortController | undefined;

/** A request that begins while the clock sleeps may have the shorter time. */
const longestSleep = 1000;

async function watch(over: AbortSignal): Promise<void> {
	while (!over.aborted) {
		const now = Date.now();
		for (const request of timed) if (request.ends() <= now) request.end();
		const next = Math.min(...[...timed].map(({ ends }) => ends()).filter((end) => end > now));
		await sleep(Math.min(longestSleep, next - now), over);
	}
}

function add(request: Timed): void {
	timed.add(request);
	if (idle) return;
	idle = new AbortController();
	// Rejects when there is nothing more to look after.
	watch(idle.signal).catch(() => {});
}

function remove(request: Timed): void {
	timed.delete(request);
	if (timed.size > 0) return;
	idle?.abort();
	idle = undefined;
}

/**
 * Runs work that stops when its signal is aborted.
 * A time-out of the transport's own would not do: it ends a long upload that is still moving, and lets an
 * answer go on forever that comes byte by byte.
 */
export async function withDeadline<Result>(
	{ limit, cancelled, lastSign }: Deadline,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const started = Date.now();
	const request = new AbortController();
	const end = () => request.abort();
	const own = { ends: () => (lastSign?.() ?? started) + limit, end };
	add(own);
	cancelled?.addEventListener('abort', end);
	if (cancelled?.aborted) end();
	try {
		return await work(request.signal);
	} finally {
		remove(own);
		cancelled?.removeEventListener('abort', end);
	}
}
