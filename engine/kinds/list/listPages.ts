// Collects the pages of one list, and checks each of them against those before it.
import type { IDataObject } from 'n8n-workflow';

import { isCount, parsePage, type Page } from '../../answer/answerData';
import type { ListOperation } from '../../area';
import { Failure, adviceRunLater } from '../../failure';
import type { Settings } from '../../form/settings';
import { formatCount } from '../../http/format';
import type { Answer } from '../../send/exchange';
import type { JobServices } from '../job';
import { idOf, keyOf, type RowKey } from './rowIdentity';
import { rowShape } from './rowShape';

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

/** How far a list may grow while it is read, by its first count. */
const mostRowsOf = (count: number): number => 2 * count + 1000;

/** Statuses with which a service may refuse a page that begins beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

const listChangedHint =
	'The list changed while it was read, or holds equal rows: rows may be missing, or be there twice. Run the node again for an exact list.';

/** Signs that a list which was read to its end may still not be exact, and the hints that say so. */
const hintByAnomaly = {
	/** Between two pages rows came again, or their numbers leave some out. */
	rowsMoved: listChangedHint,
	/** `totalRows` changed between two pages. */
	countChanged: listChangedHint,
	/** The service sent more rows than `totalRows` says. */
	countTooLow:
		"The service sent more rows than its 'totalRows' says, so 'totalRows' was not used to find the end of the list. Ask its owner what it counts.",
	/** Asked for a page beyond `totalRows`, the service refused or sent the last page again, instead of an empty one. */
	endUnconfirmed:
		"The list may have more rows: the service refused the request for the page after these, or sent the last page again. Ask its owner what 'offset' and 'totalRows' mean.",
};

const adviceCheck =
	"Run Agency Records Check: it finds out what 'Offset Counts From' and 'Page Size' in the credential must be.";

/** A page, and what its rows are told apart by. */
interface KeyedPage extends Page {
	/** Of the answer that brought it. */
	details: Pick<Answer, 'status' | 'tries'>;
	keys: readonly RowKey[];
	/** Whether its first row is known by an ID, and not only by all that it holds. */
	hasId: boolean;
	/** How many of its rows came before. Equal rows within a page, which is cut from one state of the list, are its own. */
	repeatedRows: number;
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
 * Whether the second page begins with the row that the first has ended with: then `offset` counts from 1. That it leaves
 * out a row may as well be a gap in the numbers; where `offset` is why, the list ends before its count.
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

const refusal = ({ details }: KeyedPage, message: string, advice: string): Failure =>
	new Failure(message, 'refused', { ...details, advice });

export class ListPages {
	/** The wanted rows, as the setting 'Output' says. */
	readonly rows: IDataObject[] = [];

	/** How many of the pages that were added hold rows. */
	pageCount = 0;

	/** Says so when fewer rows came than the service counts, and the interface names no way to ask for the others. */
	partial?: string;

	/** The most rows to return; Infinity for all. */
	private readonly limit: number;

	/** The page that was added last. */
	private lastPage?: KeyedPage;

	/** `totalRows` of the first page, as far as the service counts. */
	private firstCount?: number;

	/** The keys of all rows that were added, by which a row that comes again is noticed. */
	private readonly rowKeys = new Set<RowKey>();

	private readonly shape: (row: IDataObject) => IDataObject;

	private readonly anomalies = new Set<keyof typeof hintByAnomaly>();

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

	/** How many rows the list has; undefined where nothing tells, so that each page shows only whether another follows. */
	private get count(): number | undefined {
		return this.anomalies.has('countTooLow') ? undefined : this.lastPage?.totalRows;
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
		const { pageSize } = this.services.conventions;
		return Math.min(pageSize, this.settings.offset + this.limit - offset);
	}

	/** @returns the parameters that request the page after so many rows */
	pageQuery(offset: number): { limit?: number; offset?: number } {
		if (!this.operation.paged) return {};
		const { offsetBase } = this.services.conventions;
		const sentOffset = offset > 0 ? { offset: offset + Number(offsetBase) } : {};
		return { limit: this.limitAt(offset), ...sentOffset };
	}

	/** The hints to show beside the output of a list that is complete. */
	get hints(): string[] {
		const { partial, anomalies } = this;
		// A count that is wrong anyway may change although the list does not.
		if (anomalies.has('countTooLow')) anomalies.delete('countChanged');
		const askOwner = 'Its interface names no way to ask for the others: ask its owner.';
		return [
			...new Set([...anomalies].map((anomaly) => hintByAnomaly[anomaly])),
			...(partial === undefined ? [] : [`${partial}. ${askOwner}`]),
		];
	}

	/** Whether no count says that rows are still to come: a further page is requested only to be sure. */
	private get isBeyondCount(): boolean {
		return this.lastPage !== undefined && this.nextOffset >= this.endOffset;
	}

	/** @returns whether the answer refuses a page beyond the list's end, so that the rows already there are all */
	isRefusedBeyondEnd({ status }: Answer): boolean {
		return this.isBeyondCount && statusesBeyondEnd.includes(status);
	}

	/**
	 * Adds the next page.
	 * @param answer a success, or a refusal for which isRefusedBeyondEnd() is true
	 * @returns whether the list is complete
	 * @throws Failure when the service does not page as its interface says, or sends more rows than a run can hold
	 */
	add(answer: Answer): boolean {
		const { anomalies, lastPage: previous, pageCount, nextOffset } = this;
		if (this.isRefusedBeyondEnd(answer)) return !!anomalies.add('endUnconfirmed');
		const page = this.pageOf(answer);
		const { pageSize, offsetBase } = this.services.conventions;
		let misfit: string | undefined;
		if (previous && isSamePage(previous, page, this.limitAt(nextOffset))) {
			// With as many rows as were asked for, it may be the first of many pages, which a service that ignores `offset`
			// sends each time. With fewer, a larger page would show nothing more.
			const mayBeFirstOfMany = pageCount === 1 && previous.rows.length >= pageSize;
			if (this.isBeyondCount && !mayBeFirstOfMany) return !!anomalies.add('endUnconfirmed');
			misfit = `The service sent the same page twice, at row ${nextOffset}: it does not read 'limit' and 'offset' as its interface says`;
		} else if (previous && pageCount === 1 && offsetBase === '0' && isOneBack(previous, page)) {
			misfit =
				"The second page begins with the last row of the first: 'offset' does not count from 0, as the credential says";
		}
		if (misfit !== undefined) throw refusal(page, misfit, adviceCheck);
		this.take(page, previous);
		return this.isCompleteAfter(page);
	}

	private pageOf(answer: Answer): KeyedPage {
		const { idField } = this.operation;
		const { rows, totalRows } = parsePage(answer, this.operation, this.services.hint);
		this.firstCount ??= totalRows;
		const keys = rows.map((row) => keyOf(row, idField));
		return {
			rows,
			// Beyond a list's end some services give no count any more.
			totalRows: totalRows ?? this.lastPage?.totalRows,
			details: { status: answer.status, tries: answer.tries },
			keys,
			hasId: rows.length > 0 && idOf(rows[0]!, idField) !== undefined,
			repeatedRows: keys.filter((key) => this.rowKeys.has(key)).length,
		};
	}

	/** Takes the rows of a page, and notes what is unusual about them. */
	private take(page: KeyedPage, previous = page): void {
		const { anomalies, rows, rowKeys, limit, shape } = this;
		const { length } = page.rows;
		if (page.repeatedRows > 0 || (page !== previous && skippedRows(previous, page) > 0))
			anomalies.add('rowsMoved');
		// Beyond a list's end some services give 0 as `totalRows`.
		const isAfterEnd = length === 0 && this.isBeyondCount;
		if (!isAfterEnd && previous.totalRows !== page.totalRows) anomalies.add('countChanged');
		for (const key of page.keys) rowKeys.add(key);
		for (const row of page.rows) if (rows.length < limit) rows.push(shape(row));
		this.lastPage = page;
		if (length === 0) return;
		this.pageCount++;
		if (this.nextOffset > (page.totalRows ?? Infinity)) anomalies.add('countTooLow');
	}

	/**
	 * Whether the list is complete with the page that was taken last.
	 * @throws Failure when it does not go on as it must, or without end
	 */
	private isCompleteAfter(page: KeyedPage): boolean {
		const { operation, limit, firstCount, count, nextOffset } = this;
		const { length } = page.rows;
		const rowCount = this.rows.length;
		if (rowCount >= limit) return true;
		const isCountTooLow = this.anomalies.has('countTooLow');
		// The interface does not say how many rows the service gives at most, but such limits are round numbers.
		const isRound = length % 10 === 0 || length % 25 === 0;
		const isFull = length > 0 && (length >= this.services.conventions.pageSize || isRound);
		if (count === undefined) {
			if (!operation.paged || length === 0 || !(isCountTooLow || isFull)) return true;
		} else {
			// Some services count the rows of the page instead of the list's. Then a full page is followed by another.
			const mayCountPage = this.pageCount === 1 && operation.paged && length === count && isFull;
			if (nextOffset >= count) return !mayCountPage;
			if (Math.min(limit, count) > maxRows)
				throw refusal(
					page,
					`The service counts ${count} rows, more than one run can return`,
					"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
				);
			if (length === 0)
				throw refusal(
					page,
					`The list is incomplete: the service counts ${count} rows, but sent none after row ${nextOffset}`,
					`${adviceRunLater} If it stays incomplete, a setting does not fit. ${adviceCheck}`,
				);
			if (!operation.paged) {
				this.partial = `The service counts ${formatCount(count)} rows, but sent only ${formatCount(rowCount)}`;
				return true;
			}
		}
		const isCircle =
			count === undefined && operation.idField !== undefined && page.repeatedRows === length;
		const mostRows = firstCount === undefined || isCountTooLow ? maxRows : mostRowsOf(firstCount);
		if (rowCount <= mostRows && !isCircle) return false;
		const whatComes = isCircle
			? 'only rows that it has sent before'
			: `more, though it counted ${firstCount ?? 'no'} rows at first`;
		throw refusal(
			page,
			`The list does not end: after ${rowCount} rows the service still sends ${whatComes}`,
			"Turn 'Return All' off and set a 'Limit', or ask the service's owner.",
		);
	}
}
