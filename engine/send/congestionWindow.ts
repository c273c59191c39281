// How many requests may be under way at once: found by what the answers show. Pure: no clock, no network.
import { timeBetween, type ClockReading } from '../http/clock';
import { BaseDelays } from './baseDelays';

/** Requests under way at the start (RFC 6928 §2). The delay of answers never makes it smaller. */
const initialWindow = 10;

/** Most requests under way, and the largest "Parallel Requests". */
export const maxWindow = 256;

/**
 * A write that is under way when the service dies is an item in doubt: so many at most, until so many answers
 * in a row were good.
 */
export const maxUntestedWrites = 64;
const successesToTrust = 3 * maxUntestedWrites;

/** How many times as long as from the unloaded service answers may take while it keeps up, and before it is slow. */
const [keepingUpSlowdown, slowSlowdown] = [1.2, 1.5];

/**
 * Milliseconds after which a smallest window with answers that still take longer takes their delay for the
 * unloaded service's own. Not sooner: where several share a service, each would take the others for it.
 */
const relearnAfter = 60_000;

/** Requests that may wait at a slow service, so that it is never without work. */
const spareRequests = 4;

/** Growth for each answer: as long as no answers were slow (RFC 5681 §3.1), and later (RFC 9406 §4.2). */
const [fastGrowth, slowGrowth] = [1, 1 / 4];

/** What was not used is no proof that more would do: the window is at most so many times as large. */
const maxUnusedFactor = 3;

/** When this process was busy for more of a round, more requests at once gain nothing, and delays say nothing. */
const maxBusyShare = 0.85;

/** Milliseconds without requests after which what was learned is forgotten: the trial of writes, and all else. */
const trustKept = 60_000;
export const learnedKept = 3_600_000;

/** A request under way: its number. */
export type RequestNumber = number;

/** What an answer shows of the service; without both, nothing. */
export interface Observation {
	/** Whether the service is overwhelmed; undefined when the request shows nothing of it. */
	isOverload?: boolean;
	/** How long it was waited for, if that can be compared with others of its kind. */
	delay?: ClockReading;
}

/** What is learned. */
class WindowState {
	limit = initialWindow;

	/** Beyond it the window grows by one a round: it was too large for the service once (RFC 5681). */
	threshold = Infinity;

	growth = fastGrowth;

	/** Good answers to requests begun since the last setback. */
	successesInRow = 0;

	baseDelays = new BaseDelays();

	/** Since when the window is at its smallest, and answers take longer nevertheless. */
	slowSince = Infinity;
}

/**
 * A congestion window, counted in requests. It doubles with each round of answers that come as quickly as from
 * the unloaded service, stays when they take longer, and shrinks in proportion when they are slow, as Netflix's
 * concurrency-limits (Gradient2) does. A setback halves it, once for all requests that were under way (RFC 5681).
 */
export class CongestionWindow {
	private state = new WindowState();

	private inflight = 0;

	private nextNumber: RequestNumber = 0;

	/** Requests begun before the last setback say nothing new about it. */
	private firstAfterOverload: RequestNumber = 0;

	/** Requests begun since the window has its size: their delays are its doing. */
	private firstSinceResize: RequestNumber = 0;

	private lastUsed = -Infinity;

	/** The round: the answers to the requests from `first` on. `follows` is where the next round may begin. */
	private round = { first: 0, follows: 0, began: { now: 0, idle: 0 }, answers: 0, peak: 0 };

	/** Delays of the round's answers, by kind. */
	private readonly delays = new Map<string, ClockReading[]>();

	/** Requests that may be under way. */
	get limit(): number {
		return Math.floor(this.state.limit);
	}

	/** Whether another request may begin. */
	admits(isWrite: boolean): boolean {
		const isOnTrial = isWrite && this.state.successesInRow < successesToTrust;
		return this.inflight < (isOnTrial ? Math.min(this.limit, maxUntestedWrites) : this.limit);
	}

	requestBegins(at: ClockReading): RequestNumber {
		if (this.inflight === 0) {
			const unused = at.now - this.lastUsed;
			if (unused > learnedKept) this.state = new WindowState();
			if (unused > trustKept) {
				this.state.successesInRow = 0;
				this.nextRound(at);
			}
		}
		this.inflight++;
		this.round.peak = Math.max(this.round.peak, this.inflight);
		return this.nextNumber++;
	}

	/** @param kind of request, such as its route: delays are compared within it */
	requestEnds(
		ticket: RequestNumber,
		kind: string,
		{ isOverload, delay }: Observation,
		at: ClockReading,
	): void {
		this.inflight--;
		this.lastUsed = at.now;
		if (isOverload === undefined) return;
		if (isOverload) return this.shrink(ticket, at);
		if (ticket >= this.firstAfterOverload) this.state.successesInRow++;
		if (ticket < this.round.first) return;
		if (this.round.answers++ === 0) this.round.follows = this.nextNumber;
		if (delay !== undefined && ticket >= this.firstSinceResize) {
			const ofKind = this.delays.get(kind);
			if (ofKind) ofKind.push(delay);
			else this.delays.set(kind, [delay]);
		}
		// What came before a pause is a round too, if it is enough to judge by.
		const enough = this.inflight > 0 ? this.limit : this.limit / 2;
		if (this.round.answers >= enough) this.nextRound(at, this.judge(at));
	}

	private shrink(ticket: RequestNumber, at: ClockReading): void {
		const { state } = this;
		state.successesInRow = 0;
		if (ticket < this.firstAfterOverload) return;
		state.threshold = Math.max(1, state.limit / 2);
		this.resize(state.threshold);
		this.firstAfterOverload = this.nextNumber;
		this.nextRound(at);
	}

	private nextRound(at: ClockReading, first = this.nextNumber): void {
		this.round = { first, follows: first, began: at, answers: 0, peak: this.inflight };
		this.delays.clear();
	}

	/**
	 * What a round's answers say of the window's size.
	 * @returns where the next round begins: with the requests that replaced those of this round
	 */
	private judge(at: ClockReading): RequestNumber {
		const { state, round } = this;
		const { now, idle } = timeBetween(round.began, at);
		const busy = 1 - idle / now;
		if (busy > maxBusyShare || this.delays.size === 0) return round.follows;
		const { limit, growth, threshold, baseDelays } = state;
		const load = baseDelays.slowdown(this.delays, busy, limit <= 2 * initialWindow);
		if (limit > initialWindow || load.likely <= keepingUpSlowdown) state.slowSince = at.now;
		else if (at.now - state.slowSince > relearnAfter) state.baseDelays = new BaseDelays();
		if (load.surely > slowSlowdown) {
			state.growth = slowGrowth;
			this.resize(Math.min(limit, Math.max(initialWindow, limit / load.surely + spareRequests)));
			return this.nextNumber;
		}
		if (load.likely <= keepingUpSlowdown) {
			const { answers, peak } = round;
			const larger = limit < threshold ? Math.min(limit + answers * growth, threshold) : limit + 1;
			this.resize(Math.max(limit, Math.min(larger, maxUnusedFactor * peak, maxWindow)));
		}
		return round.follows;
	}

	private resize(limit: number): void {
		if (limit === this.state.limit) return;
		this.state.limit = limit;
		this.firstSinceResize = this.nextNumber;
	}
}
