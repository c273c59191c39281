// Pages by `limit` and `offset`. The API spec says that `offset` is how many rows are skipped, but for some services it
// is the position of a page's first row, the list's first one having position 1. Without `offset`, a page begins with
// the list's first row in either case. So the page that is requested after it tells.
import type { Account } from '../../auth/account';
import { startUnknownHint } from './listProblems';
import { stepBetween, type ListPage } from './page';
import type { Paging } from './paging';

/** What is known of the service. */
type OffsetAccount = Pick<Account, 'offsetBase'>;

/**
 * Whether the second page of a list begins with the row that ended the first, as it does where `offset` counts from 1.
 * Numbers tell that it is the same row, and so for all lists. Without them its ID does, if the count tells that no row
 * came in before it.
 */
function isOneRowEarly(first: ListPage, second: ListPage, account: OffsetAccount): boolean {
	// A single row has number 1 on each page if the numbers are those of the page.
	const step = first.rows.length > 1 ? stepBetween(first, second) : undefined;
	if (step === 1) account.offsetBase = 0;
	if (step === 1 || second.keys[0] !== first.keys.at(-1)) return false;
	if (step === 0) account.offsetBase = 1;
	return step === 0 || (second.hasId && first.totalRows === second.totalRows);
}

/**
 * @param start how many rows of the list are skipped
 * @param account what `offset` is known to count from is kept there
 */
export function offsetPaging(
	start: number,
	account: OffsetAccount,
	hint: (message: string) => void,
): Paging<number> {
	const isStartKnown = start === 0 || account.offsetBase !== undefined;
	return {
		first: start === 0 ? 0 : start + (account.offsetBase ?? 0),
		query: (offset, limit) => (offset > 0 ? { limit, offset } : { limit }),
		next: (offset, { rows }) => offset + rows.length,
		ahead: (offset, rows) => offset + rows,
		repeatedRows(offset, page, previous) {
			const [row] = page.rows;
			if (!previous && !isStartKnown && row && row.rowNum !== start + 1) hint(startUnknownHint);
			const isSecond = previous?.rows.length === offset;
			return isSecond && isOneRowEarly(previous, page, account) ? 1 : 0;
		},
	};
}
