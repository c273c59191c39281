// How much Send Once notes at once, and how long it waits.

/** Milliseconds. One object, so that tests, which provoke what has to be waited for, can shorten them. */
export const waitingTimes = {
	/** Between two looks at the keys that another run is sending, at least. */
	lookInterval: 250,

	/** Without a sign of life of the run that has noted a key, after which it does not send the item any more. */
	deadAfter: 20_000,

	/** How many looks have shown no sign in that time, at least. */
	looksBeforeGivingUp: 10,

	/** Between two signs of life that a run gives. */
	signInterval: 5000,

	/** For which a run may send an item after it has noted the key, or has given a sign; less than `deadAfter`. */
	heldFor: 15_000,

	/** Before each further try of a call that has failed: a database that is restarted takes seconds. */
	retryDelays: [100, 300, 900, 2700],

	/**
	 * For which a lock was never seen to be free, after which its holder counts as dead. A living holder keeps it for
	 * its calls of the store, which take 15 seconds together at most, and gives it back.
	 */
	holderIsDeadAfter: 40_000,

	/**
	 * Up to so many looks more, at random, before a process breaks the lock of a dead holder: some 20 seconds. So of
	 * several processes one comes first, and the others see that the lock was broken. Looks are counted, and not time,
	 * since all processes of a machine that was suspended would come at once when it wakes, the holder's among them.
	 */
	looksBeforeBreaking: 3000,
};

// Each call of the store reads and writes all marks of the node. So the more keys are remembered, the more items share
// one call. But all items of a call are in doubt when the process dies: so no more share it than that needs.

/** So many more items than are under way are noted with one call: so their number can grow from none. */
const itemsBeyond = 10;

/** Most items that are noted with one call while few keys are remembered. */
const mostItems = 64;

/**
 * Remembered keys for each item of a call. A key is 27 bytes of the row, and each item takes part in two calls: at
 * this rate an item costs the database 5.4 kB of its log.
 */
const keysPerItem = 100;

/**
 * Items that are noted with one call before they are sent. The same call notes the answers to those before them. So
 * when the process dies, this many items at most are in doubt beside those that were under way: about as many again.
 * @param keys that are remembered
 * @param underWay items that are being sent
 */
export const itemsPerNote = (keys: number, underWay: number): number =>
	Math.max(Math.min(mostItems, underWay + itemsBeyond), Math.ceil(keys / keysPerItem));
