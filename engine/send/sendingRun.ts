// A run that sends requests: what it may send, and what it has asked of the service so far, in numbers alone: tries,
// those that failed, requests in progress, and how long the run was held up.
import type { Operation } from '../area';
import type { Failure } from '../failure';
import type { Try } from './retryPolicy';

export class SendingRun {
	/** Why no further request of the run is sent, which the first to find out says; undefined while requests may succeed. */
	blocker?: Failure;

	/** Settles when the last request that had to wait may begin; so may those before it, since they begin in order. */
	entering?: Promise<unknown>;

	/** By performance.now(). */
	readonly startedAt = performance.now();

	tries = 0;

	/** How many tries failed, by the HTTP status of their response; undefined for those without one. */
	readonly failedTries = new Map<number | undefined, number>();

	/** Requests in progress. */
	inFlight = 0;

	/** By performance.now(): since when the run waits, again and again perhaps, without a success in between. */
	private heldUpSince?: number;

	private heldUpBefore = 0;

	/**
	 * @param stop ends all waiting; no request of the run is sent after it
	 * @param maxParallel most requests of the run in progress at once, 1 or more
	 */
	constructor(
		readonly operation: Operation,
		readonly stop: AbortSignal,
		public maxParallel = 1,
	) {}

	/** Milliseconds for which the run was held up, each time from its first wait to the next success. */
	get heldUp(): number {
		const now = performance.now();
		return this.heldUpBefore + now - (this.heldUpSince ?? now);
	}

	/**
	 * @param until by performance.now()
	 * @returns milliseconds for which the run has been held up by then
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

	/** @param ended undefined when the request was not sent after all */
	endTry(ended?: Try): void {
		this.inFlight--;
		if (!ended) return;
		const { status } = ended;
		if (status === undefined || status >= 400)
			this.failedTries.set(status, (this.failedTries.get(status) ?? 0) + 1);
	}

	/**
	 * Runs a task for each entry, as many at once as the run may have requests; they begin in the order of their entries.
	 * An entry is taken when none of the run's requests waits any more, and a group when those of the one before it are.
	 * After the run's `stop`, no new task begins; running tasks are awaited.
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
