// How many requests may be under way at once, found out from what the answers show. Pure: no clock, no network.
import { timeBetween, type ClockReading } from '../http/clock';
import { BaseDelays } from './baseDelays';

/** Requests that may be under way at the start (RFC 6928 §2). Slow answers never make the window smaller than this. */
const initialWindow = 10;

/** Most requests that may be under way, and the largest value of "Parallel Requests". */
export const maxWindow = 256;

/**
 * Each write that is under way when the service dies is an item in doubt. So this many writes at most are under
 * way until `successesToTrust` answers in a row were successes.
 */
export const maxUntestedWrites = 64;
const successesToTrust = 3 * maxUntestedWrites;

/** The window grows while the slowdown is no larger than the first, and shrinks when it is larger than the second. */
const [maxSlowdownToGrow, maxSlowdownToStay] = [1.2, 1.5];

/**
 * Milliseconds for which answers are slow although the window is at its smallest, after which their delay is
 * taken for the base delay. A shorter time would be wrong where several processes share a service: each would
 * take the load of the others for the base delay.
 */
const relearnAfter = 60_000;

/** Requests that may wait at a slow service, so that it always has work. */
const spareRequests = 4;

/** Growth for each answer: until an answer was slow (RFC 5681 §3.1), and from then on (RFC 9406 §4.2). */
const [fastGrowth, slowGrowth] = [1, 1 / 4];

/**
 * The window is at most this many times as large as the most requests that were under way in the round: a window
 * that was not filled has not been tested.
 */
const maxFactorOfPeak = 3;

/** When this process was busy for a larger share of a round, more requests gain nothing and delays show nothing. */
const maxBusyShare = 0.85;

/** Milliseconds without requests after which writes are untested again. */
const forgetTrustAfter = 60_000;

/** Milliseconds without requests after which all that was learned is forgotten. */
export const forgetStateAfter = 3_600_000;

/** Requests are numbered in the order in which they begin. */
export type RequestNumber = number;

/** What the end of a request shows of the service. Without either value it shows nothing. */
export interface Observation {
	/** Whether the service is overloaded; undefined when the request does not show it. */
	isOverload?: boolean;
	/** How long the answer took, if that can be compared with other answers of the same route. */
	delay?: ClockReading;
}

/** What the window has learned. */
class WindowState {
	limit = initialWindow;

	/** From here on the window grows by one a round, since the service was overloaded by a larger one (RFC 5681). */
	threshold = Infinity;

	growth = fastGrowth;

	/** Successes since the last overload, of requests that began after it. */
	successesInRow = 0;

	baseDelays = new BaseDelays();

	/** Since when answers are slow although the window is at its smallest. */
	slowSince = Infinity;
}

/**
 * A congestion window, counted in requests. It doubles with each round of answers that come as quickly as the
 * base delay, keeps its size when they take longer, and shrinks in proportion when they are slow, as the Gradient2
 * limit of Netflix's concurrency-limits does. An overload halves it, once for all requests that were under way
 * (RFC 5681).
 */
export class CongestionWindow {
	private state = new WindowState();

	private inflight = 0;

	private nextNumber: RequestNumber = 0;

	/** Requests that began earlier were under way at the last overload, and show nothing new about it. */
	private firstAfterOverload: RequestNumber = 0;

	/** Requests from this one on began with the window's present size, so that their delays are its effect. */
	private firstSinceResize: RequestNumber = 0;

	private lastEndedAt = -Infinity;

	/** A round is made of the answers to the requests from `firstRequest` on. */
	private round = {
		firstRequest: 0,
		/** The first request of the next round, unless the window shrinks. */
		nextFirstRequest: 0,
		startedAt: { now: 0, idle: 0 },
		answers: 0,
		/** Most requests that were under way at once. */
		peak: 0,
	};

	/** Delays of the round's answers. */
	private readonly delaysByRoute = new Map<string, ClockReading[]>();

	/** How many requests may be under way. */
	get limit(): number {
		return Math.floor(this.state.limit);
	}

	/** Whether another request may begin. */
	admits(isWrite: boolean): boolean {
		const isUntested = isWrite && this.state.successesInRow < successesToTrust;
		return this.inflight < (isUntested ? Math.min(this.limit, maxUntestedWrites) : this.limit);
	}

	requestBegins(at: ClockReading): RequestNumber {
		if (this.inflight === 0) {
			const unusedFor = at.now - this.lastEndedAt;
			if (unusedFor > forgetStateAfter) this.state = new WindowState();
			if (unusedFor > forgetTrustAfter) {
				this.state.successesInRow = 0;
				this.startRound(at);
			}
		}
		this.inflight++;
		this.round.peak = Math.max(this.round.peak, this.inflight);
		return this.nextNumber++;
	}

	/** @param route delays are only compared within a route */
	requestEnds(
		requestNumber: RequestNumber,
		route: string,
		{ isOverload, delay }: Observation,
		at: ClockReading,
	): void {
		this.inflight--;
		this.lastEndedAt = at.now;
		if (isOverload === undefined) return;
		if (isOverload) return this.shrink(requestNumber, at);
		if (requestNumber >= this.firstAfterOverload) this.state.successesInRow++;
		if (requestNumber < this.round.firstRequest) return;
		if (this.round.answers++ === 0) this.round.nextFirstRequest = this.nextNumber;
		if (delay !== undefined && requestNumber >= this.firstSinceResize) {
			const ofRoute = this.delaysByRoute.get(route);
			if (ofRoute) ofRoute.push(delay);
			else this.delaysByRoute.set(route, [delay]);
		}
		// The answers before a pause in sending are a round too, if there are enough of them to judge by.
		const roundSize = this.inflight > 0 ? this.limit : this.limit / 2;
		if (this.round.answers >= roundSize) this.startRound(at, this.judgeRound(at));
	}

	/** Halves the window after an overload, unless it was halved after this request began. */
	private shrink(requestNumber: RequestNumber, at: ClockReading): void {
		const { state } = this;
		state.successesInRow = 0;
		if (requestNumber < this.firstAfterOverload) return;
		state.threshold = Math.max(1, state.limit / 2);
		this.resize(state.threshold);
		this.firstAfterOverload = this.nextNumber;
		this.startRound(at);
	}

	private startRound(at: ClockReading, firstRequest = this.nextNumber): void {
		this.round = {
			firstRequest,
			nextFirstRequest: firstRequest,
			startedAt: at,
			answers: 0,
			peak: this.inflight,
		};
		this.delaysByRoute.clear();
	}

	/**
	 * Resizes the window by what the answers of the round show.
	 * @returns the first request of the next round: the first that began after this round's first answer, or the
	 * next one to begin when the window shrinks
	 */
	private judgeRound(at: ClockReading): RequestNumber {
		const { state, round } = this;
		const { now, idle } = timeBetween(round.startedAt, at);
		const busyShare = 1 - idle / now;
		if (busyShare > maxBusyShare || this.delaysByRoute.size === 0) return round.nextFirstRequest;
		const { limit, growth, threshold, baseDelays } = state;
		const slowdown = baseDelays.observe(this.delaysByRoute, busyShare, limit <= 2 * initialWindow);
		if (limit > initialWindow || slowdown.likelyAtLeast <= maxSlowdownToGrow)
			state.slowSince = at.now;
		else if (at.now - state.slowSince > relearnAfter) state.baseDelays = new BaseDelays();
		if (slowdown.surelyAtLeast > maxSlowdownToStay) {
			state.growth = slowGrowth;
			this.resize(
				Math.min(limit, Math.max(initialWindow, limit / slowdown.surelyAtLeast + spareRequests)),
			);
			return this.nextNumber;
		}
		if (slowdown.likelyAtLeast <= maxSlowdownToGrow) {
			const { answers, peak } = round;
			const grown = limit < threshold ? Math.min(limit + answers * growth, threshold) : limit + 1;
			this.resize(Math.max(limit, Math.min(grown, maxFactorOfPeak * peak, maxWindow)));
		}
		return round.nextFirstRequest;
	}

	private resize(limit: number): void {
		if (limit === this.state.limit) return;
		this.state.limit = limit;
		this.firstSinceResize = this.nextNumber;
	}
}
