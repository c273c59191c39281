// Decides whether two rows of a list stand for the same record.
import type { IDataObject } from 'n8n-workflow';

import { digestOf, digestOfId } from './digest';

/**
 * The digest of what a row holds, without `rowNum`, which tells the row's position and not its record. 0 when it
 * holds nothing else.
 */
const contentDigestOf = (row: IDataObject): number => digestOf(row, 'rowNum');

/** Tells rows apart by the ID of their record where they have one, and otherwise by all they hold. */
export class RowIdentity {
	/** @param rowID the field that holds the ID of a row's record, if the list has one */
	constructor(private readonly rowID?: string) {}

	/** @returns the ID of a row's record; undefined when the row has none */
	idOf(row: IDataObject): number | string | undefined {
		const id = this.rowID === undefined ? undefined : row[this.rowID];
		const isId = typeof id === 'number' || (typeof id === 'string' && id.trim() !== '');
		return isId ? id : undefined;
	}

	/** Whether a row has the ID of its record. */
	hasId(row: IDataObject): boolean {
		return this.idOf(row) !== undefined;
	}

	/** @returns the same number for the same row; 0 for a row that holds nothing to tell it by */
	keyOf(row: IDataObject): number {
		const id = this.idOf(row);
		return id === undefined ? contentDigestOf(row) : digestOfId(id);
	}

	/**
	 * Whether a page begins with the rows of the previous page, so that it cannot have been cut at its `offset`.
	 * Where rows have an ID, comparing the first row is enough. Where they have none, a list may hold equal rows:
	 * then the whole previous page has to come again, and its rows must differ among themselves.
	 * @param requestedRows how many rows the page's request asked for. Only so many are compared: a page may be
	 * shorter than the previous one because fewer were requested. A page that is shorter for another reason was cut
	 * at the list's end, and is not the previous page again.
	 */
	startsLikePrevious(
		page: readonly IDataObject[],
		previousPage: readonly IDataObject[],
		requestedRows: number,
	): boolean {
		const [row, previousRow] = [page[0], previousPage[0]];
		if (!row || !previousRow) return false;
		const firstDigest = contentDigestOf(row);
		if (firstDigest === 0 || firstDigest !== contentDigestOf(previousRow)) return false;
		if (this.hasId(row)) return true;
		const previousDigests = previousPage.slice(0, requestedRows).map(contentDigestOf);
		return (
			previousDigests.some((digest) => digest !== firstDigest) &&
			previousDigests.every((digest, at) => page[at] && digest === contentDigestOf(page[at]))
		);
	}
}
