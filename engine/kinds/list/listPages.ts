// The pages of one list, put together and checked against each other.
import type { IDataObject } from 'n8n-workflow';

import { isNotModified, answerObject } from '../../answer/answer';
import { unreadableAnswer } from '../../answer/failures';
import type { ListOperation } from '../../area';
import { Failure, adviceRunLater } from '../../failure';
import { isObject } from '../../http/json';
import type { Answer } from '../../send/sendTypes';
import { DigestSet } from './digest';
import { hintsForDoubts, type ListDoubt } from './listDoubts';
import { RowIdentity } from './rowIdentity';
import { isCount, RowNumbering } from './rowNumbering';

interface Page {
	rows: IDataObject[];
	totalRows: number;
}

/** What of a list is wanted, and in which portions. */
export interface WantedRows {
	/** Rows to skip. */
	start: number;
	/** Most rows; Infinity for all. */
	wanted: number;
	/** Rows to ask for at once. */
	pageSize: number;
}

/** n8n holds all items of a node in memory: beyond this many rows a run would not end well. */
export const maxRows = 1_000_000;

/** Statuses with which a service may refuse to be asked for what lies beyond a list's end. */
const statusesBeyondEnd = [400, 404, 416];

function pageOf(answer: Answer, key: string): Page {
	const { totalRows, [key]: rows } = answerObject(answer);
	if (!Array.isArray(rows) || !rows.every(isObject) || !isCount(totalRows)) {
		throw unreadableAnswer(answer, `'totalRows' and the list '${key}'`);
	}
	return { rows: rows as IDataObject[], totalRows };
}

/** Puts the pages of one list together, and notices what is wrong with them. */
export class ListPages {
	readonly rows: IDataObject[] = [];

	/** The page added last. */
	private page?: Page;

	/** Rows that the first page counted. */
	private counted = 0;

	/** Pages that held rows. */
	count = 0;

	private readonly identity: RowIdentity;

	private readonly seen = new DigestSet();

	private readonly numbering = new RowNumbering();

	private readonly doubts = new Set<ListDoubt>();

	constructor(
		private readonly operation: ListOperation,
		private readonly wantedRows: WantedRows,
	) {
		this.identity = new RowIdentity(operation.idField);
	}

	/** Position of the next row in the service's list. */
	get position(): number {
		return this.wantedRows.start + this.rows.length;
	}

	/** Position after the last row that is wanted, as far as the service has told. */
	get end(): number {
		if (this.isMiscounted) return this.position;
		return Math.min(
			this.wantedRows.start + this.wantedRows.wanted,
			this.page?.totalRows ?? Infinity,
		);
	}

	/** Rows the service gives in a page; it may be fewer than were asked for. */
	get pageLength(): number {
		return this.page?.rows.length ?? 0;
	}

	/** @returns how many rows to ask for at a position */
	limitAt(position: number): number {
		const { start, wanted, pageSize } = this.wantedRows;
		return Math.min(pageSize, start + wanted - position);
	}

	/** What is to be said beside the output of a complete list. */
	get hints(): string[] {
		return hintsForDoubts(this.doubts);
	}

	/** More rows came than were counted: from then on the list ends where no more come. */
	private get isMiscounted(): boolean {
		return this.doubts.has('miscounted');
	}

	/** All counted rows are there; the next page is asked for to be sure. */
	private get isBeyondCount(): boolean {
		return this.page !== undefined && (this.isMiscounted || this.position >= this.page.totalRows);
	}

	/** @returns whether a refusal means that no rows follow those that are there */
	isEnd({ status }: Answer): boolean {
		return this.isBeyondCount && statusesBeyondEnd.includes(status);
	}

	/**
	 * Adds the next page.
	 * @param answer a success, or the list's end
	 * @returns whether the list is complete
	 * @throws Failure when the service does not page as its interface says, or more rows come than a run can hold
	 */
	add(answer: Answer): boolean {
		if (this.isEnd(answer)) return this.endsOpenly();
		// 304 in the middle of a list: the rows of this page would be missing.
		if (isNotModified(answer)) throw unreadableAnswer(answer, 'rows');
		const page = pageOf(answer, this.operation.rowsKey);
		const { page: before } = this;
		if (!before) this.counted = page.totalRows;
		if (before && this.repeats(before, page)) {
			if (this.isBeyondCount) return this.endsOpenly();
			throw this.refusal(
				answer,
				`The service sent the same page twice, at row ${this.position}: it does not read 'limit' and 'offset' as its interface says`,
				"Set 'Page Size' to more rows than the list has, or ask the service's owner.",
			);
		}
		this.checkBounds(answer, page);
		if (before) this.compare(before, page);
		if (!this.numbering.follows(page.rows)) this.doubts.add('position');
		const hasNew = this.take(page);
		if (page.rows.length > 0 && this.position > page.totalRows) this.doubts.add('miscounted');
		if (this.rows.length >= this.wantedRows.wanted) return true;
		return this.isMiscounted
			? this.endsUncounted(answer, page, hasNew)
			: this.endsCounted(answer, page, before === undefined);
	}

	private refusal({ status, tries }: Answer, message: string, advice: string): Failure {
		return new Failure(message, 'refused', { status, tries, advice });
	}

	private endless(answer: Answer, why: string): Failure {
		return this.refusal(
			answer,
			`The list does not end: ${why}`,
			"Turn 'Return All' off and set a 'Limit', or ask the service's owner.",
		);
	}

	private repeats(before: Page, page: Page): boolean {
		// So many rows may have come in before this page that the rows of the last one begin it too.
		if (page.totalRows - before.totalRows >= before.rows.length) return false;
		const asked = this.limitAt(this.position);
		return this.identity.begins(page.rows, { like: before.rows, asked });
	}

	private checkBounds(answer: Answer, { totalRows }: Page): void {
		const { rows, counted, isMiscounted } = this;
		if (Math.min(this.wantedRows.wanted, totalRows) > maxRows) {
			throw this.refusal(
				answer,
				`The service counts ${totalRows} rows, more than one run can return`,
				"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
			);
		}
		if (rows.length > (isMiscounted ? maxRows : 2 * counted + 1000)) {
			throw this.endless(
				answer,
				`the service counted ${counted} rows at first, and after ${rows.length} rows still sends more`,
			);
		}
	}

	private compare(before: Page, page: Page): void {
		// Beyond a list's end some services count nothing.
		if (page.rows.length === 0 && this.isBeyondCount) return;
		if (before.totalRows !== page.totalRows) this.doubts.add('count');
	}

	/** @returns whether the page has, as far as its rows can be told apart, any that came on none before */
	private take(page: Page): boolean {
		const { rows, seen, wantedRows, identity } = this;
		const keys = page.rows.map((row) => identity.keyOf(row));
		// Within a page equal rows are the list's own: it was cut from one state of the list.
		const known = keys.filter((key) => seen.has(key)).length;
		for (const key of keys) seen.add(key);
		for (const row of page.rows) if (rows.length < wantedRows.wanted) rows.push(row);
		if (page.rows.length > 0) this.count++;
		if (known > 0) this.doubts.add('recurring');
		this.page = page;
		return !page.rows.every((row) => identity.isNamed(row)) || known < keys.length;
	}

	private endsOpenly(): true {
		this.doubts.add('openEnd');
		return true;
	}

	/** Without a count that holds, an empty page is the end. */
	private endsUncounted(answer: Answer, page: Page, hasNew: boolean): boolean {
		if (page.rows.length === 0 || !this.operation.paged) return true;
		if (hasNew) return false;
		throw this.endless(
			answer,
			`after ${this.rows.length} rows the service sends only rows that it has sent before`,
		);
	}

	private endsCounted(answer: Answer, page: Page, isFirst: boolean): boolean {
		if (this.position >= page.totalRows) return !(isFirst && this.mayCountPage(page));
		if (page.rows.length > 0 && this.operation.paged) return false;
		throw this.refusal(
			answer,
			`The list is incomplete: the service counts ${page.totalRows} rows, but sent none after row ${this.position}`,
			adviceRunLater,
		);
	}

	/**
	 * Some services count the rows of the page instead of the list's; then a full page is followed by another. Full
	 * is a page with as many rows as were asked for, or as the service gives at most: the interface does not say how
	 * many, but such bounds are round numbers.
	 */
	private mayCountPage({ rows: { length }, totalRows }: Page): boolean {
		const isFull = length >= this.wantedRows.pageSize || length % 10 === 0 || length % 25 === 0;
		return this.operation.paged && length > 0 && length === totalRows && isFull;
	}
}
