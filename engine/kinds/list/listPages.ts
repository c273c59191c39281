// Collects the pages of one list and checks each against the previous ones. If the list is not paged as documented, it
// gets a hint when it may be inexact, and fails when it cannot be read.
import type { IDataObject } from 'n8n-workflow';

import { dataOf } from '../../response/responseData';
import type { FinalResponse } from '../../response/judge';
import type { ListOperation } from '../../area';
import { adviceRunLater, Failure } from '../../failure';
import type { Settings } from '../../form/settings';
import { formatCount } from '../../http/format';
import type { JobServices } from '../job';
import type { Page } from './page';
import { rowKeyOf, rowShape, type RowKey } from './rows';

/** A page with the keys that identify its rows. */
interface ListPage extends Page {
	keys: readonly RowKey[];
}

const pageWithoutRows: ListPage = { rows: [], keys: [] };

/** Maximum number of rows of one list: n8n holds all items of a node in memory, and more could exhaust it. */
export const maxRows = 1_000_000;

export const listChangedHint =
	'The list may have changed while it was read: rows may be missing or duplicated. Run the node again for an exact list.';

/** The hint if the service sends more rows than `totalRows` says. */
const countTooLowHint =
	"The service sent more rows than its 'totalRows' says, so all rows were read. Ask the service owner what it counts.";

/** The hint if the service, asked for a page beyond `totalRows`, refuses or repeats rows instead of sending no rows. */
const endUnconfirmedHint =
	'The list may have more rows: the service refused the next page, or sent rows again. Ask the service owner why.';

const unreadable =
	(messageOf: (count: number) => string, advice: string) =>
	({ status, tries }: FinalResponse, count: number): Failure =>
		new Failure(messageOf(count), 'refused', { code: 'unreadableResponse', status, tries, advice });

const sentAgain = unreadable(
	(row) =>
		`The service sent rows again instead of those after row ${row}: it does not handle 'limit' and 'offset' as documented`,
	"Set 'Page Size' in the credential to more rows than the list has. If that does not help, ask the service owner how its lists are paged.",
);

const tooLong = unreadable(
	(count) => `The list has at least ${formatCount(count)} rows, more than one run can return`,
	"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
);

const incomplete = unreadable(
	(row) => `The list is incomplete: the service counts more rows, but sent none after row ${row}`,
	`${adviceRunLater} If it stays incomplete, ask the service owner what 'totalRows' counts.`,
);

/** Statuses by which a service may refuse a page that starts beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

export class ListPages {
	/** The requested rows, in the shape set by 'Output'. */
	readonly rows: IDataObject[] = [];

	/** The number of added pages that have rows. */
	pageCount = 0;

	/** The maximum number of rows to return; Infinity for all. */
	private readonly limit = this.settings.returnAll ? Infinity : this.settings.limit;

	/** The page that was added last. */
	private lastPage?: ListPage;

	/** The keys of all added rows, to detect repeated rows. */
	private readonly rowKeys = new Set<RowKey>();

	private readonly shape = rowShape(this.settings, this.operation);

	/** The hints that the list may be inexact, although it was read to its end. */
	private readonly doubts = new Set<string>();

	constructor(
		private readonly operation: ListOperation,
		private readonly settings: Settings,
		private readonly services: Pick<JobServices, 'hint' | 'pageSize'>,
	) {}

	/** The number of rows skipped or read so far. */
	private get position(): number {
		return this.settings.offset + this.rows.length;
	}

	/**
	 * The service's count of the list's rows; undefined if it gives none, so that only reading a page shows whether
	 * another follows. Once it has sent more rows than it counts, its count is ignored.
	 */
	private get count(): number | undefined {
		return this.doubts.has(countTooLowHint) ? undefined : this.lastPage?.totalRows;
	}

	/**
	 * The number of requested rows still missing according to the count. If it is 0, another page is requested only to
	 * make sure.
	 */
	private get rowsToCome(): number {
		const { count = this.position } = this;
		return Math.min(this.limit - this.rows.length, count - this.position);
	}

	/** The number of rows in the last page, which may be fewer than requested. */
	get pageLength(): number {
		return this.lastPage?.rows.length ?? 0;
	}

	/** Whether only one page with rows was added, and it is full. */
	private get isFirstFull(): boolean {
		return this.pageCount === 1 && this.pageLength >= this.services.pageSize;
	}

	/**
	 * The parameters for the next page. Only some lists have `limit` and `offset` (the number of rows to skip) in the
	 * API spec; the others are sent whole.
	 * @param pagesAhead the number of pages already requested but not yet added
	 * @returns the parameters for the page after these, without rows beyond the requested ones; undefined if that page
	 * may not exist
	 */
	nextQuery(pagesAhead = 0): IDataObject | undefined {
		const rowsAhead = pagesAhead * this.pageLength;
		if (pagesAhead > 0 && rowsAhead >= this.rowsToCome) return undefined;
		if (!this.operation.paged) return {};
		const limit = Math.min(this.services.pageSize, this.limit - this.rows.length - rowsAhead);
		const offset = this.position + rowsAhead;
		return offset > 0 ? { limit, offset } : { limit };
	}

	/**
	 * The message that a list that was read to its end has fewer rows than the service counts; undefined if it has all.
	 * Only a list without paging may be incomplete: its other rows cannot be requested.
	 */
	get incompleteMessage(): string | undefined {
		const { rows, count = 0 } = this;
		if (this.rowsToCome <= 0) return undefined;
		return `The service counts ${formatCount(count)} rows, but sent only ${formatCount(rows.length)}`;
	}

	/** The hints to show next to the output, once the list is complete. */
	get hints(): string[] {
		const { incompleteMessage: message, doubts, rows, count = this.pageLength } = this;
		const askOwner = 'The API documentation names no way to get the others: ask the service owner.';
		const isLimited = rows.length >= this.limit && this.position < count;
		const limited = `${formatCount(rows.length)} of ${formatCount(count)} rows: 'Limit'.`;
		return [...doubts, message ? `${message}. ${askOwner}` : [], isLimited ? limited : []].flat();
	}

	/** @returns whether the response refuses a page beyond the list's end, so the rows read so far are complete */
	refusesBeyondEnd({ status }: FinalResponse): boolean {
		return !!this.lastPage && this.rowsToCome <= 0 && statusesBeyondEnd.includes(status);
	}

	/**
	 * Adds the next page.
	 * @param response a success, or a refusal for which refusesBeyondEnd() is true
	 * @returns whether the list is complete
	 * @throws Failure if the service does not page as documented, or the list has more rows than a run can hold
	 */
	add(response: FinalResponse): boolean {
		const { lastPage: previous, doubts, rows, rowKeys, rowsToCome } = this;
		const isRefused = this.refusesBeyondEnd(response);
		const sent = isRefused ? pageWithoutRows : this.pageOf(response);
		const isSentAgain = this.isSentAgain(sent);
		// If the service ignores `offset`, it sends the first page each time; a full one may be the first of many.
		if (isSentAgain && (rowsToCome > 0 || this.isFirstFull))
			throw sentAgain(response, this.position);
		if (isRefused || isSentAgain) doubts.add(endUnconfirmedHint);
		const page = isSentAgain ? pageWithoutRows : sent;
		const hasRows = page.rows.length > 0;
		// Beyond a list's end, some services send 0 as `totalRows`, others no count.
		const isAfterEnd = previous && !hasRows && rowsToCome <= 0;
		const { totalRows = previous?.totalRows } = isAfterEnd ? previous : page;
		// Equal rows within a page are not suspicious, because a page comes from a single state of the list.
		if (page.keys.some((key) => rowKeys.has(key))) doubts.add(listChangedHint);
		for (const key of page.keys) rowKeys.add(key);
		for (const row of page.rows) if (rows.length < this.limit) rows.push(this.shape(row));
		this.lastPage = { ...page, totalRows };
		if (hasRows) this.pageCount++;
		if (hasRows && this.position > (totalRows ?? Infinity)) doubts.add(countTooLowHint);
		// A count that is already known to be wrong may change even if the list does not.
		const isOtherCount = previous && previous.totalRows !== totalRows;
		if (isOtherCount && !doubts.has(countTooLowHint)) doubts.add(listChangedHint);
		return this.isComplete(response);
	}

	private pageOf(response: FinalResponse): ListPage {
		const page = dataOf(response, this.services.hint) as Page;
		return { ...page, keys: page.rows.map((row) => rowKeyOf(row, this.operation.idField)) };
	}

	/** Applies the first rule that matches. */
	private isComplete(response: FinalResponse): boolean {
		const { limit, rows, position, count, pageLength, operation } = this;
		const isLast = !operation.paged || pageLength === 0;
		if (rows.length >= limit) return true;
		// Some services count the page's rows instead of the list's, so a full first page may have a successor.
		if (!isLast && this.isFirstFull && pageLength === count) return false;
		if (position >= (count ?? Infinity)) return true;
		if (Math.min(limit, count ?? position) > maxRows) throw tooLong(response, count ?? position);
		if (count !== undefined && pageLength === 0) throw incomplete(response, position);
		return isLast;
	}

	/**
	 * Whether a page only repeats rows. Without IDs, a list may have equal rows: then the page counts as repeated only
	 * if the previous page starts with the same rows, and these differ among themselves or do not fill a page.
	 */
	private isSentAgain(page: ListPage): boolean {
		const { lastPage: previous, rowKeys, operation } = this;
		const { keys, totalRows = 0 } = page;
		// If that many rows were inserted before this page, the page rightly repeats rows.
		const addedRows = totalRows - (previous?.totalRows ?? 0);
		if (!previous || keys.length === 0 || addedRows >= keys.length) return false;
		if (operation.idField !== undefined) return keys.every((key) => rowKeys.has(key));
		const areTelling = new Set(keys).size > 1 || keys.length < this.services.pageSize;
		return areTelling && keys.every((key, at) => key === previous.keys[at]);
	}
}
