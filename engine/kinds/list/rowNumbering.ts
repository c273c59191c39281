// Checks the `rowNum` of a list's rows. The interface does not say whether it counts through the whole list or
// starts anew on each page, so that is learned from the first two pages.
import type { IDataObject } from 'n8n-workflow';

import { isCount } from '../../answer/answerData';

/** @returns the first row's number; undefined unless the rows are numbered one by one: other numbers tell nothing */
function firstNumberOf(rows: readonly IDataObject[]): number | undefined {
	const first = rows[0]?.rowNum;
	if (!isCount(first)) return undefined;
	return rows.every(({ rowNum }, at) => rowNum === first + at) ? first : undefined;
}

export class RowNumbering {
	/** The number of the list's first row. */
	private listStart?: number;

	/** The number that the next page starts with if the list counts through; undefined after rows without numbers. */
	private continuation?: number;

	/** Whether each page starts with `listStart` again; undefined until two pages have shown it. */
	private restartsPerPage?: boolean;

	/**
	 * @param rows the rows of the next page
	 * @returns whether their numbers continue those of the pages before; true where there are none to compare
	 */
	isContinuedBy(rows: readonly IDataObject[]): boolean {
		if (rows.length === 0) return true;
		const first = firstNumberOf(rows);
		const { listStart, continuation } = this;
		this.listStart ??= first;
		this.continuation = first === undefined ? undefined : first + rows.length;
		if (first === undefined || continuation === undefined) return true;
		if (first !== continuation && first !== listStart) return false;
		this.restartsPerPage ??= first === listStart;
		return first === (this.restartsPerPage ? listStart : continuation);
	}
}
