// Collects the pages of one list, and checks each of them against those before it.
import type { IDataObject } from 'n8n-workflow';

import { isNotModified, pageIn, type Page } from '../../answer/answerData';
import { failureIn } from '../../answer/answerPolicy';
import type { ListOperation } from '../../area';
import { Failure, adviceRunLater } from '../../failure';
import type { Answer } from '../../send/sendTypes';
import { DigestSet } from './digest';
import { hintsForAnomalies, type PagingAnomaly } from './pagingAnomalies';
import { RowIdentity } from './rowIdentity';
import { RowNumbering } from './rowNumbering';

/** Which rows of a list are wanted, and in pages of which size they are requested. */
export interface WantedRows {
	/** How many rows to skip at the beginning of the list. */
	offset: number;
	/** The most rows to return; Infinity for all. */
	limit: number;
	/** How many rows one request asks for. */
	pageSize: number;
}

interface AddedPage extends Page {
	/** How many rows the service sent, one that was there already included. */
	sentRows: number;
}

/** The most rows of one list: n8n holds all items of a node in memory, and a run with more would not end well. */
export const maxRows = 1_000_000;

/** Statuses with which a service may refuse a page that begins beyond the list's end. */
const statusesBeyondEnd = [400, 404, 416];

export class ListPages {
	readonly rows: IDataObject[] = [];

	/** How many of the pages that were added hold rows. */
	pageCount = 0;

	/** The page that was added last. */
	private lastPage?: AddedPage;

	/** What `offset` counts the first row of the list as. A page may show that it is 1 where 0 was assumed. */
	firstOffset: 0 | 1 = 0;

	/** `totalRows` of the first page, as far as the service counts. */
	private firstTotalRows?: number;

	private readonly identity: RowIdentity;

	/** The keys of all rows that were added, by which a row that comes again is noticed. */
	private readonly rowKeys = new DigestSet();

	private readonly numbering = new RowNumbering();

	private readonly anomalies = new Set<PagingAnomaly>();

	constructor(
		private readonly operation: ListOperation,
		private readonly wantedRows: WantedRows,
		/** Shows in what the service's answers differ from their description. */
		private readonly hint: (message: string) => void,
	) {
		this.identity = new RowIdentity(operation.idField);
	}

	/** The `offset` of the page to be added next: the first row of the service's list that has not come. */
	get nextOffset(): number {
		return this.wantedRows.offset + this.rows.length;
	}

	/** The offset after the last wanted row, as far as `totalRows` tells. */
	get endOffset(): number {
		if (this.hasNoCount) return this.nextOffset;
		const { offset, limit } = this.wantedRows;
		return Math.min(offset + limit, this.lastPage?.totalRows ?? Infinity);
	}

	/** How many rows the service gives in a page, which may be fewer than were requested. */
	get pageLength(): number {
		return this.lastPage?.rows.length ?? 0;
	}

	/** @returns the `limit` to request at an offset, so that no row beyond the wanted ones is asked for */
	limitAt(pageOffset: number): number {
		const { offset, limit, pageSize } = this.wantedRows;
		return Math.min(pageSize, offset + limit - pageOffset);
	}

	/** The hints to show beside the output of a list that is complete. */
	get hints(): string[] {
		return hintsForAnomalies(this.anomalies);
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
			throw failureIn(answer, this.operation, { status: answer.status, expected: 'rows' })!;
		}
		const { lastPage: previousPage } = this;
		const page = this.withoutOverlap(pageIn(answer, this.operation, this.hint), previousPage);
		// Beyond a list's end some services give no count any more.
		page.totalRows ??= previousPage?.totalRows;
		this.firstTotalRows ??= page.totalRows;
		if (previousPage && this.isSamePageAgain(previousPage, page)) {
			if (this.isBeyondCount && !this.isFirstOfMany(previousPage)) return this.endsUnconfirmed();
			throw this.pagingFailure(
				answer,
				`The service sent the same page twice, at row ${this.nextOffset}: it does not read 'limit' and 'offset' as its interface says`,
				"Set 'Page Size' in the credential to more rows than the list has, or ask the service's owner.",
			);
		}
		this.checkRowCounts(answer, page);
		if (previousPage) this.compareCounts(previousPage, page);
		if (!this.numbering.isContinuedBy(page.rows)) this.anomalies.add('numbersBroken');
		const hasNewRows = this.appendRows(page);
		if (page.rows.length > 0 && this.nextOffset > (page.totalRows ?? Infinity)) {
			this.anomalies.add('countTooLow');
		}
		if (this.rows.length >= this.wantedRows.limit) return true;
		return this.hasNoCount
			? this.isCompleteWithoutCount(answer, page, hasNewRows)
			: this.isCompleteByCount(answer, page, previousPage === undefined);
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
	 * Where `offset` counts from 1, the second page begins with the row that the first has ended with: the same row
	 * under the same number. It is left out.
	 */
	private withoutOverlap(page: Page, previousPage?: Page): AddedPage {
		const { rows } = page;
		const last = previousPage?.rows.at(-1);
		const [first] = rows;
		const isOverlap =
			this.firstOffset === 0 &&
			last !== undefined &&
			first?.rowNum !== undefined &&
			first.rowNum === last.rowNum &&
			previousPage!.rows.length > 1 &&
			this.identity.keyOf(first) === this.identity.keyOf(last);
		if (!isOverlap) return { ...page, sentRows: rows.length };
		this.firstOffset = 1;
		this.anomalies.add('offsetFromOne');
		return { ...page, rows: rows.slice(1), sentRows: rows.length };
	}

	/** Whether the service ignored `offset` and sent the previous page again. */
	private isSamePageAgain(previousPage: Page, page: Page): boolean {
		// If that many rows were inserted before this page, it rightly begins with the previous page's rows.
		const addedRows = (page.totalRows ?? 0) - (previousPage.totalRows ?? 0);
		if (addedRows >= previousPage.rows.length) return false;
		const requestedRows = this.limitAt(this.nextOffset);
		return this.identity.startsLikePrevious(page.rows, previousPage.rows, requestedRows);
	}

	/**
	 * Whether a page that came again may be the first of many, which a service that ignores `offset` sends each time:
	 * it has as many rows as were asked for. With fewer, a larger page would show nothing more.
	 */
	private isFirstOfMany({ sentRows }: AddedPage): boolean {
		return this.pageCount === 1 && sentRows >= this.wantedRows.pageSize;
	}

	private checkRowCounts(answer: Answer, { totalRows }: Page): void {
		const { rows, firstTotalRows, isCountTooLow } = this;
		if (Math.min(this.wantedRows.limit, totalRows ?? 0) > maxRows) {
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

	private compareCounts(previousPage: Page, page: Page): void {
		// Beyond a list's end some services give 0 as `totalRows`.
		if (page.rows.length === 0 && this.isBeyondCount) return;
		if (previousPage.totalRows !== page.totalRows) this.anomalies.add('countChanged');
	}

	/** @returns whether some row of the page came on no earlier page, as far as its rows can be told apart */
	private appendRows(page: AddedPage): boolean {
		const { rows, rowKeys, wantedRows, identity } = this;
		const pageKeys = page.rows.map((row) => identity.keyOf(row));
		// A page is cut from one state of the list, so equal rows within it are the list's own. Only rows of earlier
		// pages count as repeated: the keys are added after all of them were looked up.
		const repeatedRows = pageKeys.filter((key) => rowKeys.has(key)).length;
		for (const key of pageKeys) rowKeys.add(key);
		for (const row of page.rows) if (rows.length < wantedRows.limit) rows.push(row);
		if (page.rows.length > 0) this.pageCount++;
		if (repeatedRows > 0) this.anomalies.add('rowsRepeated');
		this.lastPage = page;
		return !page.rows.every((row) => identity.hasId(row)) || repeatedRows < pageKeys.length;
	}

	/** The list ends here, although no empty page has confirmed it. */
	private endsUnconfirmed(): true {
		this.anomalies.add('endUnconfirmed');
		return true;
	}

	/** Where `totalRows` proved too low, only an empty page is the end; where there is none, a page that is not full. */
	private isCompleteWithoutCount(answer: Answer, page: AddedPage, hasNewRows: boolean): boolean {
		if (page.rows.length === 0 || !this.operation.paged) return true;
		if (!this.isCountTooLow && !this.isFull(page)) return true;
		if (hasNewRows) return false;
		throw this.endlessListFailure(
			answer,
			`after ${this.rows.length} rows the service sends only rows that it has sent before`,
		);
	}

	private isCompleteByCount(answer: Answer, page: AddedPage, isFirstPage: boolean): boolean {
		if (this.nextOffset >= page.totalRows!) return !(isFirstPage && this.mayCountPageOnly(page));
		if (page.rows.length > 0 && this.operation.paged) return false;
		if (this.nextOffset === page.totalRows! - 1 && this.anomalies.delete('offsetFromOne')) {
			// The row that came twice was no overlap: one came in before it while the list was read.
			this.anomalies.add('rowsRepeated');
			return true;
		}
		throw this.pagingFailure(
			answer,
			`The list is incomplete: the service counts ${page.totalRows} rows, but sent none after row ${this.nextOffset}`,
			adviceRunLater,
		);
	}

	/**
	 * Whether `totalRows` may be the rows of this page instead of the list's, as some services count. Then a full
	 * page is followed by another.
	 */
	private mayCountPageOnly(page: AddedPage): boolean {
		return this.operation.paged && page.rows.length === page.totalRows && this.isFull(page);
	}

	/**
	 * Whether a page has as many rows as were requested, or as many as the service gives at most. The interface does
	 * not say how many that is, but such limits are round numbers.
	 */
	private isFull({ sentRows }: AddedPage): boolean {
		const isRound = sentRows % 10 === 0 || sentRows % 25 === 0;
		return sentRows > 0 && (sentRows >= this.wantedRows.pageSize || isRound);
	}
}
