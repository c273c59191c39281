// When a process slows down for a moment, to measure how quickly the service answers while little is asked of it.
// Pure: no clock, no network.
//
// A process that begins while others send takes the delay under their load for the base delay, asks for more than
// its share, and the others make room for it. LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus §4.4) knows this as the
// latecomer's advantage, and slows down regularly. What a process measures then is only right if the others are slow
// at that moment too. So the moments are those of the wall clock, which is the same for all: the multiples of a
// period, and all periods are a power of two, in seconds.

/** The part of the window that stays open meanwhile. */
const openShare = 1 / 4;

/** Answers that are awaited then, so that one of them alone does not decide. */
const minAnswers = 4;

/** The shortest period is at least so many milliseconds, and so many base delays: a slowdown costs about one. */
const [minPeriod, minPeriodInDelays] = [4000, 25];

/** The period doubles with each slowdown that shows nothing new, so many times at most. */
const maxDoublings = 3;

/** A window that has become so many times as large or as small shows that something is new. */
const newSize = 2;

/** A slowdown ends after so many of the latest delays: a few requests that hang do not hold up all others. */
const maxDurationInDelays = 4;

/** A slowdown that is under way. */
export interface Slowdown {
	/** How many requests may be under way. */
	limit: number;
	/** Answers to await of the requests that begin in it. */
	answers: number;
	/** By the clock of the window, in milliseconds. */
	endsBy: number;
}

export class Slowdowns {
	private doublings = 0;

	/** The window's size at the last slowdown. */
	private lastLimit = 0;

	/** The moment of the last slowdown, by the wall clock. */
	private lastMoment = 0;

	/** When it was last asked whether to begin, by the clock of the window. */
	private lastAskedAt = -Infinity;

	/** @param timeOrigin the wall-clock time, in milliseconds, at which the clock of the window was 0 */
	constructor(private readonly timeOrigin: number) {}

	/**
	 * To be called while the window is full. After a pause the next moment counts, not one that has passed meanwhile.
	 * @param now milliseconds by the clock of the window
	 * @param window its size, and whether no answer was slow so far: then there is little to find out
	 * @param delays milliseconds that answers take, while little is asked of the service and latest
	 * @returns what to slow down to; undefined when it is not time for it
	 */
	begin(
		now: number,
		{ limit, isOpening }: { limit: number; isOpening: boolean },
		delays: { base: number; latest: number },
	): Slowdown | undefined {
		const change = limit / (this.lastLimit || limit);
		if (change >= newSize || change <= 1 / newSize) this.doublings = 0;
		const shortest = Math.max(minPeriod, minPeriodInDelays * delays.base) / 1000;
		const doublings = isOpening ? maxDoublings : this.doublings;
		const period = 1000 * 2 ** (Math.ceil(Math.log2(shortest)) + doublings);
		const moment = Math.floor((this.timeOrigin + now) / period) * period;
		const wasPause = now - this.lastAskedAt > minPeriod;
		this.lastAskedAt = now;
		if (wasPause) this.lastMoment = moment;
		if (moment <= this.lastMoment) return undefined;
		this.lastMoment = moment;
		this.lastLimit = limit;
		const open = Math.max(1, Math.floor(limit * openShare));
		return {
			limit: open,
			answers: Math.max(minAnswers, open),
			endsBy: now + maxDurationInDelays * delays.latest,
		};
	}

	/** @param isNews whether the slowdown showed that the service answers otherwise than was known */
	end(isNews: boolean): void {
		this.doublings = isNews ? 0 : Math.min(this.doublings + 1, maxDoublings);
	}
}
