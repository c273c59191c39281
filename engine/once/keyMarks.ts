// What the store knows of a key, in two marks. Both are recorded before the item is sent: "open" is taken away
// once it is known to be done, both once it is known not to be. So whatever dies whenever, an item that may have
// been sent has one.

export interface KeyMarks {
	/** Was ever sent. */
	begun: string;
	/** What became of it is not known. */
	open: string;
}

/**
 * @param scope what the key tells items apart in: the service and the operation
 * @returns the texts that the store keeps hashes of
 */
export const marksOf = (scope: string, key: string): KeyMarks => ({
	begun: `begun\n${scope}\n${key}`,
	open: `open\n${scope}\n${key}`,
});

/** What earlier runs, and others at this moment, have done with a key. */
export type KeyStatus = 'new' | 'sent' | 'inDoubt';

/**
 * @param fresh the marks that were not there before both were recorded
 * @returns `new` only when both were missing: when n8n forgets the oldest, one may be left
 */
export function keyStatusOf({ begun, open }: KeyMarks, fresh: ReadonlySet<string>): KeyStatus {
	if (!fresh.has(open)) return 'inDoubt';
	return fresh.has(begun) ? 'new' : 'sent';
}
