// Pages of one list, asked for ahead of their turn.
import type { Answer } from '../../send/sendTypes';

/**
 * Asks for one page.
 * @param stop no try of it starts after it, and one under way is aborted
 */
export type FetchPage = (offset: number, stop: AbortSignal) => Promise<Answer>;

/** Ends a page's waiting. */
class PrefetchStop extends AbortController {
	/** Settles with it. One promise for all pages: a long list would pile up listeners. */
	readonly happened = new Promise<void>((resolve) =>
		this.signal.addEventListener('abort', () => resolve()),
	);
}

/** Pages asked for and not yet taken, in their order. The first that fails ends the others, whatever its turn. */
export class PagePrefetch {
	private asked: Array<{ offset: number; answer: Promise<Answer> }> = [];

	/** Its reason is what the failed page threw. */
	private stop = new PrefetchStop();

	constructor(private readonly askPage: FetchPage) {}

	get count(): number {
		return this.asked.length;
	}

	/** Where the page begins whose turn is next. */
	get offset(): number | undefined {
		return this.asked[0]?.offset;
	}

	ask(offset: number): void {
		const { stop } = this;
		const answer = this.askPage(offset, stop.signal);
		answer.catch((error: unknown) => stop.abort(error));
		this.asked.push({ offset, answer });
	}

	/**
	 * The page whose turn it is.
	 * @throws what this page, or any other that was asked for, threw
	 */
	async take(): Promise<Answer> {
		const { happened, signal } = this.stop;
		const { answer } = this.asked.shift()!;
		// Not the answer itself: `happened` lives on, and would hold the texts of all pages.
		await Promise.race([answer.then(() => {}), happened]);
		signal.throwIfAborted();
		return await answer;
	}

	/** Ends all that were asked for: nobody waits for them any more. */
	drop(): void {
		this.stop.abort();
		this.stop = new PrefetchStop();
		this.asked = [];
	}
}
