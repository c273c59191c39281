// Limits the number of requests in progress by how long responses take. Pure: no clock, no network.
import type { Try } from './retryPolicy';

/*
 * The constants, and what gets worse with other values. The tests in test/unit/send/congestionWindow.test.cts notice a
 * change by half.
 *
 * | Constant              | If larger                                       | If smaller                                        | Noticed by               |
 * | --------------------- | ----------------------------------------------- | ------------------------------------------------- | ------------------------ |
 * | initialWindow         | more requests queue at a service for 20 at once | slower on a busy process or with slow responses   | capacity 20, busy itself |
 * | maxWindow             | more connections than n8n can serve             | slower if responses take long                     | it is not slow for long  |
 * | maxUntestedWrites     | more rows in doubt if the service dies          | the first seconds are slower                      | 48 writes at most        |
 * | maxQuiet              | hanging requests block others for longer        | more is sent to a service that is only slow       | the hanging tests        |
 * | maxFactorInFlight     | more requests queue at the service              | halved by chance although the service is not busy | capacity 20 and 100      |
 * | shareKept             | one slow round halves the window                | slowness is noticed late                          | capacity 20, slow round  |
 * | factorOfGrowth        | more requests queue at the service              | slower to reach the service's capacity            | capacity 100, not slow   |
 * | growthAtFirst.by      | –                                               | a few slow responses keep the window small        | five of a hundred        |
 * | growthAfterSlowness   | byMore: more requests queue at the service      | –                                                 | capacity 20              |
 * | growthAfterCongestion | the next overload comes sooner                  | the window stays small                            | halves at an overload    |
 * | enoughResponses       | slowness is noticed late                        | one response decides for its route                | capacity 20              |
 */

/** Requests that may be in progress at the start (RFC 6928 §2). Slow responses never shrink the window below this. */
const initialWindow = 10;

/** Maximum requests in progress, and the largest value of "Parallel Requests". */
export const maxWindow = 256;

/**
 * Each write in progress when the service dies is an item in doubt. So at most this many writes are in progress until
 * `successesToTrust` consecutive responses were successes.
 */
export const maxUntestedWrites = 48;
const successesToTrust = 3 * maxUntestedWrites;

/** If more than this multiple of the requests that the service works on are in progress, the others only wait there. */
const maxFactorInFlight = 1.5;

/** The estimate of what the service works on keeps at least this share each round: a round may be slow by chance. */
const shareKept = 1 / 1.2;

/** The window may grow to `initialWindow` plus this multiple of what the service works on. */
const factorOfGrowth = 2.7;

/**
 * The window's growth in each round: by how many requests, by how many more in each further round, and whether it leaps
 * to the estimate of what the service works on.
 */
const growthAtFirst = { by: 4, byMore: 0, leaps: true };
const growthAfterSlowness = { by: 4, byMore: 1, leaps: false };
/** RFC 5681 §3.1. */
const growthAfterCongestion = { by: 1, byMore: 0, leaps: false };

/** Responses needed to know a route's delay. */
const enoughResponses = 10;

/**
 * A request hangs once it has had no response for this many milliseconds and for this multiple of its route's usual
 * delay. A route's first write, which goes alone, hangs sooner.
 */
export const maxQuiet = 10_000;
const maxFactorQuiet = 3;
const maxQuietOfFirst = 2000;

/** The part of a try that the window reads. Refusals have no delay, since they may come sooner than successes. */
export type Observed = Pick<Try, 'serviceState' | 'delay'>;

/** A request in progress. */
export interface SentRequest {
	/** Requests are numbered in the order in which they begin. */
	readonly number: number;
	readonly route: string;
	readonly isWrite: boolean;
	/** Milliseconds by the caller's clock. */
	readonly begunAt: number;
	/** Number of requests in the window when this one began, itself included. */
	readonly windowAtStart: number;
	/** Milliseconds without a response after which it hangs. */
	readonly quietAfter: number;
	/** Whether it hangs: then it still counts against the caps, but not in the window. */
	hangs: boolean;
}

/** A route's response delays. All are natural logarithms of milliseconds, so a few long ones count little. */
class RouteDelays {
	/** The smallest usual delay since the window was last halved. */
	quickest = Infinity;

	/** The latest usual delay. */
	latest = -Infinity;

	/** Number and total delay of the responses since the usual delay was learned. */
	responses = 0;
	sum = 0;
}

/**
 * A congestion window, counted in requests. Each round has as many responses as the window is large, and shows how many
 * requests the service works on at once: those in progress, divided by the slowdown compared with the quickest
 * responses (Little's law). At first the window leaps to what that allows. If much more is in progress than the service
 * works on, it halves, which drains the service's queue, and the delays are learned afresh; from then on it grows by a
 * few requests a round. An overload halves it once for all requests in progress (RFC 5681). A process that is busy
 * itself needs no other rule: its requests and their delays grow together.
 */
export class CongestionWindow {
	private size = { limit: initialWindow, ...growthAtFirst };

	private readonly delays = new Map<string, RouteDelays>();

	/** Estimate of how many requests the service works on at once. */
	private workedOn = 0;

	readonly inFlight = new Set<SentRequest>();

	/** How many of them count in the window, because they do not hang. */
	private inWindow = 0;

	/** How many of them are writes. */
	private writes = 0;

	/** Consecutive successes of requests that began after the last overload, since a request was last found to hang. */
	private successesInRow = 0;

	private nextNumber = 0;

	/** Requests with a lower number were in progress at the last overload and show nothing new about it. */
	private firstAfterCongestion = 0;

	/** The responses to requests from `first` on; `inFlight` is the sum of their `windowAtStart`. */
	private round = { first: 0, next: 0, responses: 0, inFlight: 0 };

	/** The maximum number of requests in progress. */
	get limit(): number {
		return Math.floor(this.size.limit);
	}

	/**
	 * Whether another request may begin.
	 * @param isFirst whether its run has none in progress; if so, the window may be exceeded a little
	 */
	admits(isWrite: boolean, isFirst = false): boolean {
		const maxWrites = this.successesInRow < successesToTrust ? maxUntestedWrites : maxWindow;
		if (this.inFlight.size >= maxWindow || (isWrite && this.writes >= maxWrites)) return false;
		return this.inWindow < this.limit + (isFirst ? initialWindow : 0);
	}

	/**
	 * Whether a request in progress will show if the service works on this route. Another one that could end in doubt
	 * waits for it, unless it hangs.
	 * @param halfOpenSince since when it is not known that the service works
	 */
	isTrying(route: string, isWrite: boolean, halfOpenSince?: number): boolean {
		// A route is unknown until a response came, or a request hung.
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

	/** Gives a hanging request's place to others. */
	markHanging(request: SentRequest): void {
		if (!request.hangs) this.inWindow--;
		request.hangs = true;
		this.successesInRow = 0;
		this.delaysOf(request.route);
	}

	/** Only a try that shows the service working or congested tells how many requests it can take. */
	end(request: SentRequest, { serviceState, delay }: Observed): void {
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
		// The responses before a pause in sending form a round, too, if there are enough to judge by.
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

	/** @returns the slowdown: how many times as long as their routes' quickest ones the responses of the round took */
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
