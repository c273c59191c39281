// Pages by `limit` and `offset`. The API spec says that `offset` is how many rows are skipped, but for some services it
// is the position of a page's first row, the list's first one having position 1. Without `offset`, a page begins with
// the list's first row in either case. So the page that is requested after it tells.
import type { Account } from '../../auth/account';
import { Failure } from '../../failure';
import { isSamePage, listChangedHint, sentTwice, stepBetween, type ListPage } from './page';
import type { Paging } from './paging';

/** What is known of the service. */
type OffsetAccount = Pick<Account, 'offsetBase'>;

/** How many rows the pages have that are read only for what they show. */
const shortPage = 2;

/**
 * What the second page of a list shows: where `offset` counts from 1, it begins with the row that ended the first.
 * Numbers tell that it is the same row, and so for all lists. Without them its ID does, if the count tells that no row
 * came in before it. That the page leaves out a row may as well be a gap in the numbers.
 * @returns undefined where nothing tells
 */
function learnOffsetBase(
	first: ListPage,
	second: ListPage,
	account: OffsetAccount,
): Account['offsetBase'] {
	// A single row has number 1 on each page if the numbers are those of the page.
	const step = first.rows.length > 1 ? stepBetween(first, second) : undefined;
	const [key] = second.keys;
	const isSameRow = key === first.keys.at(-1);
	if (step === 1) return (account.offsetBase = 0);
	if (step === 0 && isSameRow) return (account.offsetBase = 1);
	if (first.totalRows !== second.totalRows) return undefined;
	if (isSameRow) return second.hasId ? 1 : undefined;
	return step === 0 || key === first.keys[0] ? undefined : 0;
}

/**
 * @param start how many rows of the list are skipped
 * @param account what it is known to count from is kept there
 */
export function offsetPaging(
	start: number,
	account: OffsetAccount,
	hint: (message: string) => void,
): Paging<number> {
	const query = (offset: number, limit: number) => (offset > 0 ? { limit, offset } : { limit });
	return {
		query,
		async first(read) {
			if (start === 0) return 0;
			let base = account.offsetBase;
			if (base === undefined) {
				const one = await read(query(0, shortPage));
				const { length } = one.rows;
				const two = await read(query(length, shortPage));
				base = learnOffsetBase(one, two, account);
				if (base === undefined && isSamePage(one, two, shortPage)) {
					const [message, advice] = sentTwice(length);
					throw new Failure(message, 'refused', { code: 'unreadableAnswer', advice });
				}
				if (base === undefined && length > 0) hint(listChangedHint);
			}
			return start + (base ?? 0);
		},
		next: (offset, { rows }) => offset + rows.length,
		ahead: (offset, rows) => offset + rows,
		repeatedRows: (offset, previous, page) =>
			offset === previous.rows.length && learnOffsetBase(previous, page, account) === 1 ? 1 : 0,
	};
}
