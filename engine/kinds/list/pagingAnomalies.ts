// Signs that a list which was read to its end may still not be exact, and the hints that tell the user so.

const listChangedHint =
	'The list changed while it was read: rows may be missing, or be there twice. Run the node again for an exact list.';

const hintByAnomaly = {
	/** `totalRows` changed between two pages. */
	countChanged: listChangedHint,
	/** The `rowNum` of a page's first row does not continue the numbers of the pages before it. */
	numbersBroken: listChangedHint,
	/** `offset` counts the first row as 1. */
	offsetFromOne:
		"The service counts 'offset' from 1: the list is complete, but 'Offset' in this node's options must be one more than the rows to skip.",
	/** A page holds rows that an earlier page held already. */
	rowsRepeated:
		'The list changed while it was read, or holds equal rows: some came twice, and others may be missing. Run the node again for an exact list.',
	/** The service sent more rows than `totalRows` says. */
	countTooLow:
		"The service sent more rows than its 'totalRows' says, so 'totalRows' was not used to find the end of the list. Ask its owner what it counts.",
	/** Asked for a page beyond `totalRows`, the service refused or sent the last page again, instead of an empty one. */
	endUnconfirmed:
		"The list may have more rows: the service refused the request for the page after these, or sent the last page again. Ask its owner what 'offset' and 'totalRows' mean.",
};

export type PagingAnomaly = keyof typeof hintByAnomaly;

/** @returns the hints to show beside the output, each text once */
export function hintsForAnomalies(anomalies: ReadonlySet<PagingAnomaly>): string[] {
	const remaining = new Set(anomalies);
	// A count that is wrong anyway may change although the list does not.
	if (remaining.has('countTooLow')) remaining.delete('countChanged');
	// Once it is certain that the list changed, "it changed, or holds equal rows" adds nothing.
	if (remaining.has('countChanged') || remaining.has('numbersBroken')) {
		remaining.delete('rowsRepeated');
	}
	return [...new Set([...remaining].map((anomaly) => hintByAnomaly[anomaly]))];
}
