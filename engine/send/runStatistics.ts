// Counts what one run asks of the service: tries, those that failed, sign-ins, requests under way, and how long the run
// was held up. It holds numbers alone, never a value of an item.
import { wait } from '../n8n';
import type { TryEvidence } from './retryPolicy';
import type { TryResult } from './sendTypes';

/** What a log of tries needs to know of one. */
export interface EndedTry {
	/** HTTP status of the answer; undefined when none came. */
	status?: number;
	milliseconds: number;
	/** Milliseconds that the service asks to wait. */
	retryAfter?: number;
}

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

	/** By performance.now(): until when the service has asked this run to wait. */
	private askedUntil = -Infinity;

	/** By performance.now(): since when requests pause and none is under way. */
	private heldUpSince?: number;

	private heldUpBefore = 0;

	/** Told of each try when it has ended. */
	onTryEnded: (ended: EndedTry) => void = () => {};

	/** Milliseconds for which the run had requests to send, but all of them had to wait before they could be sent. */
	get heldUp(): number {
		const now = performance.now();
		return this.heldUpBefore + now - (this.heldUpSince ?? now);
	}

	/** Milliseconds for which the run is going to pause, and whether the service has asked for it; 0 while it sends. */
	get pause(): { left: number; isAskedFor: boolean } {
		const now = performance.now();
		const left = this.heldUpSince === undefined ? 0 : Math.max(0, this.pausedUntil - now);
		return { left, isAskedFor: this.askedUntil > now };
	}

	private noteWhetherHeldUp(): void {
		this.heldUpBefore = this.heldUp;
		const isHeldUp = this.pausing > 0 && this.inflight === 0;
		this.heldUpSince = isHeldUp ? performance.now() : undefined;
	}

	/** Counts a try that has just begun, until it has ended. */
	async count(sending: Promise<TryResult>): Promise<TryResult> {
		const startedAt = performance.now();
		this.tries++;
		this.peak = Math.max(this.peak, ++this.inflight);
		this.noteWhetherHeldUp();
		let evidence: Partial<TryEvidence> = {};
		try {
			const result = await sending;
			({ evidence } = result);
			return result;
		} finally {
			this.inflight--;
			this.noteTryEnded(evidence, performance.now() - startedAt);
			this.noteWhetherHeldUp();
		}
	}

	private noteTryEnded({ status, retryAfter }: Partial<TryEvidence>, milliseconds: number): void {
		if (status === undefined || status >= 400)
			this.failedTries.set(status, (this.failedTries.get(status) ?? 0) + 1);
		if (retryAfter !== undefined) {
			this.askedToWait++;
			this.askedUntil = Math.max(this.askedUntil, performance.now() + retryAfter);
		}
		this.onTryEnded({ status, retryAfter, milliseconds });
	}

	/** Waits as wait() does, and counts the time in which nothing else of the run is under way. */
	async wait(milliseconds: number, stop: AbortSignal): Promise<void> {
		this.pausing++;
		this.pausedUntil = Math.max(this.pausedUntil, performance.now() + milliseconds);
		this.noteWhetherHeldUp();
		try {
			await wait(milliseconds, stop);
		} finally {
			this.pausing--;
			this.noteWhetherHeldUp();
		}
	}
}
