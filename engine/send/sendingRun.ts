// A run that sends requests: what it may send, and its statistics: tries, failed tries, requests in progress, and how
// long it was held up.
import type { Operation } from '../area';
import type { Failure } from '../failure';
import type { Try } from './retryPolicy';

export class SendingRun {
	/** Why the run sends no further request; the first cause counts. Undefined while requests may succeed. */
	blocker?: Failure;

	/** Settles when the last waiting request may begin. So may those before it by then, since requests begin in order. */
	entering?: Promise<unknown>;

	/** By performance.now(). */
	readonly startedAt = performance.now();

	tries = 0;

	/** Number of failed tries, by how they failed, in words. */
	readonly failedTries = new Map<string, number>();

	/** Requests in progress. */
	inFlight = 0;

	/** When the run was first held up since its last success, by performance.now(). */
	private heldUpSince?: number;

	private heldUpBefore = 0;

	/**
	 * @param stop ends all waiting; the run sends no request after it
	 * @param maxParallel maximum number of the run's requests in progress, 1 or more
	 */
	constructor(
		readonly operation: Operation,
		readonly stop: AbortSignal,
		public maxParallel = 1,
	) {}

	/** Milliseconds that the run was held up, counted each time from its first wait to the next success. */
	get heldUp(): number {
		const now = performance.now();
		return this.heldUpBefore + now - (this.heldUpSince ?? now);
	}

	/**
	 * @param until by performance.now()
	 * @returns how many milliseconds the run will have been held up by then
	 */
	holdUp(until: number): number {
		this.heldUpSince ??= performance.now();
		return until - this.heldUpSince;
	}

	/** The service works again. */
	endHoldUp(): void {
		this.heldUpBefore = this.heldUp;
		this.heldUpSince = undefined;
	}

	startTry(): void {
		this.tries++;
		this.inFlight++;
	}

	/** @param tried undefined if the request was not sent after all */
	endTry(tried?: Try): void {
		this.inFlight--;
		if (!tried || (tried.status !== undefined && tried.status < 400)) return;
		const how = tried.status ? `with status ${tried.status}` : 'without a response';
		this.failedTries.set(how, (this.failedTries.get(how) ?? 0) + 1);
	}

	/**
	 * Runs a task for each entry, at most `maxParallel` at a time; tasks begin in the order of their entries. The next
	 * entry is taken once none of the run's requests waits, and the next group once all entries of the one before are
	 * taken. After the run's `stop`, no new task begins; running tasks are awaited.
	 * @param task must not throw
	 */
	async doInParallel<Entry>(
		groups: AsyncIterable<readonly Entry[]>,
		task: (entry: Entry) => Promise<void>,
	): Promise<void> {
		let running = 0;
		let onTaskEnd = () => {};
		const untilTaskEnds = () => new Promise<void>((resolve) => (onTaskEnd = resolve));
		try {
			for await (const entries of groups) {
				for (const entry of entries) {
					if (this.stop.aborted) return;
					running++;
					void task(entry).then(() => {
						running--;
						onTaskEnd();
					});
					if (this.entering) await this.entering;
					while (running >= this.maxParallel) await untilTaskEnds();
				}
			}
		} finally {
			while (running > 0) await untilTaskEnds();
		}
	}
}
