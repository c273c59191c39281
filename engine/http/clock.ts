// Two clocks of this process. Node.js counts for how long its event loop had nothing to do: time in which an
// answer was awaited, and not this process kept busy, by itself or by other workflows.

/** A point in time, in milliseconds. */
export interface Moment {
	/** By performance.now(): a monotonic clock. */
	now: number;
	/** Time the event loop had spent waiting until then (`performance.eventLoopUtilization`). */
	idle: number;
}

/** Time between two moments, by both clocks. */
export const between = (from: Moment, to: Moment): Moment => ({
	now: to.now - from.now,
	idle: to.idle - from.idle,
});

export const moment = (): Moment => ({
	now: performance.now(),
	idle: performance.eventLoopUtilization().idle,
});
