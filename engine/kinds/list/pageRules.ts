// What the next page of a list shows, beside those before it: whether the list goes on, is complete, or is not paged as
// its interface says.
import type { Page } from '../../answer/answerData';
import { adviceRunLater } from '../../failure';
import type { ListPages } from './listPages';
import type { RowKey } from './rowIdentity';

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

/** A page, and what its rows are told apart by. */
export interface KeyedPage extends Page {
	keys: readonly RowKey[];
	/** Whether its first row is known by an ID, and not only by all that it holds. */
	hasId: boolean;
}

type PageFacts = ReturnType<ListPages['factsOf']>;

interface PageRule {
	/** What the page shows. */
	when: string;
	matches: (facts: PageFacts) => boolean;
	/** `partial`: the list ends, and the interface names no way to ask for its other rows. */
	verdict: 'more' | 'complete' | 'partial' | 'endUnconfirmed' | 'refused';
	/** Of a failure. */
	message?: (facts: PageFacts) => string;
	advice?: string;
}

const adviceCheck =
	"Run Agency Records Check: it finds out what 'Offset Counts From' and 'Page Size' in the credential must be.";

const adviceEndless = "Turn 'Return All' off and set a 'Limit', or ask the service's owner.";

/** How far a list may grow while it is read. */
const maxRowsOfCount = (count: number): number => 2 * count + 1000;

/** The first rule that matches decides. */
export const pageRules: readonly PageRule[] = [
	{
		when: 'The page before again, after all rows that are counted',
		matches: (page) => page.isSentAgain && page.isBeyondCount && !page.mayBeFirstOfMany,
		verdict: 'endUnconfirmed',
	},
	{
		when: 'The page before again',
		matches: ({ isSentAgain }) => isSentAgain,
		verdict: 'refused',
		message: ({ begin }) =>
			`The service sent the same page twice, at row ${begin}: it does not read 'limit' and 'offset' as its interface says`,
		advice: adviceCheck,
	},
	{
		when: "A second page that does not fit 'Offset Counts From'",
		matches: ({ isAtWrongRow }) => isAtWrongRow,
		verdict: 'refused',
		message: ({ offsetBase }) =>
			`The second page begins at the wrong row: 'offset' does not count from ${offsetBase}, as the credential says`,
		advice: adviceCheck,
	},
	{
		when: 'A count of more rows than a run can hold',
		matches: ({ limit, totalRows = 0 }) => Math.min(limit, totalRows) > maxRows,
		verdict: 'refused',
		message: ({ totalRows }) =>
			`The service counts ${totalRows} rows, more than one run can return`,
		advice: "Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
	},
	{
		when: 'More than twice the counted rows and 1,000 more',
		matches: ({ rowsBefore, firstCount, isCountTooLow }) =>
			rowsBefore >
			(firstCount === undefined || isCountTooLow ? maxRows : maxRowsOfCount(firstCount)),
		verdict: 'refused',
		message: ({ rowsBefore, firstCount }) =>
			`The list does not end: the service counted ${firstCount === undefined ? 'no rows' : `${firstCount} rows at first`}, and after ${rowsBefore} rows still sends more`,
		advice: adviceEndless,
	},
	{
		when: 'All wanted rows',
		matches: ({ rowCount, limit }) => rowCount >= limit,
		verdict: 'complete',
	},
	{
		when: 'All counted rows, unless they may be those of this page alone',
		matches: ({ end, count = Infinity, mayCountPage }) => end >= count && !mayCountPage,
		verdict: 'complete',
	},
	{
		when: 'No row, though more are counted',
		matches: ({ length, count }) => length === 0 && count !== undefined,
		verdict: 'refused',
		message: ({ count, end }) =>
			`The list is incomplete: the service counts ${count} rows, but sent none after row ${end}`,
		advice: `${adviceRunLater} If it stays incomplete, a setting does not fit. ${adviceCheck}`,
	},
	{
		when: 'Fewer rows than are counted, of a list without pages',
		matches: ({ paged, count }) => !paged && count !== undefined,
		verdict: 'partial',
	},
	{
		when: 'No count: no row, a page that is not full, or a list without pages',
		matches: ({ length, paged, count, isCountTooLow, isFull }) =>
			count === undefined && (length === 0 || !paged || !(isCountTooLow || isFull)),
		verdict: 'complete',
	},
	{
		when: 'No count: only rows that came before',
		matches: ({ count, hasNewRows }) => count === undefined && !hasNewRows,
		verdict: 'refused',
		message: ({ rowCount }) =>
			`The list does not end: after ${rowCount} rows the service sends only rows that it has sent before`,
		advice: adviceEndless,
	},
	{ when: 'Anything else', matches: () => true, verdict: 'more' },
];
