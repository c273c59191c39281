// The `rowNum` of a list's rows: the interface does not say whether it counts through, or on each page anew.
import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a whole number from 0 up. */
export const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0;

/** The first number of rows that are numbered one by one; otherwise their numbers tell nothing. */
function firstNumberOf(rows: readonly IDataObject[]): number | undefined {
	const first = rows[0]?.rowNum;
	if (!isCount(first)) return undefined;
	return rows.every(({ rowNum }, at) => rowNum === first + at) ? first : undefined;
}

/** Learns from the first two pages how a list numbers its rows, and holds the others against it. */
export class RowNumbering {
	/** Number of the list's first row. */
	private base?: number;

	/** Number that the next page begins with when the list counts through; unknown without numbers. */
	private next?: number;

	private beginsAnew?: boolean;

	/**
	 * @param rows of the next page
	 * @returns whether its numbers follow on those before, as far as there are any
	 */
	follows(rows: readonly IDataObject[]): boolean {
		if (rows.length === 0) return true;
		const first = firstNumberOf(rows);
		const { base, next } = this;
		this.base ??= first;
		this.next = first === undefined ? undefined : first + rows.length;
		if (first === undefined || next === undefined) return true;
		if (first !== next && first !== base) return false;
		this.beginsAnew ??= first === base;
		return first === (this.beginsAnew ? base : next);
	}
}
