// The timing of Send Once, and the number of keys that it claims at once.

/** Milliseconds, where nothing else is said. One object, so that tests can shorten them. */
export const timing = {
	/** Between two polls of keys that another run has claimed. */
	pollInterval: 1000,

	/** After this much silence, the run that claimed a key no longer sends its item. */
	deadAfter: 20_000,

	/** Between two polls, no more than this counts as silence. */
	longestSilence: 2000,

	/** Between two heartbeats of a run. */
	heartbeatInterval: 5000,

	/** A run may send an item for this long after it claimed the key or sent a heartbeat; less than `deadAfter`. */
	leaseTime: 15_000,

	/**
	 * If a lock was never seen to be free for this long, its holder counts as dead. A living holder begins calls of the
	 * store for 15 seconds. Each is a read and a write, and these may take 25 seconds each.
	 */
	holderIsDeadAfter: 70_000,

	/**
	 * A process breaks the lock of a dead holder after up to this many more polls, at random: some 20 seconds. So one of
	 * several processes comes first, and the others see that the lock was broken. Polls are counted instead of time,
	 * because all processes of a suspended machine, the holder's among them, would come at once when it wakes.
	 */
	pollsBeforeBreaking: 3000,
};

/** @returns milliseconds */
export type Stopwatch = () => number;

/**
 * For what must end in time: performance.now() stands still while a machine sleeps, and the other clock may be set back.
 * So the one that has gone further counts.
 * @returns the time since now
 */
export function stopwatch(): Stopwatch {
	const [now, date] = [performance.now(), Date.now()];
	return () => Math.max(performance.now() - now, Date.now() - date);
}

// Each call of the store reads and writes all marks of the node. So the more keys are remembered, the more items share
// one call. But all items of a call are in doubt when the process dies: so no more share it than necessary.

/** One call claims this many more items than are in progress, so they can grow from none. */
const itemsBeyond = 10;

/** Most items of one call while few keys are remembered. */
const mostItems = 64;

/**
 * Remembered keys for each item of a call. A key is 27 bytes of the row, and each item takes part in two calls: at
 * this rate an item costs the database 5.4 kB of its log.
 */
const keysPerItem = 100;

/**
 * Items whose keys one call claims. The same call records the outcomes of those before them. So when the process dies,
 * at most this many items are in doubt next to those in progress: about as many again.
 * @param keys that are remembered
 * @param inFlight items that are being sent
 */
export const claimBatchSize = (keys: number, inFlight: number): number =>
	Math.max(Math.min(mostItems, inFlight + itemsBeyond), Math.ceil(keys / keysPerItem));
