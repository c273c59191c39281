// What people read of a list that is not paged as documented: hints where it may not be exact, failures where it cannot
// be read.
import type { Answer } from '../../answer/evidence';
import { adviceRunLater, Failure } from '../../failure';
import { formatCount } from '../../http/format';

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

export const listChangedHint =
	'The list may have changed while it was read: rows may be missing or duplicated. Run the node again for an exact list.';

/** The service sent more rows than `totalRows` says. */
export const countTooLowHint =
	"The service sent more rows than its 'totalRows' says, so all rows were read. Ask the service owner what it counts.";

/** Asked for a page beyond `totalRows`, the service refused or sent rows again, instead of an empty page. */
export const endUnconfirmedHint =
	'The list may have more rows: the service refused the next page, or sent rows again. Ask the service owner why.';

const unreadable =
	(messageOf: (count: number) => string, advice: string) =>
	({ status, tries }: Answer, count: number): Failure =>
		new Failure(messageOf(count), 'refused', { code: 'unreadableAnswer', status, tries, advice });

export const sentAgain = unreadable(
	(row) =>
		`The service sent rows again instead of those after row ${row}: it does not handle 'limit' and 'offset' as documented`,
	"Run Agency Records Check to find the right 'Page Size' for the credential.",
);

export const tooLong = unreadable(
	(count) => `The list has at least ${formatCount(count)} rows, more than one run can return`,
	"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
);

export const incomplete = unreadable(
	(row) => `The list is incomplete: the service counts more rows, but sent none after row ${row}`,
	`${adviceRunLater} If it stays incomplete, run Agency Records Check.`,
);
