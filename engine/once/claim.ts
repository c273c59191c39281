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
	/** Another run asks whether anybody is still sending the item. Who does removes it. */
	asked: string;
	/** A person had another run send the item, since nobody was sending it any more. */
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
}

export const marksOf = (key: string): KeyMarks => ({
	sent: `sent\n${key}`,
	open: `open\n${key}`,
	asked: `asked\n${key}`,
	takenOver: `taken over\n${key}`,
});
