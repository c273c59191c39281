// The pages of one list, put together and checked against each other.
import type { IDataObject } from 'n8n-workflow';

import { isUnchanged, objectOf } from '../answer/answer';
import { unreadable } from '../answer/failures';
import type { ListOperation } from '../area';
import { Failure, laterAgain } from '../failure';
import { isObject } from '../http/json';
import type { Answer } from '../send/attempt';
import type { Service } from './job';

interface Page {
	rows: IDataObject[];
	totalRows: number;
}

/** n8n holds all items of a node in memory: beyond this many rows a run would not end well. */
const mostRows = 1_000_000;

function pageOf(answer: Answer, key: string): Page {
	const { totalRows, [key]: rows } = objectOf(answer);
	if (!Array.isArray(rows) || !rows.every(isObject) || !isCount(totalRows)) {
		throw unreadable(answer, `'totalRows' and the list '${key}'`);
	}
	return { rows: rows as IDataObject[], totalRows };
}

const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0;

/** Whether rows came or went between two pages: then one may be missing, or be there twice. */
function haveMoved(before: Page, after: Page): boolean {
	if (before.totalRows !== after.totalRows) return true;
	const [first, last] = [before.rows.at(0)?.rowNum, before.rows.at(-1)?.rowNum];
	const next = after.rows.at(0)?.rowNum;
	if (!isCount(last) || !isCount(next)) return false;
	const beginsAnew = next === first;
	return !beginsAnew && next !== last + 1;
}

/** Puts the pages of one list together, and notices what is wrong with them. */
export class Pages {
	readonly rows: IDataObject[] = [];

	private page?: Page;

	private text?: string;

	/** Rows that the first page counted. */
	private counted = 0;

	constructor(
		private readonly operation: ListOperation,
		private readonly offset: number,
		private readonly wanted: number,
		private readonly hint: Service['hint'],
	) {}

	/** Position of the next row in the service's list. */
	get position(): number {
		return this.offset + this.rows.length;
	}

	/** Position after the last row that is wanted, as far as the service has told. */
	get end(): number {
		return Math.min(this.offset + this.wanted, this.page?.totalRows ?? Infinity);
	}

	/** Rows the service gives in a page; it may be fewer than were asked for. */
	get pageLength(): number {
		return this.page?.rows.length ?? 0;
	}

	/** @returns whether the list is complete */
	add(answer: Answer): boolean {
		const { rows, page: before, wanted } = this;
		// 304 in the middle of a list: the rows of this page would be missing.
		if (isUnchanged(answer)) throw unreadable(answer, 'rows');
		const page = pageOf(answer, this.operation.key);
		const { status, tries } = answer;
		const refuse = (message: string, advice: string) =>
			new Failure(message, 'refused', { status, tries, advice });
		if (!before) this.counted = page.totalRows;
		if (Math.min(wanted, page.totalRows) > mostRows) {
			throw refuse(
				`The service counts ${page.totalRows} rows, more than one run can hold`,
				"Turn 'Return All' off and read in parts, with 'Limit' and 'Offset', or add filters.",
			);
		}
		if (page.rows.length > 0 && answer.text === this.text) {
			throw refuse(
				`The service sent the same page twice, at row ${this.position}: it does not page as its interface says`,
				"Set 'Page Size' to more rows than the list has, or ask the service's owner.",
			);
		}
		if (rows.length > 2 * this.counted + 1000) {
			throw refuse(
				`The list does not end: the service counted ${this.counted} rows at first, and after ${rows.length} rows still sends more`,
				"Turn 'Return All' off and set a 'Limit', or ask the service's owner.",
			);
		}
		if (before && haveMoved(before, page)) {
			this.hint(
				'The list changed while it was read: rows may be missing, or be there twice. Run the node again for an exact list.',
			);
		}
		for (const row of page.rows) if (rows.length < wanted) rows.push(row);
		this.page = page;
		this.text = answer.text;
		if (rows.length >= wanted || this.position >= page.totalRows) return true;
		if (page.rows.length > 0 && this.operation.paged) return false;
		throw refuse(
			`The list is incomplete: the service counts ${page.totalRows} rows, but sent none after row ${this.position}`,
			laterAgain,
		);
	}
}
