// How long Send Once waits for other runs and for n8n's database, in milliseconds. One object, so that tests, which
// provoke what has to be waited for, can shorten it.
export const waitingTimes = {
	/** Between two looks at the keys that another run has begun, at least. */
	lookInterval: 250,

	/**
	 * Without any change of the keys that are waited for, after which nobody is sending them any more. A run that is
	 * sending notes its answers every few seconds.
	 */
	nobodySendsAfter: 20_000,

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
