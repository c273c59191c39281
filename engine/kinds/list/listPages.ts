// Collects the pages of one list, and checks each of them against those before it.
import type { IDataObject } from 'n8n-workflow';

import { isCount, isNotModified, parsePage, type Page } from '../../answer/answerData';
import { failureIn } from '../../answer/answerPolicy';
import type { ListOperation } from '../../area';
import { Failure } from '../../failure';
import type { Settings } from '../../form/settings';
import { formatCount } from '../../http/format';
import type { Answer } from '../../send/exchange';
import type { JobServices } from '../job';
import { pageRules, type KeyedPage } from './pageRules';
import { RowIdentity, type RowKey } from './rowIdentity';
import { rowShape } from './rowShape';

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
 * Whether the second page begins with the row that the first has ended with, or leaves out the row after it: then
 * `offset` counts from another number than the credential says.
 */
function isAtWrongRow(previous: KeyedPage, page: KeyedPage, offsetBase: string): boolean {
	if (offsetBase === '1') return skippedRows(previous, page) === 1;
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

	/** Says so when fewer rows came than the service counts, and the interface names no way to ask for the others. */
	partial?: string;

	/** The most rows to return; Infinity for all. */
	private readonly limit: number;

	/** The page that was added last. */
	private lastPage?: KeyedPage;

	/** `totalRows` of the first page, as far as the service counts. */
	private firstCount?: number;

	private readonly identity: RowIdentity;

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
		this.identity = new RowIdentity(operation.idField);
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
		return this.lastPage !== undefined && this.nextOffset >= (this.count ?? 0);
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
		const { anomalies } = this;
		if (this.isRefusedBeyondEnd(answer)) return !!anomalies.add('endUnconfirmed');
		// A 304 in the middle of a list leaves out the rows of this page.
		if (isNotModified(answer)) throw failureIn('read', { ...answer, expected: 'rows' })!;
		const page = this.pageOf(answer);
		const facts = this.factsOf(page);
		const { verdict, message, advice } = pageRules.find(({ matches }) => matches(facts))!;
		if (verdict === 'refused') {
			const { status, tries } = answer;
			throw new Failure(message!(facts), verdict, { status, tries, advice });
		}
		if (verdict === 'endUnconfirmed') return !!anomalies.add(verdict);
		if (facts.haveRowsMoved) anomalies.add('rowsMoved');
		if (facts.hasCountChanged) anomalies.add('countChanged');
		if (facts.isCountTooLow) anomalies.add('countTooLow');
		for (const key of page.keys) this.rowKeys.add(key);
		for (const row of page.rows) if (this.rows.length < this.limit) this.rows.push(this.shape(row));
		if (page.rows.length > 0) this.pageCount++;
		this.lastPage = page;
		if (verdict === 'partial')
			this.partial = `The service counts ${formatCount(facts.count!)} rows, but sent only ${formatCount(this.rows.length)}`;
		return verdict !== 'more';
	}

	private pageOf(answer: Answer): KeyedPage {
		const { rows, totalRows } = parsePage(answer, this.operation, this.services.hint);
		this.firstCount ??= totalRows;
		return {
			rows,
			// Beyond a list's end some services give no count any more.
			totalRows: totalRows ?? this.lastPage?.totalRows,
			keys: rows.map((row) => this.identity.keyOf(row)),
			hasId: rows.length > 0 && this.identity.idOf(rows[0]!) !== undefined,
		};
	}

	/** What the next page shows: the rules decide by it. */
	factsOf(page: KeyedPage) {
		const { lastPage: previous, pageCount, limit, firstCount, isBeyondCount, operation } = this;
		const { pageSize, offsetBase } = this.services.conventions;
		const { length } = page.rows;
		const begin = this.nextOffset;
		const rowsBefore = this.rows.length;
		const rowCount = Math.min(limit, rowsBefore + length);
		const end = this.settings.offset + rowCount;
		const isMiscounted = length > 0 && end > (page.totalRows ?? Infinity);
		const isCountTooLow = isMiscounted || this.anomalies.has('countTooLow');
		// The interface does not say how many rows the service gives at most, but such limits are round numbers.
		const isRound = length % 10 === 0 || length % 25 === 0;
		const isFull = length > 0 && (length >= pageSize || isRound);
		// A page is cut from one state of the list, so equal rows within it are the list's own.
		const repeatedRows = page.keys.filter((key) => this.rowKeys.has(key)).length;
		return {
			...{ limit, firstCount, isBeyondCount, offsetBase, length, begin, rowsBefore, rowCount, end },
			...{ isCountTooLow, isFull },
			paged: operation.paged,
			totalRows: page.totalRows,
			/** What the list has, as far as the count is to be believed. */
			count: isCountTooLow ? undefined : page.totalRows,
			isSentAgain: !!previous && isSamePage(previous, page, this.limitAt(begin)),
			/**
			 * Whether a page that came again may be the first of many, which a service that ignores `offset` sends each time:
			 * it has as many rows as were asked for. With fewer, a larger page would show nothing more.
			 */
			mayBeFirstOfMany: pageCount === 1 && this.pageLength >= pageSize,
			isAtWrongRow: !!previous && pageCount === 1 && isAtWrongRow(previous, page, offsetBase),
			/** Some services count the rows of the page instead of the list's. Then a full page is followed by another. */
			mayCountPage: !previous && operation.paged && length === page.totalRows && isFull,
			hasNewRows: operation.idField === undefined || repeatedRows < length,
			haveRowsMoved: repeatedRows > 0 || (!!previous && skippedRows(previous, page) > 0),
			// Beyond a list's end some services give 0 as `totalRows`.
			hasCountChanged:
				!!previous && !(length === 0 && isBeyondCount) && previous.totalRows !== page.totalRows,
		};
	}
}
