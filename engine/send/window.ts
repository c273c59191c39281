// How many requests may be under way at once: found by what the answers show. Pure: no clock, no network.
import { between, type Moment } from '../http/clock';
import { Unloaded } from './unloaded';

/** Requests under way at the start (RFC 6928 §2). The delay of answers never makes it smaller. */
const initial = 10;

/** Most requests under way, and the largest "Parallel Requests". */
export const widest = 256;

/**
 * A write that is under way when the service dies is an item in doubt: so many at most, until so many answers
 * in a row were good.
 */
export const writesOnTrial = 64;
const trial = 3 * writesOnTrial;

/** How many times as long as from the unloaded service answers may take while it keeps up, and before it is slow. */
const [keepsUp, isSlow] = [1.2, 1.5];

/**
 * Milliseconds after which a smallest window with answers that still take longer takes their delay for the
 * unloaded service's own. Not sooner: where several share a service, each would take the others for it.
 */
const slowForGood = 60_000;

/** Requests that may wait at a slow service, so that it is never without work. */
const queue = 4;

/** Growth for each answer: as long as no answers were slow (RFC 5681 §3.1), and later (RFC 9406 §4.2). */
const [bold, careful] = [1, 1 / 4];

/** What was not used is no proof that more would do: the window is at most so many times as large. */
const mostUnused = 3;

/** When this process was busy for more of a round, more requests at once gain nothing, and delays say nothing. */
const ownLimit = 0.85;

/** Milliseconds without requests after which what was learned is forgotten: the trial of writes, and all else. */
const trialKept = 60_000;
export const allKept = 3_600_000;

/** A request under way: its number. */
export type Ticket = number;

/** What an answer shows of the service; without both, nothing. */
export interface Seen {
	/** Whether the service is overwhelmed; undefined when the request shows nothing of it. */
	isSetback?: boolean;
	/** How long it was waited for, if that can be compared with others of its kind. */
	delay?: Moment;
}

/** What is learned. */
class State {
	limit = initial;

	/** Beyond it the window grows by one a round: it was too large for the service once (RFC 5681). */
	threshold = Infinity;

	growth = bold;

	/** Good answers to requests begun since the last setback. */
	goodInRow = 0;

	unloaded = new Unloaded();

	/** Since when the window is at its smallest, and answers take longer nevertheless. */
	slowSince = Infinity;
}

/**
 * A congestion window, counted in requests. It doubles with each round of answers that come as quickly as from
 * the unloaded service, stays when they take longer, and shrinks in proportion when they are slow, as Netflix's
 * concurrency-limits (Gradient2) does. A setback halves it, once for all requests that were under way (RFC 5681).
 */
export class CongestionWindow {
	private state = new State();

	private underWay = 0;

	private next: Ticket = 0;

	/** Requests begun before the last setback say nothing new about it. */
	private sinceSetback: Ticket = 0;

	/** Requests begun since the window has its size: their delays are its doing. */
	private sized: Ticket = 0;

	private lastUsed = -Infinity;

	/** The round: the answers to the requests from `first` on. `follows` is where the next round may begin. */
	private round = { first: 0, follows: 0, began: { now: 0, idle: 0 }, answers: 0, peak: 0 };

	/** Delays of the round's answers, by kind. */
	private readonly delays = new Map<string, Moment[]>();

	/** Requests that may be under way. */
	get limit(): number {
		return Math.floor(this.state.limit);
	}

	/** Whether another request may begin. */
	admits(isWrite: boolean): boolean {
		const isOnTrial = isWrite && this.state.goodInRow < trial;
		return this.underWay < (isOnTrial ? Math.min(this.limit, writesOnTrial) : this.limit);
	}

	begin(at: Moment): Ticket {
		if (this.underWay === 0) {
			const unused = at.now - this.lastUsed;
			if (unused > allKept) this.state = new State();
			if (unused > trialKept) {
				this.state.goodInRow = 0;
				this.nextRound(at);
			}
		}
		this.underWay++;
		this.round.peak = Math.max(this.round.peak, this.underWay);
		return this.next++;
	}

	/** @param kind of request, such as its route: delays are compared within it */
	end(ticket: Ticket, kind: string, { isSetback, delay }: Seen, at: Moment): void {
		this.underWay--;
		this.lastUsed = at.now;
		if (isSetback === undefined) return;
		if (isSetback) return this.setBack(ticket, at);
		if (ticket >= this.sinceSetback) this.state.goodInRow++;
		if (ticket < this.round.first) return;
		if (this.round.answers++ === 0) this.round.follows = this.next;
		if (delay !== undefined && ticket >= this.sized) {
			const ofKind = this.delays.get(kind);
			if (ofKind) ofKind.push(delay);
			else this.delays.set(kind, [delay]);
		}
		// What came before a pause is a round too, if it is enough to judge by.
		const enough = this.underWay > 0 ? this.limit : this.limit / 2;
		if (this.round.answers >= enough) this.nextRound(at, this.judge(at));
	}

	private setBack(ticket: Ticket, at: Moment): void {
		const { state } = this;
		state.goodInRow = 0;
		if (ticket < this.sinceSetback) return;
		state.threshold = Math.max(1, state.limit / 2);
		this.resize(state.threshold);
		this.sinceSetback = this.next;
		this.nextRound(at);
	}

	private nextRound(at: Moment, first = this.next): void {
		this.round = { first, follows: first, began: at, answers: 0, peak: this.underWay };
		this.delays.clear();
	}

	/**
	 * What a round's answers say of the window's size.
	 * @returns where the next round begins: with the requests that replaced those of this round
	 */
	private judge(at: Moment): Ticket {
		const { state, round } = this;
		const { now, idle } = between(round.began, at);
		const busy = 1 - idle / now;
		if (busy > ownLimit || this.delays.size === 0) return round.follows;
		const { limit, growth, threshold, unloaded } = state;
		const load = unloaded.load(this.delays, busy, limit <= 2 * initial);
		if (limit > initial || load.likely <= keepsUp) state.slowSince = at.now;
		else if (at.now - state.slowSince > slowForGood) state.unloaded = new Unloaded();
		if (load.surely > isSlow) {
			state.growth = careful;
			this.resize(Math.min(limit, Math.max(initial, limit / load.surely + queue)));
			return this.next;
		}
		if (load.likely <= keepsUp) {
			const { answers, peak } = round;
			const larger = limit < threshold ? Math.min(limit + answers * growth, threshold) : limit + 1;
			this.resize(Math.max(limit, Math.min(larger, mostUnused * peak, widest)));
		}
		return round.follows;
	}

	private resize(limit: number): void {
		if (limit === this.state.limit) return;
		this.state.limit = limit;
		this.sized = this.next;
	}
}
