// How much is noted with one call of n8n's store. Each call reads and writes all marks of the node, so the more keys
// are remembered, the more items share one call. But what was noted and not sent, or answered and not noted, is in
// doubt when the process dies: so no more than that needs.

/** Items that are noted with one call while few keys are remembered. */
export const fewestItems = 64;

/**
 * Remembered keys for each item of a call. A key is 27 bytes of the row, and each item takes part in two calls: at
 * this rate an item costs the database 5.4 kB of its log.
 */
export const keysPerItem = 100;

/**
 * Items that are noted as begun with one call. The answers to those before them are noted with the same call, so when
 * the process dies, this many items at most are in doubt beside those that were under way.
 * @param keys that are remembered
 */
export const itemsPerNote = (keys: number): number =>
	Math.max(fewestItems, Math.ceil(keys / keysPerItem));

/** Milliseconds that answers wait at most until they are noted, while a call is quick. */
const longestDelay = 500;

/** How many times as long as the last call took is at least between two. */
const callsApart = 20;

/**
 * Milliseconds between two calls that note answers alone, as when no more items begin.
 * @param took milliseconds that the last call took, without waiting for its turn
 */
export const answerDelay = (took: number): number => Math.max(longestDelay, callsApart * took);
