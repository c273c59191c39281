// Counts what one run asks of the service: tries, those that failed, sign-ins, requests under way, and how long the run
// was held up. It holds numbers alone, never a value of an item.
import { wait } from '../n8n';
import type { TryResult, SendTry } from './sendTypes';

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

	/** The same since takeRecentlyFailedTries() was called last. */
	private recentlyFailedTries = new Map<number | undefined, number>();

	/** How often the service asked to wait. */
	askedToWait = 0;

	signIns = 0;

	/** Requests under way. */
	inflight = 0;

	/** The most requests that were under way at once. */
	peak = 0;

	/** The same since takeRecentPeak() was called last. */
	private recentPeak = 0;

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
		const now = this.heldUpSince === undefined ? 0 : performance.now() - this.heldUpSince;
		return this.heldUpBefore + now;
	}

	/** Milliseconds for which the run is going to pause, and whether the service has asked for it; 0 while it sends. */
	get pause(): { left: number; isAskedFor: boolean } {
		const now = performance.now();
		const left = this.heldUpSince === undefined ? 0 : Math.max(0, this.pausedUntil - now);
		return { left, isAskedFor: this.askedUntil > now };
	}

	/** The most requests that were under way at once since this was called last. */
	takeRecentPeak(): number {
		const peak = this.recentPeak;
		this.recentPeak = this.inflight;
		return peak;
	}

	/** The tries that failed since this was called last. */
	takeRecentlyFailedTries(): FailedTries {
		const failed = this.recentlyFailedTries;
		this.recentlyFailedTries = new Map();
		return failed;
	}

	private noteWhetherHeldUp(): void {
		const now = performance.now();
		const isHeldUp = this.pausing > 0 && this.inflight === 0;
		if (isHeldUp) this.heldUpSince ??= now;
		else if (this.heldUpSince !== undefined) {
			this.heldUpBefore += now - this.heldUpSince;
			this.heldUpSince = undefined;
		}
	}

	private noteTryEnded(result: TryResult | undefined, startedAt: number): void {
		const { status, retryAfter } = result?.evidence ?? {};
		if (status === undefined || status >= 400) {
			for (const failed of [this.failedTries, this.recentlyFailedTries])
				failed.set(status, (failed.get(status) ?? 0) + 1);
		}
		if (retryAfter !== undefined) {
			this.askedToWait++;
			this.askedUntil = Math.max(this.askedUntil, performance.now() + retryAfter);
		}
		this.onTryEnded({ status, retryAfter, milliseconds: performance.now() - startedAt });
	}

	/** @returns the function, with each try counted */
	counting(sendTry: SendTry): SendTry {
		return async (request, stop) => {
			const startedAt = performance.now();
			this.tries++;
			this.inflight++;
			this.peak = Math.max(this.peak, this.inflight);
			this.recentPeak = Math.max(this.recentPeak, this.inflight);
			this.noteWhetherHeldUp();
			let result: TryResult | undefined;
			try {
				result = await sendTry(request, stop);
				return result;
			} finally {
				this.inflight--;
				this.noteTryEnded(result, startedAt);
				this.noteWhetherHeldUp();
			}
		};
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
