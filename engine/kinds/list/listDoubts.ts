// What may be wrong with a list that was read to its end, in the user's words.

const listMoved =
	'The list changed while it was read: rows may be missing, or be there twice. Run the node again for an exact list.';

const hintByDoubt = {
	/** The count changed between two pages. */
	count: listMoved,
	/** The `rowNum` of a page did not follow on those before. */
	position: listMoved,
	/** Rows came that had come on an earlier page. */
	recurring:
		'The list changed while it was read, or holds equal rows: some came twice, and others may be missing. Run the node again for an exact list.',
	/** More rows came than were counted. */
	miscounted:
		"The service sent more rows than its 'totalRows' says, so 'totalRows' was not used to find the end of the list. Ask its owner what it counts.",
	/** Asked for what lies beyond the counted rows, the service did not say that there is nothing. */
	openEnd:
		"The list may have more rows: the service counts only these, but it refused the request for the next page, or sent the last page again. Ask its owner what 'offset' and 'totalRows' mean.",
};

export type ListDoubt = keyof typeof hintByDoubt;

/** @returns what to say of them beside the output, each text once */
export function hintsForDoubts(doubts: ReadonlySet<ListDoubt>): string[] {
	const found = new Set(doubts);
	// A count that is wrong may change without a change of the list.
	if (found.has('miscounted')) found.delete('count');
	// It says less than that the list did change.
	if (found.has('count') || found.has('position')) found.delete('recurring');
	return [...new Set([...found].map((doubt) => hintByDoubt[doubt]))];
}
