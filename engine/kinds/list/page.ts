// A page of a list, and what it shows next to the page before it.
import { isCount, parsePage, type Page } from '../../answer/answerData';
import type { ListOperation } from '../../area';
import type { Answer } from '../../answer/evidence';
import { idOf, keyOf, type RowKey } from './rowIdentity';

/** A page, and what its rows are told apart by. */
export interface ListPage extends Page {
	keys: readonly RowKey[];
	/** Whether its first row is known by an ID, and not only by all that it holds. */
	hasId: boolean;
}

export const pageWithoutRows: ListPage = { rows: [], keys: [], hasId: false };

/** @throws Failure when the response does not hold a page */
export function pageOf(
	answer: Answer,
	operation: ListOperation,
	hint: (message: string) => void,
): ListPage {
	const { idField } = operation;
	const page = parsePage(answer, operation, hint);
	const [first = {}] = page.rows;
	const keys = page.rows.map((row) => keyOf(row, idField));
	return { ...page, keys, hasId: idOf(first, idField) !== undefined };
}

/**
 * How far a page begins after the row that ended the page before it, by the numbers of the rows: 1 where it begins with
 * the next row; undefined where rows are not numbered one by one.
 */
export function stepBetween({ rows }: Page, next: Page): number | undefined {
	const [first, last, following] = [rows[0], rows.at(-1), next.rows[0]].map((row) => row?.rowNum);
	if (!isCount(first) || !isCount(last) || !isCount(following)) return undefined;
	return last - first === rows.length - 1 ? following - last : undefined;
}
