// What the store knows of a key, in two marks. Both are recorded before the item is sent. "open" is removed once it
// is known that the item is done, both once it is known that it is not. So whatever dies, and whenever, an item that
// may have been sent has a mark.

export interface KeyMarks {
	/** The item was sent at some time. */
	begun: string;
	/** What became of the item is not known. */
	open: string;
}

/**
 * @param scope what the key tells items apart in: the service and the operation
 * @returns the texts of which the store keeps hashes
 */
export const marksOf = (scope: string, key: string): KeyMarks => ({
	begun: `begun\n${scope}\n${key}`,
	open: `open\n${scope}\n${key}`,
});

/** What earlier runs, and others at this moment, have done with a key. */
export type KeyStatus = 'new' | 'sent' | 'inDoubt';

/**
 * @param added the marks that were not there before both were recorded
 * @returns `new` only when both were missing: when n8n forgets the oldest, one may be left
 */
export function keyStatusOf({ begun, open }: KeyMarks, added: ReadonlySet<string>): KeyStatus {
	if (!added.has(open)) return 'inDoubt';
	return added.has(begun) ? 'new' : 'sent';
}

/** From the best to the worst. */
const statusSeverity: Record<KeyStatus, number> = { new: 0, sent: 1, inDoubt: 2 };

/** @returns the worse of two: a key may be remembered under two spellings of its service's address */
export const worseStatus = (one: KeyStatus, other: KeyStatus): KeyStatus =>
	statusSeverity[one] > statusSeverity[other] ? one : other;
