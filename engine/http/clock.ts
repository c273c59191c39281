// Reads two clocks of this process: the time, and how long the event loop of Node.js was idle. In idle time this
// process waited for an answer; the rest of the time it was busy, with its own work or with other workflows.

/** A point in time on both clocks, or the time between two points, in milliseconds. */
export interface ClockReading {
	/** performance.now(), which is monotonic. */
	now: number;
	/** How long the event loop had been idle until then (`performance.eventLoopUtilization`). */
	idle: number;
}

/** The time between two readings, on both clocks. */
export const timeBetween = (from: ClockReading, to: ClockReading): ClockReading => ({
	now: to.now - from.now,
	idle: to.idle - from.idle,
});

export const readClock = (): ClockReading => ({
	now: performance.now(),
	idle: performance.eventLoopUtilization().idle,
});
