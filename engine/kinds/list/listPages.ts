// Collects the pages of one list, and checks each of them against those before it.
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../answer/evidence';
import type { ListOperation } from '../../area';
import { Failure, adviceRunLater } from '../../failure';
import type { Settings } from '../../form/settings';
import { formatCount } from '../../http/format';
import type { JobServices } from '../job';
import {
	isSamePage,
	listChangedHint,
	pageOf,
	sentTwice,
	stepBetween,
	type ListPage,
	type Problem,
} from './page';
import type { Paging } from './paging';
import type { RowKey } from './rowIdentity';
import { rowShape } from './rowShape';

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

/** Statuses with which a service may refuse a page that begins beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

/** Whether a page may have as many rows as a service gives at most: no API spec says how many, but limits are round. */
const isRound = (length: number): boolean => length % 10 === 0 || length % 25 === 0;

/** The service sent more rows than `totalRows` says. */
const countTooLowHint =
	"The service sent more rows than its 'totalRows' says, so 'totalRows' was not used to find the end of the list. Ask the service owner what it counts.";

/** Asked for a page beyond `totalRows`, the service refused or sent the last page again, instead of an empty one. */
const endUnconfirmedHint =
	"The list may have more rows: the service refused the request for the page after these, or sent the last page again. Ask the service owner what 'offset' and 'totalRows' mean.";

const tooLong = (count: number): Problem => [
	`The list has at least ${formatCount(count)} rows, more than one run can return`,
	"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
];

const incomplete = (count: number | undefined, row: number): Problem => [
	`The list is incomplete: the service counts ${count} rows, but sent none after row ${row}`,
	`${adviceRunLater} If it stays incomplete, run Agency Records Check.`,
];

const endless = (rowCount: number): Problem => [
	`The list does not end: after ${rowCount} rows the service still sends only rows it has sent before`,
	"Turn 'Return All' off and set a 'Limit', or ask the service owner.",
];

export class ListPages {
	/** The wanted rows, as the setting 'Output' says. */
	readonly rows: IDataObject[] = [];

	/** How many of the pages that were added hold rows. */
	pageCount = 0;

	/** The most rows to return; Infinity for all. */
	private readonly limit: number;

	/** The page that was added last. */
	private lastPage?: ListPage;

	/** The keys of all rows that were added, by which a row that comes again is noticed. */
	private readonly rowKeys = new Set<RowKey>();

	private readonly shape: (row: IDataObject) => IDataObject;

	/** Say that the list may not be exact, although it was read to its end. */
	private readonly doubts = new Set<string>();

	/** @param place that of the first page; later, of the page to be added next */
	constructor(
		private readonly operation: ListOperation,
		private readonly settings: Settings,
		private readonly services: Pick<JobServices, 'hint' | 'pageSize'>,
		private readonly paging: Paging,
		private place: unknown,
	) {
		this.limit = settings.returnAll ? Infinity : settings.limit;
		this.shape = rowShape(settings);
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
	 * @param pagesAhead how many pages after those that were added are requested already
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
	 * Of a complete list that has fewer rows than the service counts, and the API spec names no way to ask for the
	 * others: what says so.
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
		const { operation, services, paging, place, lastPage: previous, limit, rows, rowKeys } = this;
		const { pageSize } = services;
		const isRefused = this.isRefusedBeyondEnd(answer);
		const page = isRefused
			? { ...previous!, rows: [], keys: [] }
			: pageOf(answer, operation, services.hint, previous?.totalRows);
		const repeated = (previous && paging.repeatedRows?.(place, previous, page)) ?? 0;
		const isSentAgain =
			previous !== undefined && repeated === 0 && isSamePage(previous, page, this.limitAfter(0));
		// It may be the first of many, which a service that ignores `offset` sends each time. If it was not full, a larger
		// page would show nothing more.
		const followsFullPage = this.pageCount === 1 && this.pageLength >= pageSize;
		const isEndUnconfirmed = isRefused || (isSentAgain && this.rowsToCome <= 0 && !followsFullPage);
		if (isEndUnconfirmed) this.doubts.add(endUnconfirmedHint);
		const { size: keysBefore } = rowKeys;
		if (!isSentAgain) this.take(page, repeated);
		this.place = paging.next(place, page, answer);
		const hasNewRow = rowKeys.size > keysBefore || repeated > 0;
		const { count, position } = this;
		const { length } = page.rows;
		const least = count ?? rows.length;
		const isLast = this.place === undefined;
		const isFull = length > 0 && (length >= pageSize || isRound(length));
		// Some services count the rows of the page instead of the list's. Then a full page is followed by another.
		const mayCountPage = this.pageCount === 1 && isFull && length === count;

		/** Whether the list is complete, or why it cannot be read. The first rule that applies decides. */
		const rules: Array<[applies: boolean, verdict: boolean | Problem]> = [
			[isEndUnconfirmed, true],
			[isSentAgain, sentTwice(position)],
			[rows.length >= limit, true],
			[mayCountPage && !isLast, false],
			[position >= (count ?? Infinity), true],
			[Math.min(limit, least) > maxRows, tooLong(least)],
			[count !== undefined && length === 0, incomplete(count, position)],
			[isLast || length === 0, true],
			[page.totalRows === undefined && !isFull, true],
			[count === undefined && operation.idField !== undefined && !hasNewRow, endless(rows.length)],
		];
		const verdict = rules.find(([applies]) => applies)?.[1] ?? false;
		if (typeof verdict === 'boolean') return verdict;
		const [message, advice] = verdict;
		const { status, tries } = answer;
		throw new Failure(message, 'refused', { code: 'unreadableAnswer', status, tries, advice });
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
