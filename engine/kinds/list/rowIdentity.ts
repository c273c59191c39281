// What makes two rows of a list the same row.
import type { IDataObject } from 'n8n-workflow';

import { digestOf, digestOfId } from './digest';

/** What a row holds, as a number; its `rowNum` belongs to its place. 0 when it holds nothing else. */
const contentDigestOf = (row: IDataObject): number => digestOf(row, 'rowNum');

/** Tells rows apart: by the ID of their record where they have one, else by all they hold. */
export class RowIdentity {
	/** @param rowID field that names a row's record, if the list has one */
	constructor(private readonly rowID?: string) {}

	/** @returns the ID of a row's record; undefined when the row does not name it */
	idOf(row: IDataObject): number | string | undefined {
		const id = this.rowID === undefined ? undefined : row[this.rowID];
		const isId = typeof id === 'number' || (typeof id === 'string' && id.trim() !== '');
		return isId ? id : undefined;
	}

	/** Whether a row names its record. */
	isNamed(row: IDataObject): boolean {
		return this.idOf(row) !== undefined;
	}

	/** @returns the same number for the same row; 0 for one that holds nothing to tell it by */
	keyOf(row: IDataObject): number {
		const id = this.idOf(row);
		return id === undefined ? contentDigestOf(row) : digestOfId(id);
	}

	/**
	 * Whether a page begins like the one before, so that it cannot have been cut at `offset`. Where rows name their
	 * records, the first row tells. Where they do not, a list may hold equal rows: then only a whole page tells,
	 * whose rows differ among themselves.
	 * @param asked rows asked for: a page with fewer, and fewer than the one before, was cut at the list's end
	 */
	begins(
		page: readonly IDataObject[],
		{ like: before, asked }: { like: readonly IDataObject[]; asked: number },
	): boolean {
		const [row, rowBefore] = [page[0], before[0]];
		if (!row || !rowBefore) return false;
		const first = contentDigestOf(row);
		if (first === 0 || first !== contentDigestOf(rowBefore)) return false;
		if (this.isNamed(row)) return true;
		const whole = before.slice(0, asked).map(contentDigestOf);
		return (
			whole.some((content) => content !== first) &&
			whole.every((content, at) => page[at] && content === contentDigestOf(page[at]))
		);
	}
}
