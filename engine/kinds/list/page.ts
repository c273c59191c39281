// A page of a list.
import { parsePage, type Page } from '../../answer/answerData';
import type { ListOperation } from '../../area';
import type { Answer } from '../../answer/evidence';
import { keyOf, type RowKey } from './rows';

/** A page, and what its rows are told apart by. */
export interface ListPage extends Page {
	keys: readonly RowKey[];
}

export const pageWithoutRows: ListPage = { rows: [], keys: [] };

/** @throws Failure when the response does not hold a page */
export function pageOf(
	answer: Answer,
	operation: ListOperation,
	hint: (message: string) => void,
): ListPage {
	const page = parsePage(answer, operation, hint);
	return { ...page, keys: page.rows.map((row) => keyOf(row, operation.idField)) };
}
