// A page of a list, and what it shows next to the page before it.
import { isCount, parsePage, type Page } from '../../answer/answerData';
import type { ListOperation } from '../../area';
import type { Answer } from '../../answer/evidence';
import { idOf, keyOf, type RowKey } from './rowIdentity';

export const listChangedHint =
	"The list changed while it was read, has identical rows, or counts 'offset' from 1 without showing it: rows may be missing or duplicated. Run the node again for an exact list.";

/** Why a list cannot be read, and what to do. */
export type Problem = readonly [message: string, advice: string];

/** @param row how many rows were skipped the second time */
export const sentTwice = (row: number): Problem => [
	`The service sent the same page twice, at row ${row}: it does not handle 'limit' and 'offset' as documented`,
	"Run Agency Records Check to find the right 'Page Size' for the credential.",
];

/** A page, and what its rows are told apart by. */
export interface ListPage extends Page {
	keys: readonly RowKey[];
	/** Whether its first row is known by an ID, and not only by all that it holds. */
	hasId: boolean;
}

/**
 * @param lastCount of the page before it: beyond a list's end some services give none any more
 * @throws Failure when the response does not hold a page
 */
export function pageOf(
	answer: Answer,
	operation: ListOperation,
	hint: (message: string) => void,
	lastCount?: number,
): ListPage {
	const { idField } = operation;
	const { rows, totalRows = lastCount } = parsePage(answer, operation, hint);
	const keys = rows.map((row) => keyOf(row, idField));
	return { rows, totalRows, keys, hasId: rows.length > 0 && idOf(rows[0]!, idField) !== undefined };
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

/**
 * Whether the service sent the previous page again. Where rows have an ID, comparing the first row is enough. Where they
 * have none, a list may hold equal rows: then the whole previous page has to come again, and its rows must differ among
 * themselves.
 * @param requested how many rows were: a page may be shorter than the previous one because fewer were requested. One
 * that is shorter for another reason was cut at the list's end.
 */
export function isSamePage(previous: ListPage, page: ListPage, requested: number): boolean {
	const [firstKey] = page.keys;
	// If that many rows were inserted before this page, it rightly begins with the previous page's rows.
	const addedRows = (page.totalRows ?? 0) - (previous.totalRows ?? 0);
	if (firstKey !== previous.keys[0] || addedRows >= previous.rows.length) return false;
	if (page.hasId) return true;
	const compared = previous.keys.slice(0, requested);
	return (
		compared.some((key) => key !== firstKey) && compared.every((key, at) => key === page.keys[at])
	);
}
