// How many items are noted at once. Each call of the store reads and writes all marks of the node, so the more keys
// are remembered, the more items share one call. But what was noted and not sent, or done and not noted, is in doubt
// when the process dies: so no more than that needs.

/** Items that are noted before the first answer has come. */
const firstBatch = 16;

/** Items that are noted at once while few keys are remembered, at most. */
const batch = 256;

/** Items whose answers are noted at once while few keys are remembered. */
const answers = 64;

/** Items that are noted at once, at most, however many keys are remembered. */
export const maxBatch = 1024;

/**
 * Remembered keys for each item of a call. A key is 27 bytes of the row, and each item takes part in two calls: at
 * this rate an item costs the database 5.4 kB of its log at most.
 */
const keysPerItem = 100;

const limited = (size: number, least: number): number =>
	Math.min(maxBatch, Math.max(least, Math.ceil(size)));

/** @returns how many items to note in the first call of a run */
export const firstBatchSize = (keys: number): number => limited(keys / keysPerItem / 4, firstBatch);

/**
 * @param size of the last call
 * @param answered items of this run that were answered: while no answers come, no more are noted ahead
 */
export const nextBatchSize = (size: number, keys: number, answered: number): number =>
	Math.min(2 * size, limited(keys / keysPerItem, batch), Math.max(firstBatchSize(keys), answered));

/** Milliseconds that an answer waits at most until it is noted, while a call is quick. */
export const maxAnswerDelay = 500;

/** How many times as long as the last call took is at least between two. */
const callsApart = 20;

/**
 * Whether answers are to be noted now.
 * @param waiting answers that are not noted
 * @param since milliseconds since answers were noted last
 * @param took milliseconds that the call took, without waiting for its turn
 */
export const isNotingDue = (waiting: number, since: number, took: number, keys: number): boolean =>
	waiting >= limited(keys / keysPerItem, answers) ||
	(waiting > 0 && since >= Math.max(maxAnswerDelay, callsApart * took));
