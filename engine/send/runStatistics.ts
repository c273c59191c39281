// Counts what one run asks of the service: tries, those that failed, sign-ins, requests under way, and how long the run
// was held up. It holds numbers alone, never a value of an item.
import { wait } from '../n8n';
import type { Exchange } from './exchange';

/** How many tries failed, by the HTTP status that each was answered with; undefined for those without an answer. */
export type FailedTries = ReadonlyMap<number | undefined, number>;

export class RunStatistics {
	/** By performance.now(). */
	readonly startedAt = performance.now();

	tries = 0;

	readonly failedTries = new Map<number | undefined, number>();

	/** How often the service asked to wait. */
	askedToWait = 0;

	signIns = 0;

	/** Requests under way. */
	inflight = 0;

	/** The most requests that were under way at once. */
	peak = 0;

	/** Requests that pause before they are sent. */
	private pausing = 0;

	/** By performance.now(): until when the longest of these pauses lasts. */
	private pausedUntil = -Infinity;

	/** By performance.now(): since when requests pause and none is under way. */
	private heldUpSince?: number;

	private heldUpBefore = 0;

	/** Told of each try when it has ended. */
	onTryEnded: (exchange: Exchange) => void = () => {};

	/** Milliseconds for which the run had requests to send, but all of them had to wait before they could be sent. */
	get heldUp(): number {
		const now = performance.now();
		return this.heldUpBefore + now - (this.heldUpSince ?? now);
	}

	/** Milliseconds for which the run is still going to be held up; 0 while it sends. */
	get pauseLeft(): number {
		const isHeldUp = this.heldUpSince !== undefined;
		return isHeldUp ? Math.max(0, this.pausedUntil - performance.now()) : 0;
	}

	private updateBlocked(): void {
		this.heldUpBefore = this.heldUp;
		const isHeldUp = this.pausing > 0 && this.inflight === 0;
		this.heldUpSince = isHeldUp ? performance.now() : undefined;
	}

	startTry(): void {
		this.tries++;
		this.peak = Math.max(this.peak, ++this.inflight);
		this.updateBlocked();
	}

	endTry(exchange: Exchange): void {
		this.inflight--;
		this.updateBlocked();
		const { status, retryAfter, noAnswer } = exchange;
		// The request was not sent after all.
		if (status === undefined && !noAnswer) return;
		if (status === undefined || status >= 400)
			this.failedTries.set(status, (this.failedTries.get(status) ?? 0) + 1);
		if (retryAfter !== undefined) this.askedToWait++;
		this.onTryEnded(exchange);
	}

	/** Waits as wait() does, and counts the time in which nothing else of the run is under way. */
	async wait(milliseconds: number, stop: AbortSignal): Promise<void> {
		this.pausing++;
		this.pausedUntil = Math.max(this.pausedUntil, performance.now() + milliseconds);
		this.updateBlocked();
		await wait(milliseconds, stop);
		this.pausing--;
		this.updateBlocked();
	}
}
