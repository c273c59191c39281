// What n8n's store knows of a key, and what a run may do that has noted it.

/**
 * The marks of a key, of which the store keeps hashes. "Sent" and "open" are recorded before the item is sent. When it is
 * known what became of the item, "open" is removed; when it was certainly not processed, "sent" is removed too. So
 * whatever dies, and whenever: an item that may have been sent has a mark.
 */
export interface KeyMarks {
	/** The item was sent at some time, or is about to be sent. */
	sent: string;
	/** It is not known what became of the item. */
	open: string;
	/**
	 * Who still has the item to send exchanges one of these for the next, again and again. All who wait for the key see
	 * the change: none of them changes anything by looking.
	 */
	signs: readonly string[];
	/** Another run has found that nobody was sending the item any more. */
	takenOver: string;
}

/** A key that this run has noted, to send its item. */
export interface Claim {
	marks: KeyMarks;
	/**
	 * By performance.now(): until when no other run can find that nobody is sending the item. After it, the run looks
	 * whether the key was taken over before it sends, or forgets, anything.
	 */
	heldUntil: number;
	/** The sign of life that this run has given last. */
	sign?: string;
}

export const marksOf = (key: string): KeyMarks => ({
	sent: `sent\n${key}`,
	open: `open\n${key}`,
	signs: ['a', 'b', 'c'].map((sign) => `sign ${sign}\n${key}`),
	takenOver: `taken over\n${key}`,
});

/** @returns another sign than the last one */
export const nextSign = ({ signs }: KeyMarks, last: string | undefined): string =>
	signs[(signs.indexOf(last ?? '') + 1) % signs.length]!;
