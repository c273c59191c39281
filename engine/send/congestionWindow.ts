// How many requests may be in progress at once, found out from how long the responses take. Pure: no clock, no network.
import type { Try } from './retryPolicy';

/*
 * The constants, and what gets worse with other ones. The tests that notice a change by half are in
 * test/unit/send/congestionWindow.test.cts; `SHOW=1 npx jest test/unit/send/congestionWindow` prints what comes of them.
 *
 * | Constant            | If larger                                  | If smaller                                   | Noticed by              |
 * | ------------------- | ------------------------------------------ | -------------------------------------------- | ----------------------- |
 * | initialWindow       | more waits at a service for 20 at once     | a busy process or slow responses slow it down | capacity 20, busy itself |
 * | maxWindow           | more connections than n8n can serve        | slower where responses take long             | it is not slow for long |
 * | maxUntestedWrites   | more rows in doubt when the service dies   | the first seconds are slower                 | 48 writes at most       |
 * | maxQuiet            | what hangs keeps others waiting for longer | more is sent to a service that is only slow  | the hanging tests       |
 * | maxFactorInFlight   | more waits at the service                  | halved by chance: the service is not busy    | capacity 20 and 100     |
 * | shareKept           | one slow round halves it                   | slowness is noticed late                     | capacity 20, slow round |
 * | factorOfGrowth      | more waits at the service                  | slower to reach what it can do               | capacity 100, not slow  |
 * | growthAtFirst.by    | –                                          | some slow responses keep it small            | five of a hundred       |
 * | growthAfterSlowness | byMore: more waits at the service          | –                                            | capacity 20             |
 * | growthAfterCongestion | the next overload comes sooner             | it stays small                               | halves at an overload   |
 * | enoughResponses     | slowness is noticed late                   | one response decides for its route           | capacity 20             |
 */

/** Requests that may be in progress at the start (RFC 6928 §2). Slow responses never make the window smaller. */
const initialWindow = 10;

/** Most requests that may be in progress, and the largest value of "Parallel Requests". */
const maxWindow = 256;

/**
 * Each write that is in progress when the service dies is an item in doubt. So this many writes at most are in
 * progress until `successesToTrust` responses in a row were successes.
 */
const maxUntestedWrites = 48;
const successesToTrust = 3 * maxUntestedWrites;

/** More than so many times as many requests as the service works on at once only wait there. */
const maxFactorInFlight = 1.5;

/** What the service works on counts no less than this share of what it was before: a round may be slow by chance. */
const shareKept = 1 / 1.2;

/** The window may grow to `initialWindow` more than so many times what the service works on. */
const factorOfGrowth = 2.7;

/**
 * How the window grows with each round: by how many requests, by how many more in each further round, and whether it
 * leaps to what the service was seen to work on.
 */
const growthAtFirst = { by: 4, byMore: 0, leaps: true };
const growthAfterSlowness = { by: 4, byMore: 1, leaps: false };
/** RFC 5681 §3.1. */
const growthAfterCongestion = { by: 1, byMore: 0, leaps: false };

/** Responses after which the delay of a route is known. */
const enoughResponses = 10;

/**
 * A request hangs when it has had no response for so many milliseconds, and for so many times as long as the responses
 * of its route take. The first write of a route, which goes alone, hangs sooner.
 */
const maxQuiet = 10_000;
const maxFactorQuiet = 3;
const maxQuietOfFirst = 2000;

/** What the window reads of a try: the delay of a refusal, which may come sooner than a success, is unknown. */
export type Shown = Pick<Try, 'serviceState' | 'delay'>;

/** A request in flight: it has begun, and not ended. */
export interface SentRequest {
	/** Requests are numbered in the order in which they begin. */
	readonly number: number;
	readonly route: string;
	readonly isWrite: boolean;
	/** Milliseconds by the caller's clock. */
	readonly begunAt: number;
	/** How many requests had a place in the window when it began, this one included. */
	readonly windowAtStart: number;
	/** Milliseconds without a response after which it hangs. */
	readonly quietAfter: number;
	/** Whether it hangs: then it has its place in the caps still, but none in the window. */
	hangs: boolean;
}

/**
 * How long the responses of a route take. All delays are natural logarithms of milliseconds: a few long ones count
 * little.
 */
class RouteDelays {
	/** The least usual delay since the window was halved last. */
	quickest = Infinity;

	/** The usual delay, as it was learned last. */
	latest = -Infinity;

	/** Of the responses since the usual delay was learned: how many, and their delays added up. */
	responses = 0;
	sum = 0;
}

/**
 * A congestion window, counted in requests. Each round of responses, as many as it is large, shows how many requests
 * the service works on at once: as many as were in progress, divided by how many times as long as the quickest they
 * took (Little's law). At first the window leaps to what that allows. Where much more is in progress than the service
 * works on, it halves, which drains what waits there, and the delays are learned anew; from then on it grows by a few
 * requests a round. An overload halves it once for all that were in progress (RFC 5681). A process that is busy itself
 * needs no other rule: its requests and their delays grow together.
 */
export class CongestionWindow {
	private size = { limit: initialWindow, ...growthAtFirst };

	private readonly delays = new Map<string, RouteDelays>();

	/** How many requests the service works on at once. */
	private workedOn = 0;

	readonly inFlight = new Set<SentRequest>();

	/** How many of them have a place in the window: they do not hang. */
	private inWindow = 0;

	/** How many of them are writes. */
	private writes = 0;

	/** Successes since the last overload, of requests that began after it, and since a request was found to hang. */
	private successesInRow = 0;

	private nextNumber = 0;

	/** Requests that began earlier were in progress at the last overload, and show nothing new about it. */
	private firstAfterCongestion = 0;

	/**
	 * The responses to the requests from `first` on, and how many were in progress when each of these began, added up.
	 */
	private round = { first: 0, next: 0, responses: 0, inFlight: 0 };

	/** How many requests may be in progress. */
	get limit(): number {
		return Math.floor(this.size.limit);
	}

	/**
	 * Whether another request may begin.
	 * @param isFirst whether its run has none in progress: then the window may be exceeded a little
	 */
	admits(isWrite: boolean, isFirst = false): boolean {
		const isUntested = isWrite && this.successesInRow < successesToTrust;
		if (this.inFlight.size >= maxWindow || (isUntested && this.writes >= maxUntestedWrites))
			return false;
		return this.inWindow < this.limit + (isFirst ? initialWindow : 0);
	}

	/**
	 * Whether a request of the route is in progress that will show whether the service works: another one that could be
	 * in doubt waits for it, unless it hangs.
	 * @param failedAt since when it is not known that the service works
	 */
	isTrying(route: string, isWrite: boolean, halfOpenSince?: number): boolean {
		// Nothing is known of a route until a response came, or none for long.
		const isNew = isWrite && !this.delays.has(route);
		const since = halfOpenSince ?? (isNew ? -Infinity : Infinity);
		const shows = (request: SentRequest) =>
			!request.hangs && request.route === route && request.begunAt >= since;
		return since < Infinity && [...this.inFlight].some(shows);
	}

	private delaysOf(route: string): RouteDelays {
		const known = this.delays.get(route) ?? new RouteDelays();
		this.delays.set(route, known);
		return known;
	}

	/** @param begunAt milliseconds by a clock that never goes back */
	begin(route: string, isWrite: boolean, begunAt: number): SentRequest {
		const [number, windowAtStart] = [this.nextNumber++, ++this.inWindow];
		const quietAfter = this.quietAfter(route, isWrite);
		const request = { number, route, isWrite, begunAt, windowAtStart, quietAfter, hangs: false };
		this.inFlight.add(request);
		if (isWrite) this.writes++;
		return request;
	}

	private quietAfter(route: string, isWrite: boolean): number {
		const delays = this.delays.get(route);
		if (isWrite && !delays) return maxQuietOfFirst;
		return Math.max(maxQuiet, maxFactorQuiet * Math.exp(delays?.latest ?? 0));
	}

	/** Gives the place of a request that hangs to others. */
	markHanging(request: SentRequest): void {
		if (!request.hangs) this.inWindow--;
		request.hangs = true;
		this.successesInRow = 0;
		this.delaysOf(request.route);
	}

	/** Only a service that works, or is congested, shows how many requests it can take. */
	end(request: SentRequest, { serviceState, delay }: Shown): void {
		const { round } = this;
		this.inFlight.delete(request);
		if (!request.hangs) this.inWindow--;
		if (request.isWrite) this.writes--;
		if (serviceState === undefined) return;
		if (serviceState === 'congested') return this.recordCongestion(request);
		const delays = this.delaysOf(request.route);
		if (serviceState === 'fails') return;
		if (request.number >= this.firstAfterCongestion) this.successesInRow++;
		if (delay === undefined || request.number < round.first) return;
		delays.responses++;
		delays.sum += Math.log(Math.max(1, delay));
		if (round.responses++ === 0) round.next = this.nextNumber;
		round.inFlight += request.windowAtStart;
		// The responses before a pause in sending are a round too, if there are enough of them to judge by.
		if (round.responses >= (this.inWindow > 0 ? this.limit : this.limit / 2)) this.judgeRound();
	}

	/** Halves the window, unless it was halved for an overload after this request began. */
	private recordCongestion({ number }: SentRequest): void {
		this.successesInRow = 0;
		if (number < this.firstAfterCongestion) return;
		this.firstAfterCongestion = this.nextNumber;
		this.halve(1, growthAfterCongestion);
	}

	private halve(least: number, growth: typeof growthAtFirst): void {
		const { limit } = this.size;
		this.size = { limit: Math.max(limit / 2, Math.min(limit, least)), ...growth };
		for (const delays of this.delays.values()) delays.quickest = Infinity;
		this.startRound(this.nextNumber);
	}

	private judgeRound(): void {
		const timesAsLong = this.learnDelays();
		const inFlight = this.round.inFlight / this.round.responses;
		this.workedOn = Math.max(inFlight / timesAsLong, this.workedOn * shareKept);
		if (inFlight > maxFactorInFlight * this.workedOn)
			return this.halve(initialWindow, growthAfterSlowness);
		const { limit, by, byMore, leaps } = this.size;
		const tested = factorOfGrowth * this.workedOn;
		const leap = leaps ? initialWindow + tested / timesAsLong : 0;
		const grown = Math.min(Math.max(limit + by, leap), initialWindow + tested, maxWindow);
		this.size = { limit: Math.max(limit, grown), by: by + byMore, byMore, leaps };
		this.startRound(this.round.next);
	}

	/** @returns how many times as long as the quickest ones of their routes the responses of the round took */
	private learnDelays(): number {
		let [responses, excess] = [0, 0];
		for (const delays of this.delays.values()) {
			if (delays.responses < enoughResponses) continue;
			delays.latest = delays.sum / delays.responses;
			delays.quickest = Math.min(delays.quickest, delays.latest);
			responses += delays.responses;
			excess += delays.sum - delays.responses * delays.quickest;
			[delays.responses, delays.sum] = [0, 0];
		}
		return Math.exp(excess / Math.max(1, responses));
	}

	private startRound(first: number): void {
		this.round = { first, next: first, responses: 0, inFlight: 0 };
	}
}
