// The timing of Send Once, the number of keys that it remembers, and how many it claims at once.

/** How many keys are remembered at most, by 'Remember'. One object, so that tests can lower them. */
export const limits = { all: 100_000, latest: 10_000 };

/** In milliseconds. One object, so that tests can shorten them. */
export const timing = {
	/** Interval between two polls of keys that another run has claimed. */
	pollInterval: 1000,

	/** After this silence, the run that claimed a key no longer sends its item. */
	deadAfter: 20_000,

	/** Maximum silence that counts between two polls. */
	longestSilence: 2000,

	/** Interval between two heartbeats of a run. */
	heartbeatInterval: 5000,

	/** How long a run may send an item after it claimed the key or sent a heartbeat; less than `deadAfter`. */
	leaseTime: 15_000,

	/**
	 * If a lock was not seen free for this long, its holder counts as dead. A living holder begins calls of the store for
	 * 15 seconds. Each is a read and a write of at most 25 seconds each.
	 */
	holderIsDeadAfter: 70_000,

	/**
	 * A process breaks a dead holder's lock after up to this many more polls, at random: about 20 seconds. So one of several
	 * processes comes first, and the others see that the lock was broken. Polls are counted instead of time, because all
	 * processes of a suspended machine, including the holder's, would come at once when it wakes.
	 */
	pollsBeforeBreaking: 3000,

	/** How long a broken lock stays free: longer than its breakers' calls. */
	settleTime: 1000,
};

/** @returns milliseconds */
export type Stopwatch = () => number;

/**
 * For deadlines: performance.now() stops while a machine sleeps, and the system clock may be set back. So the one that
 * has advanced further counts.
 * @returns gives the time since this call
 */
export function stopwatch(): Stopwatch {
	const [now, date] = [performance.now(), Date.now()];
	return () => Math.max(performance.now() - now, Date.now() - date);
}

// Each call of the store reads and writes all marks of the node, so the more keys are remembered, the more items share
// a call. But if the process dies, all items of a call are in doubt, so no more share it than necessary.

/** A call claims this many more items than are in progress, so that their number can grow from 0. */
const itemsBeyond = 10;

/** Maximum items of a call while few keys are remembered. */
const mostItems = 64;

/**
 * Remembered keys per item of a call. A key and its fingerprint take 54 bytes of the row, and each item takes part in two
 * calls: at this rate, an item costs 10.8 kB of the database's log.
 */
const keysPerItem = 100;

/**
 * The number of items whose keys one call claims. The same call records the outcomes of the items before them. So if the
 * process dies, at most this many items are in doubt next to those in progress: about as many again.
 * @param keys the number of remembered keys
 * @param inFlight the number of items that are being sent
 */
export const claimBatchSize = (keys: number, inFlight: number): number =>
	Math.max(Math.min(mostItems, inFlight + itemsBeyond), Math.ceil(keys / keysPerItem));
