// Collects the pages of one list, and checks each of them against those before it. A list that is not paged as documented
// gets a hint where it may not be exact, and fails where it cannot be read.
import type { IDataObject } from 'n8n-workflow';

import { dataOf } from '../../response/responseData';
import type { FinalResponse } from '../../response/evidence';
import type { ListOperation } from '../../area';
import { adviceRunLater, Failure } from '../../failure';
import type { Settings } from '../../form/settings';
import { formatCount } from '../../http/format';
import type { JobServices } from '../job';
import type { Page } from './page';
import { rowKeyOf, rowShape, type RowKey } from './rows';

/** A page, and what its rows are told apart by. */
interface ListPage extends Page {
	keys: readonly RowKey[];
}

const pageWithoutRows: ListPage = { rows: [], keys: [] };

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

export const listChangedHint =
	'The list may have changed while it was read: rows may be missing or duplicated. Run the node again for an exact list.';

/** The service sent more rows than `totalRows` says. */
const countTooLowHint =
	"The service sent more rows than its 'totalRows' says, so all rows were read. Ask the service owner what it counts.";

/** Asked for a page beyond `totalRows`, the service refused or sent rows again, instead of an empty page. */
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

/** Statuses with which a service may refuse a page that begins beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

export class ListPages {
	/** The wanted rows, as the setting 'Output' says. */
	readonly rows: IDataObject[] = [];

	/** The number of added pages that hold rows. */
	pageCount = 0;

	/** The most rows to return; Infinity for all. */
	private readonly limit = this.settings.returnAll ? Infinity : this.settings.limit;

	/** The page that was added last. */
	private lastPage?: ListPage;

	/** The keys of all added rows, to notice a row that comes again. */
	private readonly rowKeys = new Set<RowKey>();

	private readonly shape = rowShape(this.settings, this.operation);

	/** Say that the list may not be exact, although it was read to its end. */
	private readonly doubts = new Set<string>();

	constructor(
		private readonly operation: ListOperation,
		private readonly settings: Settings,
		private readonly services: Pick<JobServices, 'hint' | 'pageSize'>,
	) {}

	/** How many rows of the list were skipped or are there. */
	private get position(): number {
		return this.settings.offset + this.rows.length;
	}

	/**
	 * How many rows the list has; undefined where nothing tells, so that each page shows only whether another follows.
	 * Once more rows came than the service counts, its count is not used any more.
	 */
	private get count(): number | undefined {
		return this.doubts.has(countTooLowHint) ? undefined : this.lastPage?.totalRows;
	}

	/**
	 * How many wanted rows are still to come, as far as the count tells. When none are, a further page is requested only
	 * to be sure.
	 */
	private get rowsToCome(): number {
		const { count = this.position } = this;
		return Math.min(this.limit - this.rows.length, count - this.position);
	}

	/** How many rows the service gives in a page, which may be fewer than were requested. */
	get pageLength(): number {
		return this.lastPage?.rows.length ?? 0;
	}

	/** Whether the page that was added last is the first one, and has as many rows as a page may have. */
	private get isFirstFull(): boolean {
		return this.pageCount === 1 && this.pageLength >= this.services.pageSize;
	}

	/**
	 * The API spec names `limit` and `offset`, the number of rows to skip, for some lists; the others come whole.
	 * @param pagesAhead how many pages are requested already, but not added yet
	 * @returns the parameters that request the page after them, and no row beyond the wanted ones; undefined where it is
	 * not known to be there
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
	 * The notice that a complete list has fewer rows than the service counts, if the API spec names no way to ask for
	 * the others.
	 */
	get partial(): string | undefined {
		const { rows, count = 0 } = this;
		if (this.rowsToCome <= 0) return undefined;
		return `The service counts ${formatCount(count)} rows, but sent only ${formatCount(rows.length)}`;
	}

	/** The hints to show beside the output of a list that is complete. */
	get hints(): string[] {
		const { partial, doubts } = this;
		const askOwner = 'The API documentation names no way to get the others: ask the service owner.';
		return partial === undefined ? [...doubts] : [...doubts, `${partial}. ${askOwner}`];
	}

	/** @returns whether the response refuses a page beyond the list's end, so that the rows already there are all */
	isRefusedBeyondEnd({ status }: FinalResponse): boolean {
		return (
			this.lastPage !== undefined && this.rowsToCome <= 0 && statusesBeyondEnd.includes(status)
		);
	}

	/**
	 * Adds the next page.
	 * @param answer a success, or a refusal for which isRefusedBeyondEnd() is true
	 * @returns whether the list is complete
	 * @throws Failure when the service does not page as documented, or sends more rows than a run can hold
	 */
	add(response: FinalResponse): boolean {
		const { lastPage: previous, doubts, rows, rowKeys } = this;
		const isRefused = this.isRefusedBeyondEnd(response);
		const sent = isRefused ? pageWithoutRows : this.pageOf(response);
		const isSentAgain = this.isSentAgain(sent);
		// A full page may be the first of many, which a service that ignores `offset` sends each time.
		if (isSentAgain && (this.rowsToCome > 0 || this.isFirstFull))
			throw sentAgain(response, this.position);
		if (isRefused || isSentAgain) doubts.add(endUnconfirmedHint);
		const page = isSentAgain ? pageWithoutRows : sent;
		const hasRows = page.rows.length > 0;
		// Beyond a list's end some services give 0 as `totalRows`, and some no count any more.
		const isAfterEnd = previous && !hasRows && this.rowsToCome <= 0;
		const { totalRows = previous?.totalRows } = isAfterEnd ? previous : page;
		// Equal rows within a page, which is cut from one state of the list, are its own.
		if (page.keys.some((key) => rowKeys.has(key))) doubts.add(listChangedHint);
		for (const key of page.keys) rowKeys.add(key);
		for (const row of page.rows) if (rows.length < this.limit) rows.push(this.shape(row));
		this.lastPage = { ...page, totalRows };
		if (hasRows) this.pageCount++;
		if (hasRows && this.position > (totalRows ?? Infinity)) doubts.add(countTooLowHint);
		// A count that is wrong anyway may change although the list does not.
		const isOtherCount = previous && previous.totalRows !== totalRows;
		if (isOtherCount && !doubts.has(countTooLowHint)) doubts.add(listChangedHint);
		return this.isComplete(response);
	}

	private pageOf(response: FinalResponse): ListPage {
		const page = dataOf(response, this.services.hint) as Page;
		return { ...page, keys: page.rows.map((row) => rowKeyOf(row, this.operation.idField)) };
	}

	/** The first rule that applies decides. */
	private isComplete(response: FinalResponse): boolean {
		const { limit, rows, position, count, pageLength, operation } = this;
		const isLast = !operation.paged || pageLength === 0;
		if (rows.length >= limit) return true;
		// Some services count the rows of the page instead of the list's. Then a full page is followed by another.
		if (!isLast && this.isFirstFull && pageLength === count) return false;
		if (position >= (count ?? Infinity)) return true;
		if (Math.min(limit, count ?? position) > maxRows) throw tooLong(response, count ?? position);
		if (count !== undefined && pageLength === 0) throw incomplete(response, position);
		return isLast;
	}

	/**
	 * Whether all rows of a page came before. Where rows have no ID, a list may hold equal rows: then the previous page has
	 * to begin with these rows, and they must differ among themselves, or be fewer than a page may have.
	 */
	private isSentAgain(page: ListPage): boolean {
		const { lastPage: previous, rowKeys, operation } = this;
		const { keys, totalRows = 0 } = page;
		// If that many rows were inserted before this page, it rightly holds rows that came before.
		const addedRows = totalRows - (previous?.totalRows ?? 0);
		if (!previous || keys.length === 0 || addedRows >= keys.length) return false;
		if (operation.idField !== undefined) return keys.every((key) => rowKeys.has(key));
		const areTelling = new Set(keys).size > 1 || keys.length < this.services.pageSize;
		return areTelling && keys.every((key, at) => key === previous.keys[at]);
	}
}
