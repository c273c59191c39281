// Signs that a list which was read to its end may still not be exact, and the hints that tell the user so.

const listChangedHint =
	'The list changed while it was read, or holds equal rows: rows may be missing, or be there twice. Run the node again for an exact list.';

const hintByAnomaly = {
	/** `totalRows` changed between two pages. */
	countChanged: listChangedHint,
	/** The `rowNum` of a page's first row is more than one above that of the last row before it. */
	rowsLeftOut: listChangedHint,
	/** A page holds rows that an earlier page held already. */
	rowsRepeated: listChangedHint,
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
	const isCountWrong = anomalies.has('countTooLow');
	// A count that is wrong anyway may change although the list does not.
	const told = [...anomalies].filter((anomaly) => anomaly !== 'countChanged' || !isCountWrong);
	return [...new Set(told.map((anomaly) => hintByAnomaly[anomaly]))];
}
