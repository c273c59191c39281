// How many requests may be under way at once, found out from what the answers show. Pure: no clock, no network.
import type { ClockReading } from '../http/clock';
import type { Multipart } from '../request/multipart';
import { UsualDelays } from './usualDelays';

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

/** A round whose answers took more than so many times as long as the quickest usual delay was slow. */
const slowRatio = 1.5;

/** By how many requests the window grows in a round: after slow answers, and after an overload (RFC 5681). */
const [growthAfterSlowness, growthAfterOverload] = [4, 1];

/** After slow answers, a large window grows by this share of itself: so a false alarm does not cost much. */
const shareOfGrowth = 1 / 24;

/**
 * The window is at most this many times as large as the most requests that were under way in the round: a window
 * that was not filled has not been tested.
 */
const maxFactorOfPeak = 3;

/** What the end of a request shows of the service. Without either value it shows nothing. */
export interface Observation {
	/** Whether the service is overloaded; undefined when the request does not show it. */
	isOverload?: boolean;
	/** How long the answer took, if that can be compared: a refusal may come sooner than a success. */
	delay?: ClockReading;
}

/** A request that is under way. */
export interface SentRequest {
	/** Requests are numbered in the order in which they begin. */
	readonly number: number;
	readonly route: string;
	readonly begunAt: ClockReading;
	/** The file that is sent, if it is an upload. */
	readonly file?: Pick<Multipart, 'lastReadAt'>;
	/** Milliseconds after which it is overdue, by what was known when it began. */
	readonly overdueAfter: number;
	isOverdue: boolean;
}

interface Size {
	limit: number;
	/** By how many requests the window grows in a round; it doubles while nothing was slow. */
	growth: number;
}

/**
 * A congestion window, counted in requests. It doubles with each round of answers, as many as it is large, until one
 * is slow. A slow round halves it, which drains what waits at the service, and lets it grow by a few requests a round
 * from then on. An overload halves it once for all requests that were under way (RFC 5681).
 */
export class CongestionWindow {
	private size: Size = { limit: initialWindow, growth: Infinity };

	private readonly delays = new UsualDelays();

	/** The requests that are under way. */
	readonly underWay = new Set<SentRequest>();

	/** How many these are, those that are overdue aside. */
	private inflight = 0;

	/** The size before it was last halved for what was overdue, unless it was halved for an overload since. */
	private beforeOverdue?: Size;

	/** Successes since the last overload, of requests that began after it. */
	private successesInRow = 0;

	private nextNumber = 0;

	/** Requests that began earlier were under way at the last overload, and show nothing new about it. */
	private firstAfterOverload = 0;

	/** The round of the answers to the requests from `first` on; `next` is the first request of the round after it. */
	private round = { first: 0, next: 0, answers: 0, peak: 0 };

	/** How many requests may be under way. */
	get limit(): number {
		return Math.floor(this.size.limit);
	}

	/** Whether so few requests more than the window are under way that a run without its share may have another. */
	get hasReserve(): boolean {
		return this.inflight < this.limit + initialWindow;
	}

	/** Whether another request may begin. */
	admits(isWrite: boolean): boolean {
		const isUntested = isWrite && this.successesInRow < successesToTrust;
		return this.inflight < (isUntested ? Math.min(this.limit, maxUntestedWrites) : this.limit);
	}

	begin(route: string, begunAt: ClockReading, file?: SentRequest['file']): SentRequest {
		this.inflight++;
		this.round.peak = Math.max(this.round.peak, this.inflight);
		const overdueAfter = this.delays.overdueAfter(route);
		const number = this.nextNumber++;
		const request = { number, route, begunAt, file, overdueAfter, isOverdue: false };
		this.underWay.add(request);
		return request;
	}

	/**
	 * Looks which requests are overdue: they then count no more among those under way, and halve the window, as a lost
	 * packet does. Only the time counts in which this process had nothing to do: else an answer may be there, and not be
	 * read yet.
	 */
	noteOverdue(at: ClockReading): void {
		for (const request of this.underWay) {
			const { number, begunAt, file, overdueAfter, isOverdue } = request;
			const since = Math.max(begunAt.idle, file?.lastReadAt?.idle ?? 0);
			if (isOverdue || at.idle - since < overdueAfter) continue;
			request.isOverdue = true;
			this.inflight--;
			if (number >= this.firstAfterOverload) this.beforeOverdue = { ...this.size };
			this.shrink(request);
		}
	}

	end(request: SentRequest, { isOverload, delay }: Observation): void {
		this.underWay.delete(request);
		if (!request.isOverdue) this.inflight--;
		else if (isOverload === false) this.restoreSize();
		if (isOverload === undefined) return;
		const isKnown = request.number < this.firstAfterOverload;
		if (isOverload) {
			if (!isKnown) this.beforeOverdue = undefined;
			return this.shrink(request);
		}
		if (!isKnown) this.successesInRow++;
		const { round } = this;
		if (!delay || request.number < round.first) return;
		this.delays.note(request.route, delay);
		if (round.answers++ === 0) round.next = this.nextNumber;
		// The answers before a pause in sending are a round too, if there are enough of them to judge by.
		if (round.answers >= (this.inflight > 0 ? this.limit : this.limit / 2)) this.judgeRound();
	}

	/** What was overdue has succeeded: it was only slow, and the window gets its size back (RFC 4015). */
	private restoreSize(): void {
		if (!this.beforeOverdue) return;
		const limit = Math.max(this.size.limit, this.beforeOverdue.limit);
		this.size = { ...this.beforeOverdue, limit };
		this.beforeOverdue = undefined;
	}

	/** Halves the window after an overload, unless it was halved after this request began. */
	private shrink({ number }: SentRequest): void {
		this.successesInRow = 0;
		if (number < this.firstAfterOverload) return;
		this.size = { limit: Math.max(1, this.size.limit / 2), growth: growthAfterOverload };
		this.firstAfterOverload = this.nextNumber;
		this.startRound(this.nextNumber);
	}

	private judgeRound(): void {
		const { answers, peak, next } = this.round;
		const { limit, growth } = this.size;
		const isSlow = this.delays.ratioOfRound() > slowRatio;
		if (isSlow) {
			this.delays.raiseQuickest();
			const halved = Math.max(limit / 2, Math.min(limit, initialWindow));
			this.size = { limit: halved, growth: Math.min(growth, growthAfterSlowness) };
		} else {
			const step = growth < growthAfterSlowness ? growth : Math.max(growth, limit * shareOfGrowth);
			const grown = Math.min(limit + Math.min(step, answers), maxFactorOfPeak * peak, maxWindow);
			this.size.limit = Math.max(limit, grown);
		}
		// After a slow round the next one begins with the requests that have the new size.
		this.startRound(isSlow ? this.nextNumber : next);
	}

	private startRound(first: number): void {
		this.round = { first, next: first, answers: 0, peak: this.inflight };
		this.delays.startRound();
	}
}
