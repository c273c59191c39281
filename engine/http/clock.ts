// Two clocks of this process. Node.js counts for how long its event loop had nothing to do: time in which an
// answer was awaited, and not this process kept busy, by itself or by other workflows.

/** A point in time, in milliseconds. */
export interface ClockReading {
	/** By performance.now(): a monotonic clock. */
	now: number;
	/** Time the event loop had spent waiting until then (`performance.eventLoopUtilization`). */
	idle: number;
}

/** Time between two moments, by both clocks. */
export const timeBetween = (from: ClockReading, to: ClockReading): ClockReading => ({
	now: to.now - from.now,
	idle: to.idle - from.idle,
});

export const readClock = (): ClockReading => ({
	now: performance.now(),
	idle: performance.eventLoopUtilization().idle,
});
