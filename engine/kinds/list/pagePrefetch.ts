// Requests several pages of one list at the same time, and hands them out in their order.
import type { Answer } from '../../send/sendTypes';

/**
 * Requests one page.
 * @param stop when it is aborted, the try that is under way is aborted too, and no further try begins
 */
export type FetchPage = (offset: number, stop: AbortSignal) => Promise<Answer>;

/** Aborts the requests of pages. */
class PrefetchStop extends AbortController {
	/** Resolves on abort. It is one promise for all pages: a listener for each would pile up on a long list. */
	readonly whenAborted = new Promise<void>((resolve) =>
		this.signal.addEventListener('abort', () => resolve()),
	);
}

/** The pages that were requested and not yet taken. The first that fails, whichever it is, aborts the others. */
export class PagePrefetch {
	private requested: Array<Promise<Answer>> = [];

	/** Its reason is what the failed page threw. */
	private stop = new PrefetchStop();

	constructor(private readonly fetchPage: FetchPage) {}

	get count(): number {
		return this.requested.length;
	}

	request(offset: number): void {
		const { stop } = this;
		const answer = this.fetchPage(offset, stop.signal);
		answer.catch((error: unknown) => stop.abort(error));
		this.requested.push(answer);
	}

	/**
	 * Takes out the first of the requested pages, and waits for its answer.
	 * @throws what the request of this page, or of any other requested page, threw
	 */
	async takeNext(): Promise<Answer> {
		const { whenAborted, signal } = this.stop;
		const answer = this.requested.shift()!;
		// The race is not for the answer itself: `whenAborted` lives on, and would keep the texts of all pages in memory.
		await Promise.race([answer.then(() => {}), whenAborted]);
		signal.throwIfAborted();
		return await answer;
	}

	/** Aborts all requests whose pages were not taken; new ones can be made afterwards. */
	cancelAll(): void {
		this.stop.abort();
		this.stop = new PrefetchStop();
		this.requested = [];
	}
}
