// Collects the pages of one list, and checks each of them against those before it.
import type { IDataObject } from 'n8n-workflow';

import { isCount, isNotModified, pageIn, type Page } from '../../answer/answerData';
import { failureIn } from '../../answer/answerPolicy';
import type { ListOperation } from '../../area';
import { Failure, adviceRunLater } from '../../failure';
import type { Settings } from '../../form/settings';
import { counted } from '../../http/inWords';
import type { Answer } from '../../send/sendTypes';
import type { JobServices } from '../job';
import { hintsForAnomalies, type PagingAnomaly } from './pagingAnomalies';
import { RowIdentity, type RowKey } from './rowIdentity';
import { rowShape } from './rowShape';

/** A page, and the key of each of its rows. */
interface AddedPage extends Page {
	keys: readonly RowKey[];
}

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

/** Statuses with which a service may refuse a page that begins beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

const adviceCheck =
	"Run Agency Records Check: it finds out what 'Offset Counts From' and 'Page Size' in the credential must be.";

/** @returns how many rows the numbers leave out between two pages; 0 where rows are not numbered one by one */
function rowsLeftOut(previousPage: Page, page: Page): number {
	const [first, last] = [previousPage.rows[0]?.rowNum, previousPage.rows.at(-1)?.rowNum];
	const next = page.rows[0]?.rowNum;
	if (!isCount(first) || !isCount(last) || !isCount(next)) return 0;
	return last - first === previousPage.rows.length - 1 ? Math.max(0, next - last - 1) : 0;
}

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
	private lastPage?: AddedPage;

	/** `totalRows` of the first page, as far as the service counts. */
	private firstTotalRows?: number;

	private readonly identity: RowIdentity;

	/** The keys of all rows that were added, by which a row that comes again is noticed. */
	private readonly rowKeys = new Set<RowKey>();

	private readonly shape: (row: IDataObject) => IDataObject;

	private readonly anomalies = new Set<PagingAnomaly>();

	constructor(
		private readonly operation: ListOperation,
		private readonly settings: Settings,
		private readonly services: Pick<JobServices, 'hint' | 'conventions'>,
	) {
		this.limit = settings.returnAll ? Infinity : settings.limit;
		this.identity = new RowIdentity(operation.idField);
		this.shape = rowShape(settings);
	}

	/** The number of rows before the page to be added next: its first row is the first that has not come. */
	get nextOffset(): number {
		return this.settings.offset + this.rows.length;
	}

	/** The offset after the last wanted row, as far as `totalRows` tells. */
	get endOffset(): number {
		if (this.hasNoCount) return this.nextOffset;
		return Math.min(this.settings.offset + this.limit, this.lastPage?.totalRows ?? Infinity);
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
		return {
			limit: this.limitAt(offset),
			...(offset > 0 && { offset: offset + Number(offsetBase) }),
		};
	}

	/** The hints to show beside the output of a list that is complete. */
	get hints(): string[] {
		const { partial } = this;
		const askOwner = 'Its interface names no way to ask for the others: ask its owner.';
		return [
			...hintsForAnomalies(this.anomalies),
			...(partial === undefined ? [] : [`${partial}. ${askOwner}`]),
		];
	}

	/** More rows came than `totalRows` says: from then on the list ends where no more rows come. */
	private get isCountTooLow(): boolean {
		return this.anomalies.has('countTooLow');
	}

	/** Whether nothing tells how many rows there are, so that each page shows only whether another follows. */
	private get hasNoCount(): boolean {
		return this.isCountTooLow || (this.lastPage && this.lastPage.totalRows === undefined) === true;
	}

	/** Whether no count says that rows are still to come: a further page is requested only to be sure. */
	private get isBeyondCount(): boolean {
		if (this.lastPage === undefined) return false;
		return this.hasNoCount || this.nextOffset >= this.lastPage.totalRows!;
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
		if (this.isRefusedBeyondEnd(answer)) return this.endsUnconfirmed();
		// A 304 in the middle of a list leaves out the rows of this page.
		if (isNotModified(answer)) {
			throw failureIn('read', { ...answer, expected: 'rows' })!;
		}
		const { lastPage: previousPage } = this;
		const page = this.pageOf(answer);
		if (previousPage && this.isSamePageAgain(previousPage, page)) {
			if (this.isBeyondCount && !this.isFirstOfMany(previousPage)) return this.endsUnconfirmed();
			throw this.pagingFailure(
				answer,
				`The service sent the same page twice, at row ${this.nextOffset}: it does not read 'limit' and 'offset' as its interface says`,
				adviceCheck,
			);
		}
		if (previousPage && this.isAtWrongRow(previousPage, page)) {
			throw this.pagingFailure(
				answer,
				`The second page begins at the wrong row: 'offset' does not count from ${this.services.conventions.offsetBase}, as the credential says`,
				adviceCheck,
			);
		}
		this.checkRowCounts(answer, page);
		if (previousPage) this.comparePages(previousPage, page);
		const hasNewRows = this.append(page);
		if (page.rows.length > 0 && this.nextOffset > (page.totalRows ?? Infinity)) {
			this.anomalies.add('countTooLow');
		}
		if (this.rows.length >= this.limit) return true;
		return this.hasNoCount
			? this.isCompleteWithoutCount(answer, page, hasNewRows)
			: this.isCompleteByCount(answer, page, previousPage === undefined);
	}

	private pageOf(answer: Answer): AddedPage {
		const { rows, totalRows } = pageIn(answer, this.operation, this.services.hint);
		this.firstTotalRows ??= totalRows;
		return {
			rows,
			// Beyond a list's end some services give no count any more.
			totalRows: totalRows ?? this.lastPage?.totalRows,
			keys: rows.map((row) => this.identity.keyOf(row)),
		};
	}

	private pagingFailure({ status, tries }: Answer, message: string, advice: string): Failure {
		return new Failure(message, 'refused', { status, tries, advice });
	}

	private endlessListFailure(answer: Answer, reason: string): Failure {
		return this.pagingFailure(
			answer,
			`The list does not end: ${reason}`,
			"Turn 'Return All' off and set a 'Limit', or ask the service's owner.",
		);
	}

	/**
	 * Whether the service ignored `offset` and sent the previous page again. Where rows have an ID, comparing the first
	 * row is enough. Where they have none, a list may hold equal rows: then the whole previous page has to come again,
	 * and its rows must differ among themselves.
	 */
	private isSamePageAgain(previousPage: AddedPage, page: AddedPage): boolean {
		// If that many rows were inserted before this page, it rightly begins with the previous page's rows.
		const addedRows = (page.totalRows ?? 0) - (previousPage.totalRows ?? 0);
		const [firstRow] = page.rows;
		if (firstRow === undefined || addedRows >= previousPage.rows.length) return false;
		const [firstKey] = page.keys;
		if (firstKey !== previousPage.keys[0]) return false;
		if (this.identity.idOf(firstRow) !== undefined) return true;
		// A page may be shorter than the previous one because fewer rows were requested. One that is shorter for another
		// reason was cut at the list's end.
		const compared = previousPage.keys.slice(0, this.limitAt(this.nextOffset));
		return (
			compared.some((key) => key !== firstKey) && compared.every((key, at) => key === page.keys[at])
		);
	}

	/**
	 * Whether a page that came again may be the first of many, which a service that ignores `offset` sends each time:
	 * it has as many rows as were asked for. With fewer, a larger page would show nothing more.
	 */
	private isFirstOfMany({ rows }: Page): boolean {
		return this.pageCount === 1 && rows.length >= this.services.conventions.pageSize;
	}

	/**
	 * Whether the second page begins with the row that the first has ended with, or leaves out the row after it: then
	 * `offset` counts from another number than the credential says.
	 */
	private isAtWrongRow(previousPage: AddedPage, page: AddedPage): boolean {
		if (this.pageCount > 1) return false;
		if (this.services.conventions.offsetBase === '1') return rowsLeftOut(previousPage, page) === 1;
		const [last, first] = [previousPage.rows.at(-1), page.rows[0]];
		if (this.pageLength < 2 || !last || !first) return false;
		if (page.keys[0] !== previousPage.keys.at(-1)) return false;
		const [lastNumber, number] = [last.rowNum, first.rowNum];
		if (isCount(lastNumber) && number === lastNumber) return true;
		// Without numbers that count through, only its ID tells that it is the same row, and the count that no row came
		// in before it.
		const isNextNumber = isCount(lastNumber) && number === lastNumber + 1;
		const hasId = this.identity.idOf(first) !== undefined;
		return hasId && !isNextNumber && previousPage.totalRows === page.totalRows;
	}

	private checkRowCounts(answer: Answer, { totalRows }: Page): void {
		const { rows, firstTotalRows, isCountTooLow } = this;
		if (Math.min(this.limit, totalRows ?? 0) > maxRows) {
			throw this.pagingFailure(
				answer,
				`The service counts ${totalRows} rows, more than one run can return`,
				"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
			);
		}
		const counted = firstTotalRows === undefined ? 'no rows' : `${firstTotalRows} rows at first`;
		const hasBound = firstTotalRows !== undefined && !isCountTooLow;
		if (rows.length > (hasBound ? 2 * firstTotalRows + 1000 : maxRows)) {
			throw this.endlessListFailure(
				answer,
				`the service counted ${counted}, and after ${rows.length} rows still sends more`,
			);
		}
	}

	private comparePages(previousPage: Page, page: Page): void {
		if (rowsLeftOut(previousPage, page) > 0) this.anomalies.add('rowsLeftOut');
		// Beyond a list's end some services give 0 as `totalRows`.
		if (page.rows.length === 0 && this.isBeyondCount) return;
		if (previousPage.totalRows !== page.totalRows) this.anomalies.add('countChanged');
	}

	/** @returns whether some row of the page came on no earlier page, as far as its rows can be told apart */
	private append(page: AddedPage): boolean {
		const { rows, rowKeys, limit, operation } = this;
		// A page is cut from one state of the list, so equal rows within it are the list's own. Only rows of earlier
		// pages count as repeated: the keys are added after all of them were looked up.
		const repeatedRows = page.keys.filter((key) => rowKeys.has(key)).length;
		for (const key of page.keys) rowKeys.add(key);
		for (const row of page.rows) if (rows.length < limit) rows.push(this.shape(row));
		if (page.rows.length > 0) this.pageCount++;
		if (repeatedRows > 0) this.anomalies.add('rowsRepeated');
		this.lastPage = page;
		return operation.idField === undefined || repeatedRows < page.keys.length;
	}

	/** The list ends here, although no empty page has confirmed it. */
	private endsUnconfirmed(): true {
		this.anomalies.add('endUnconfirmed');
		return true;
	}

	/** Where `totalRows` proved too low, only an empty page is the end; where there is none, a page that is not full. */
	private isCompleteWithoutCount(answer: Answer, page: Page, hasNewRows: boolean): boolean {
		if (page.rows.length === 0 || !this.operation.paged) return true;
		if (!this.isCountTooLow && !this.isFull(page)) return true;
		if (hasNewRows) return false;
		throw this.endlessListFailure(
			answer,
			`after ${this.rows.length} rows the service sends only rows that it has sent before`,
		);
	}

	private isCompleteByCount(answer: Answer, page: Page, isFirstPage: boolean): boolean {
		if (this.nextOffset >= page.totalRows!) return !(isFirstPage && this.mayCountPageOnly(page));
		if (page.rows.length > 0) {
			if (this.operation.paged) return false;
			this.partial = `The service counts ${counted(page.totalRows!)} rows, but sent only ${counted(this.rows.length)}`;
			return true;
		}
		throw this.pagingFailure(
			answer,
			`The list is incomplete: the service counts ${page.totalRows} rows, but sent none after row ${this.nextOffset}`,
			`${adviceRunLater} If it stays incomplete, a setting does not fit. ${adviceCheck}`,
		);
	}

	/**
	 * Whether `totalRows` may be the rows of this page instead of the list's, as some services count. Then a full
	 * page is followed by another.
	 */
	private mayCountPageOnly(page: Page): boolean {
		return this.operation.paged && page.rows.length === page.totalRows && this.isFull(page);
	}

	/**
	 * Whether a page has as many rows as were requested, or as many as the service gives at most. The interface does
	 * not say how many that is, but such limits are round numbers.
	 */
	private isFull({ rows: { length } }: Page): boolean {
		const isRound = length % 10 === 0 || length % 25 === 0;
		return length > 0 && (length >= this.services.conventions.pageSize || isRound);
	}
}
