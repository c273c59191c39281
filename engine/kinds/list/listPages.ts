// Collects the pages of one list, and checks each of them against those before it.
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../answer/evidence';
import type { ListOperation } from '../../area';
import type { Settings } from '../../form/settings';
import { formatCount } from '../../http/format';
import type { JobServices } from '../job';
import {
	countTooLowHint,
	endUnconfirmedHint,
	incomplete,
	listChangedHint,
	maxRows,
	sentAgain,
	tooLong,
} from './listProblems';
import { pageOf, pageWithoutRows, stepBetween, type ListPage } from './page';
import type { Paging } from './paging';
import type { RowKey } from './rowIdentity';
import { rowShape } from './rowShape';

/** Statuses with which a service may refuse a page that begins beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

/** Whether a page may have as many rows as a service gives at most: no API spec says how many, but limits are round. */
const isRound = (length: number): boolean => length % 10 === 0 || length % 25 === 0;

export class ListPages {
	/** The wanted rows, as the setting 'Output' says. */
	readonly rows: IDataObject[] = [];

	/** The number of added pages that hold rows. */
	pageCount = 0;

	/** The most rows to return; Infinity for all. */
	private readonly limit: number;

	/** The page that was added last. */
	private lastPage?: ListPage;

	/** The keys of all added rows, to notice a row that comes again. */
	private readonly rowKeys = new Set<RowKey>();

	private readonly shape: (row: IDataObject) => IDataObject;

	/** Say that the list may not be exact, although it was read to its end. */
	private readonly doubts = new Set<string>();

	/** Of the page to be added next; undefined where there is no way to request one. */
	private place: unknown;

	constructor(
		private readonly operation: ListOperation,
		private readonly settings: Settings,
		private readonly services: Pick<JobServices, 'hint' | 'pageSize'>,
		private readonly paging: Paging,
	) {
		this.place = paging.first;
		this.limit = settings.returnAll ? Infinity : settings.limit;
		this.shape = rowShape(settings, operation);
	}

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

	/** How many rows to request, so that no row beyond the wanted ones is asked for. */
	private limitAfter(rowsAhead: number): number {
		return Math.min(this.services.pageSize, this.limit - this.rows.length - rowsAhead);
	}

	/**
	 * @param pagesAhead how many pages are requested already, but not added yet
	 * @returns the parameters that request the page after them; undefined where it is not known to be there
	 */
	nextQuery(pagesAhead = 0): IDataObject | undefined {
		const { paging, place } = this;
		if (pagesAhead === 0) return paging.query(place, this.limitAfter(0));
		const rowsAhead = pagesAhead * this.pageLength;
		if (!paging.ahead || rowsAhead >= this.rowsToCome) return undefined;
		return paging.query(paging.ahead(place, rowsAhead), this.limitAfter(rowsAhead));
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
	isRefusedBeyondEnd({ status }: Answer): boolean {
		return this.rowsToCome <= 0 && statusesBeyondEnd.includes(status);
	}

	/**
	 * Adds the next page.
	 * @param answer a success, or a refusal for which isRefusedBeyondEnd() is true
	 * @returns whether the list is complete
	 * @throws Failure when the service does not page as documented, or sends more rows than a run can hold
	 */
	add(answer: Answer): boolean {
		const { operation, services, paging, place, lastPage: previous } = this;
		const isRefused = this.isRefusedBeyondEnd(answer);
		const sent = isRefused ? pageWithoutRows : pageOf(answer, operation, services.hint);
		const repeated = paging.repeatedRows?.(place, sent, previous) ?? 0;
		const isSentAgain = repeated === 0 && this.isSentAgain(sent);
		// It may be the first of many, which a service that ignores `offset` sends each time. If it was not full, a larger
		// page would show nothing more.
		const followsFullPage = this.pageCount === 1 && this.pageLength >= services.pageSize;
		if (isSentAgain && (this.rowsToCome > 0 || followsFullPage))
			throw sentAgain(answer, this.position);
		if (isRefused || isSentAgain) this.doubts.add(endUnconfirmedHint);
		const page = isSentAgain ? pageWithoutRows : sent;
		// Beyond a list's end some services give no count any more.
		const { totalRows = previous?.totalRows } = page;
		this.take({ ...page, totalRows }, repeated);
		this.place = paging.next(place, page);
		return this.isComplete(answer);
	}

	/** The first rule that applies decides. */
	private isComplete(answer: Answer): boolean {
		const { limit, rows, position, count, pageLength, lastPage, pageCount } = this;
		const isFull = pageLength > 0 && (pageLength >= this.services.pageSize || isRound(pageLength));
		const isLast = this.place === undefined || pageLength === 0;
		if (rows.length >= limit) return true;
		// Some services count the rows of the page instead of the list's. Then a full page is followed by another.
		if (!isLast && pageCount === 1 && isFull && pageLength === count) return false;
		if (position >= (count ?? Infinity)) return true;
		if (Math.min(limit, count ?? position) > maxRows) throw tooLong(answer, count ?? position);
		if (count !== undefined && pageLength === 0) throw incomplete(answer, position);
		return isLast || (lastPage?.totalRows === undefined && !isFull);
	}

	/**
	 * Whether all rows of a page came before, although their numbers do not go on. Where rows have no ID, a list may hold
	 * equal rows: then the previous page has to begin with these rows, and they must differ among themselves.
	 */
	private isSentAgain(page: ListPage): boolean {
		const { lastPage: previous, rowKeys, operation } = this;
		const { keys, totalRows = 0 } = page;
		// If that many rows were inserted before this page, it rightly holds rows that came before.
		const addedRows = totalRows - (previous?.totalRows ?? 0);
		if (!previous || keys.length === 0 || addedRows >= keys.length) return false;
		if (stepBetween(previous, page) === 1) return false;
		if (operation.idField !== undefined) return keys.every((key) => rowKeys.has(key));
		return new Set(keys).size > 1 && keys.every((key, at) => key === previous.keys[at]);
	}

	/**
	 * Takes the rows of a page, and notes what is unusual about them.
	 * @param repeated how many rows at its beginning are there already
	 */
	private take(page: ListPage, repeated: number): void {
		const { doubts, rows, rowKeys, limit, shape, lastPage: previous = page } = this;
		const keys = page.keys.slice(repeated);
		// Equal rows within a page, which is cut from one state of the list, are its own.
		const isRepeated = keys.some((key) => rowKeys.has(key));
		if (isRepeated || (stepBetween(previous, page) ?? 1) > 1) doubts.add(listChangedHint);
		// Beyond a list's end some services give 0 as `totalRows`.
		const isAfterEnd = page.rows.length === 0 && this.rowsToCome <= 0;
		for (const key of keys) rowKeys.add(key);
		for (const row of page.rows.slice(repeated)) if (rows.length < limit) rows.push(shape(row));
		this.lastPage = page;
		if (keys.length > 0) this.pageCount++;
		if (keys.length > 0 && this.position > (page.totalRows ?? Infinity))
			doubts.add(countTooLowHint);
		const isCounted = !isAfterEnd && !doubts.has(countTooLowHint);
		// A count that is wrong anyway may change although the list does not.
		if (isCounted && previous.totalRows !== page.totalRows) doubts.add(listChangedHint);
	}
}
