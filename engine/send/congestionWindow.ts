// How many requests may be under way at once, found out from what the answers show. Pure: no clock, no network.
import { timeBetween, type ClockReading } from '../http/clock';
import { BaseDelays } from './baseDelays';
import { Slowdowns, type Slowdown } from './slowdowns';

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

/** The window opens while answers take at most so many times as long as the base delay. */
const maxRatioToOpen = 1.2;

/** Answers that take so many times as long or less show that no request waits at the service. */
const maxRatioToGrow = 1.02;

/** Answers that take more than so many times as long make the window at once as small as it should be. */
const maxRatioToStay = 1.5;

/** Requests that may wait at a busy service, so that it always has work: of each process as many (TCP Vegas). */
const spareRequests = 3;

/** Answers that make a round at least, while delays decide how large the window is: fewer show too little. */
const minRound = 10;

/** The share by which the window grows in a round, from the first slow answers on, where none waits. */
const growth = 1 / 4;

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

	/** Whether the window still doubles each round, as no answers were slow so far (RFC 5681 §3.1). */
	isOpening = true;

	/** Successes since the last overload, of requests that began after it. */
	successesInRow = 0;

	readonly baseDelays = new BaseDelays();

	/** Milliseconds that the answers of the last round took, on average; 0 before the first. */
	latestDelay = 0;
}

/**
 * A congestion window, counted in requests. It doubles with each round of answers that come as quickly as the base
 * delay. From the first slow ones on it has the size at which a few requests wait at the service, as many for each
 * process that sends: the part of the time in which a request is worked on says how many of those under way are
 * worked on (Little's law; TCP Vegas). An overload halves it, once for all requests that were under way (RFC 5681).
 */
export class CongestionWindow {
	private state = new WindowState();

	/** Those that are overdue aside. */
	private inflight = 0;

	private readonly overdue = new Set<RequestNumber>();

	/** What the window was before it was last halved for what was overdue, unless it was halved for anything else since. */
	private beforeOverdue?: Pick<WindowState, 'limit' | 'threshold'>;

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

	private slowdown?: Slowdown & { firstRequest: RequestNumber };

	private readonly slowdowns: Slowdowns;

	/** @param timeOrigin the wall-clock time, in milliseconds, at which the clock that is passed in was 0 */
	constructor(timeOrigin: number) {
		this.slowdowns = new Slowdowns(timeOrigin);
	}

	/** How many requests may be under way, slowdowns aside. */
	get limit(): number {
		return Math.floor(this.state.limit);
	}

	/** Whether so few requests more than the window are under way that a run without its share may have another. */
	get hasReserve(): boolean {
		return !this.slowdown && this.inflight < this.limit + initialWindow;
	}

	/** Whether another request may begin. */
	admits(isWrite: boolean, at: ClockReading): boolean {
		if (this.slowdown && at.now > this.slowdown.endsBy) this.endSlowdown(at);
		const isUntested = isWrite && this.state.successesInRow < successesToTrust;
		const limit = this.slowdown?.limit ?? this.limit;
		return this.inflight < (isUntested ? Math.min(limit, maxUntestedWrites) : limit);
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

	/**
	 * A request is overdue: it is under way, but counts no more among those that are, and halves the window, as a lost
	 * packet does. Its end is then of interest only if it is a success.
	 */
	requestIsOverdue(requestNumber: RequestNumber, at: ClockReading): void {
		this.inflight--;
		this.overdue.add(requestNumber);
		const before = { limit: this.state.limit, threshold: this.state.threshold };
		if (requestNumber >= this.firstAfterOverload) this.beforeOverdue = before;
		this.shrink(requestNumber, at);
	}

	/** What was overdue has succeeded: it was only slow, and the window gets its size back (RFC 4015). */
	private endOverdue(requestNumber: RequestNumber, isOverload: boolean | undefined): void {
		this.overdue.delete(requestNumber);
		if (isOverload !== false || !this.beforeOverdue) return;
		const { limit, threshold } = this.beforeOverdue;
		this.beforeOverdue = undefined;
		this.state.threshold = threshold;
		this.resize(Math.max(this.state.limit, limit));
	}

	/** @param route delays are only compared within a route */
	requestEnds(
		requestNumber: RequestNumber,
		route: string,
		{ isOverload, delay }: Observation,
		at: ClockReading,
	): void {
		this.lastEndedAt = at.now;
		if (this.overdue.has(requestNumber)) return this.endOverdue(requestNumber, isOverload);
		this.inflight--;
		if (isOverload === undefined) return;
		if (isOverload) {
			if (requestNumber >= this.firstAfterOverload) this.beforeOverdue = undefined;
			return this.shrink(requestNumber, at);
		}
		if (requestNumber >= this.firstAfterOverload) this.state.successesInRow++;
		if (!this.slowdown && this.inflight + 1 >= this.limit) this.slowDownIfDue(at);
		if (this.slowdown) {
			if (requestNumber < this.slowdown.firstRequest) return;
			if (delay !== undefined) this.noteDelay(route, delay);
			if (--this.slowdown.answers === 0) this.endSlowdown(at);
			return;
		}
		if (requestNumber < this.round.firstRequest) return;
		if (this.round.answers++ === 0) this.round.nextFirstRequest = this.nextNumber;
		if (delay !== undefined && requestNumber >= this.firstSinceResize) this.noteDelay(route, delay);
		// The answers before a pause in sending are a round too, if there are enough of them to judge by.
		const { limit, threshold } = this.state;
		const round = limit < threshold ? Math.max(minRound, this.limit) : this.limit;
		const enough = this.inflight > 0 ? round : this.limit / 2;
		if (this.round.answers >= enough) this.startRound(at, this.judgeRound(at));
	}

	private noteDelay(route: string, delay: ClockReading): void {
		const ofRoute = this.delaysByRoute.get(route);
		if (ofRoute) ofRoute.push(delay);
		else this.delaysByRoute.set(route, [delay]);
	}

	private slowDownIfDue(at: ClockReading): void {
		const { latestDelay, baseDelays } = this.state;
		if (latestDelay === 0) return;
		const delays = { base: baseDelays.longest, latest: latestDelay };
		const slowdown = this.slowdowns.begin(at.now, this.state, delays);
		if (!slowdown) return;
		this.slowdown = { ...slowdown, firstRequest: this.nextNumber };
		this.delaysByRoute.clear();
	}

	private endSlowdown(at: ClockReading): void {
		this.slowdowns.end(this.state.baseDelays.learn(this.delaysByRoute, at.now));
		this.startRound(at);
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
		this.slowdown = undefined;
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
		const { limit, threshold, baseDelays } = state;
		const delays = [...this.delaysByRoute.values()].flat();
		state.latestDelay = delays.reduce((sum, delay) => sum + delay.now, 0) / delays.length;
		const isLightlyLoaded = state.isOpening && limit <= 2 * initialWindow;
		const ratio = baseDelays.observe(this.delaysByRoute, busyShare, isLightlyLoaded);
		state.isOpening &&= ratio <= maxRatioToOpen;
		const fitting = limit / ratio + spareRequests;
		if (!state.isOpening && fitting < limit) {
			const isFarTooLarge = ratio > maxRatioToStay;
			this.resize(isFarTooLarge ? fitting : (limit + fitting) / 2);
			return isFarTooLarge ? this.nextNumber : round.nextFirstRequest;
		}
		const open = limit + (state.isOpening ? round.answers : growth * limit);
		const grown = state.isOpening || ratio <= maxRatioToGrow ? Math.max(open, fitting) : fitting;
		const careful = limit < threshold ? Math.min(grown, threshold) : limit + 1;
		this.resize(Math.max(limit, Math.min(careful, maxFactorOfPeak * round.peak, maxWindow)));
		return round.nextFirstRequest;
	}

	private resize(limit: number): void {
		if (limit === this.state.limit) return;
		this.state.limit = limit;
		this.firstSinceResize = this.nextNumber;
	}
}
