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
	const over = new AbortController();
	const end = () => request.abort();
	const watch = async () => {
		for (let left = limit; left > 0; left = (lastSign?.() ?? started) + limit - Date.now()) {
			await sleep(left, over.signal);
		}
		end();
	};
	cancelled?.addEventListener('abort', end);
	if (cancelled?.aborted) end();
	// Rejects when the work was over first.
	watch().catch(() => {});
	try {
		return await work(request.signal);
	} finally {
		over.abort();
		cancelled?.removeEventListener('abort', end);
	}
}
