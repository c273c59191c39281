// Collects the pages of one list, and checks each of them against those before it.
import type { IDataObject } from 'n8n-workflow';

import { isCount, parsePage, type Page } from '../../answer/answerData';
import type { Answer } from '../../answer/evidence';
import type { ListOperation } from '../../area';
import { Failure, adviceRunLater } from '../../failure';
import type { Settings } from '../../form/settings';
import { formatCount } from '../../http/format';
import type { JobServices } from '../job';
import { idOf, keyOf, type RowKey } from './rowIdentity';
import { rowShape } from './rowShape';

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

/** Statuses with which a service may refuse a page that begins beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

const listChangedHint =
	'The list changed while it was read, or has identical rows: rows may be missing or duplicated. Run the node again for an exact list.';

/** The service sent more rows than `totalRows` says. */
const countTooLowHint =
	"The service sent more rows than its 'totalRows' says, so 'totalRows' was not used to find the end of the list. Ask the service owner what it counts.";

/** Asked for a page beyond `totalRows`, the service refused or sent the last page again, instead of an empty one. */
const endUnconfirmedHint =
	"The list may have more rows: the service refused the request for the page after these, or sent the last page again. Ask the service owner what 'offset' and 'totalRows' mean.";

const adviceCheck =
	"Run Agency Records Check to find the right 'Offset Counts From' and 'Page Size' for the credential.";

const listFailure = ({ status, tries }: Answer, message: string, advice = adviceCheck): Failure =>
	new Failure(message, 'refused', { code: 'unreadableAnswer', status, tries, advice });

/** A page, and what its rows are told apart by. */
interface KeyedPage extends Page {
	keys: readonly RowKey[];
	/** Whether its first row is known by an ID, and not only by all that it holds. */
	hasId: boolean;
}

/** @returns how many rows the numbers leave out between two pages; 0 where rows are not numbered one by one */
function skippedRows({ rows }: Page, next: Page): number {
	const [first, last, following] = [rows[0], rows.at(-1), next.rows[0]].map((row) => row?.rowNum);
	if (!isCount(first) || !isCount(last) || !isCount(following)) return 0;
	return last - first === rows.length - 1 ? Math.max(0, following - last - 1) : 0;
}

/**
 * Whether the service ignored `offset` and sent the previous page again. Where rows have an ID, comparing the first
 * row is enough. Where they have none, a list may hold equal rows: then the whole previous page has to come again,
 * and its rows must differ among themselves.
 * @param requested how many rows were: a page may be shorter than the previous one because fewer were requested. One
 * that is shorter for another reason was cut at the list's end.
 */
function isSamePage(previous: KeyedPage, page: KeyedPage, requested: number): boolean {
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

/**
 * Whether the second page begins with the row that the first has ended with: then `offset` counts from 1. That it
 * leaves out a row may as well be a gap in the numbers; where `offset` is why, the list ends before its count.
 */
function isOneBack(previous: KeyedPage, page: KeyedPage): boolean {
	if (previous.rows.length < 2 || page.keys[0] !== previous.keys.at(-1)) return false;
	const [lastNumber, number] = [previous.rows.at(-1)?.rowNum, page.rows[0]?.rowNum];
	if (!isCount(lastNumber)) return page.hasId && previous.totalRows === page.totalRows;
	// Without numbers that count through, only its ID tells that it is the same row, and the count that no row came in
	// before it.
	const isOneOn = number === lastNumber + 1;
	return number === lastNumber || (page.hasId && !isOneOn && previous.totalRows === page.totalRows);
}

export class ListPages {
	/** The wanted rows, as the setting 'Output' says. */
	readonly rows: IDataObject[] = [];

	/** How many of the pages that were added hold rows. */
	pageCount = 0;

	/** The most rows to return; Infinity for all. */
	private readonly limit: number;

	/** The page that was added last. */
	private lastPage?: KeyedPage;

	/** The keys of all rows that were added, by which a row that comes again is noticed. */
	private readonly rowKeys = new Set<RowKey>();

	private readonly shape: (row: IDataObject) => IDataObject;

	/** Say that the list may not be exact, although it was read to its end. */
	private readonly doubts = new Set<string>();

	constructor(
		private readonly operation: ListOperation,
		private readonly settings: Settings,
		private readonly services: Pick<JobServices, 'hint' | 'conventions'>,
	) {
		this.limit = settings.returnAll ? Infinity : settings.limit;
		this.shape = rowShape(settings);
	}

	/** The number of rows before the page to be added next: its first row is the first that has not come. */
	get nextOffset(): number {
		return this.settings.offset + this.rows.length;
	}

	/**
	 * How many rows the list has; undefined where nothing tells, so that each page shows only whether another follows.
	 * Once more rows came than the service counts, its count is not used any more.
	 */
	private get count(): number | undefined {
		return this.doubts.has(countTooLowHint) ? undefined : this.lastPage?.totalRows;
	}

	/** The offset after the last wanted row, as far as the count tells. */
	get endOffset(): number {
		return Math.min(this.settings.offset + this.limit, this.count ?? this.nextOffset);
	}

	/** How many rows the service gives in a page, which may be fewer than were requested. */
	get pageLength(): number {
		return this.lastPage?.rows.length ?? 0;
	}

	/** @returns how many rows to request at an offset, so that no row beyond the wanted ones is asked for */
	private limitAt(offset: number): number {
		return Math.min(this.services.conventions.pageSize, this.settings.offset + this.limit - offset);
	}

	/** @returns the parameters that request the page after so many rows */
	pageQuery(offset: number): { limit?: number; offset?: number } {
		if (!this.operation.paged) return {};
		const sentOffset =
			offset > 0 ? { offset: offset + Number(this.services.conventions.offsetBase) } : {};
		return { limit: this.limitAt(offset), ...sentOffset };
	}

	/**
	 * Of a complete list that has fewer rows than the service counts, and the API spec names no way to ask for the
	 * others: what says so.
	 */
	get partial(): string | undefined {
		const { rows, limit, count = 0, nextOffset } = this;
		if (rows.length >= limit || nextOffset >= count) return undefined;
		return `The service counts ${formatCount(count)} rows, but sent only ${formatCount(rows.length)}`;
	}

	/** The hints to show beside the output of a list that is complete. */
	get hints(): string[] {
		const { partial, doubts } = this;
		if (partial === undefined) return [...doubts];
		return [
			...doubts,
			`${partial}. The API documentation names no way to get the others: ask the service owner.`,
		];
	}

	/** Whether no count says that rows are still to come: a further page is requested only to be sure. */
	private get isBeyondCount(): boolean {
		return this.lastPage !== undefined && this.nextOffset >= this.endOffset;
	}

	/** @returns whether the response refuses a page beyond the list's end, so that the rows already there are all */
	isRefusedBeyondEnd({ status }: Answer): boolean {
		return this.isBeyondCount && statusesBeyondEnd.includes(status);
	}

	/**
	 * Adds the next page.
	 * @param answer a success, or a refusal for which isRefusedBeyondEnd() is true
	 * @returns whether the list is complete
	 * @throws Failure when the service does not page as documented, or sends more rows than a run can hold
	 */
	add(answer: Answer): boolean {
		const { lastPage: previous, nextOffset: offset } = this;
		const page = this.isRefusedBeyondEnd(answer) ? undefined : this.pageOf(answer);
		const isSentAgain = page && previous && isSamePage(previous, page, this.limitAt(offset));
		// With as many rows as were asked for, it may be the first of many pages, which a service that ignores `offset`
		// sends each time. With fewer, a larger page would show nothing more.
		const { pageSize } = this.services.conventions;
		const mayBeFirstOfMany = this.pageCount === 1 && this.pageLength >= pageSize;
		if (!page || (isSentAgain && this.isBeyondCount && !mayBeFirstOfMany)) {
			this.doubts.add(endUnconfirmedHint);
			return true;
		}
		if (isSentAgain)
			throw listFailure(
				answer,
				`The service sent the same page twice, at row ${offset}: it does not handle 'limit' and 'offset' as documented`,
			);
		this.assertInPlace(answer, page);
		const hasNewRow = this.take(page, previous);
		return this.isComplete(answer, page, hasNewRow);
	}

	/** @throws Failure when a page, which is to be taken next, shows that `offset` does not mean what it should */
	private assertInPlace(answer: Answer, page: KeyedPage): void {
		const { lastPage: previous, nextOffset: offset } = this;
		const { offsetBase } = this.services.conventions;
		if (previous && this.pageCount === 1 && offsetBase === '0' && isOneBack(previous, page))
			throw listFailure(
				answer,
				"The second page starts with the last row of the first: 'offset' does not count from 0, although the credential says so",
			);
		const isCut = offset === 0 || page.rows.length <= this.limitAt(offset);
		if (!previous && !isCut && !(Number(page.rows[0]!.rowNum) > offset))
			throw listFailure(
				answer,
				"The service sent more rows than 'limit' asks for, so it may ignore 'offset'",
			);
	}

	/**
	 * Whether a page, which was just taken, is the end of the list. The first line that applies decides.
	 * @param hasNewRow whether a row of the page had not come before
	 * @throws Failure when the list has no end, or none that a run can reach
	 */
	private isComplete(
		answer: Answer,
		{ rows: { length }, totalRows }: KeyedPage,
		hasNewRow: boolean,
	): boolean {
		const { operation, limit, count, nextOffset, pageCount } = this;
		const { pageSize } = this.services.conventions;
		const rowCount = this.rows.length;
		if (rowCount >= limit) return true;
		// The API spec does not say how many rows the service gives at most, but such limits are round numbers.
		const isFull = length > 0 && (length >= pageSize || length % 10 === 0 || length % 25 === 0);
		// Some services count the rows of the page instead of the list's. Then a full page is followed by another.
		const mayCountPage = pageCount === 1 && operation.paged && length === count && isFull;
		if (count !== undefined && nextOffset >= count) return !mayCountPage;
		if (Math.min(limit, count ?? rowCount) > maxRows)
			throw listFailure(
				answer,
				`The list has at least ${formatCount(count ?? rowCount)} rows, more than one run can return`,
				"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
			);
		if (count !== undefined && length === 0)
			throw listFailure(
				answer,
				`The list is incomplete: the service counts ${count} rows, but sent none after row ${nextOffset}`,
				`${adviceRunLater} If it stays incomplete, a setting is wrong. ${adviceCheck}`,
			);
		if (!operation.paged || length === 0 || (totalRows === undefined && !isFull)) return true;
		if (count === undefined && operation.idField && !hasNewRow)
			throw listFailure(
				answer,
				`The list does not end: after ${rowCount} rows the service still sends only rows it has sent before`,
				"Turn 'Return All' off and set a 'Limit', or ask the service owner.",
			);
		return false;
	}

	private pageOf(answer: Answer): KeyedPage {
		const { operation } = this;
		const { rows, totalRows } = parsePage(answer, operation, this.services.hint);
		const keys = rows.map((row) => keyOf(row, operation.idField));
		return {
			rows,
			// Beyond a list's end some services give no count any more.
			totalRows: totalRows ?? this.lastPage?.totalRows,
			keys,
			hasId: rows.length > 0 && idOf(rows[0]!, operation.idField) !== undefined,
		};
	}

	/**
	 * Takes the rows of a page, and notes what is unusual about them.
	 * @returns whether one of them had not come before
	 */
	private take(page: KeyedPage, previous = page): boolean {
		const { doubts, rows, rowKeys, limit, shape } = this;
		const { size: keysBefore } = rowKeys;
		const { length } = page.rows;
		// Equal rows within a page, which is cut from one state of the list, are its own.
		const isRepeated = page.keys.some((key) => rowKeys.has(key));
		if (isRepeated || skippedRows(previous, page) > 0) doubts.add(listChangedHint);
		// Beyond a list's end some services give 0 as `totalRows`.
		const isAfterEnd = length === 0 && this.isBeyondCount;
		for (const key of page.keys) rowKeys.add(key);
		for (const row of page.rows) if (rows.length < limit) rows.push(shape(row));
		this.lastPage = page;
		if (length > 0) this.pageCount++;
		if (length > 0 && this.nextOffset > (page.totalRows ?? Infinity)) doubts.add(countTooLowHint);
		const isCounted = !isAfterEnd && !doubts.has(countTooLowHint);
		// A count that is wrong anyway may change although the list does not.
		if (isCounted && previous.totalRows !== page.totalRows) doubts.add(listChangedHint);
		return rowKeys.size > keysBefore;
	}
}
