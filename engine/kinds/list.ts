// Paged lists: `limit` and `offset` until as many rows are there as asked for, or as `totalRows` says exist.
import type { IDataObject } from 'n8n-workflow';

import type { ListOperation } from '../area';
import { isUnchanged, objectOf, unreadable } from '../answer/answer';
import type { Answer } from '../send/attempt';
import { Failure, laterAgain } from '../failure';
import { isObject } from '../http/json';
import { withFilter } from '../form/filter';
import { buildRequest } from '../request/request';
import { unchanged, type Job, type Service } from './job';

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

/** Reads the pages of one list, and notices what is wrong with them. */
class Reading {
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
		// An ETag is a page's own: a 304 in the middle leaves a hole.
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

interface AskedPage {
	offset: number;
	answer: Promise<Answer>;
}

/**
 * Reads on after the first page: the others are asked for ahead of their turn, and added in their order.
 * @param ahead most pages asked for at once
 */
async function readOn(
	reading: Reading,
	ask: (offset: number) => Promise<Answer>,
	ahead: number,
): Promise<void> {
	const asked: AskedPage[] = [];
	const settled = () => Promise.allSettled(asked.splice(0).map(({ answer }) => answer));
	let width = ahead;
	let offset = reading.position;
	try {
		for (;;) {
			while (asked.length === 0 || (asked.length < width && offset < reading.end)) {
				const answer = ask(offset);
				// The list may end, or fail, before its turn comes.
				answer.catch(() => {});
				asked.push({ offset, answer });
				offset += reading.pageLength;
			}
			if (reading.add(await asked.shift()!.answer)) return;
			if ((asked[0]?.offset ?? offset) !== reading.position) {
				// Pages of unequal length: where one begins is only known when the one before is there.
				await settled();
				width = 1;
				offset = reading.position;
			}
		}
	} finally {
		await settled();
	}
}

export async function list(
	{ send, hint, pagesAhead }: Service,
	operation: ListOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const { settings } = values;
	const start = Number(settings.offset ?? 0);
	const wanted = settings.returnAll ? Infinity : Number(settings.limit);
	const filters = withFilter(values.query);
	const reading = new Reading(operation, start, wanted, hint);
	const ask = (offset: number): Promise<Answer> => {
		const limit = Math.min(Number(settings.pageSize), start + wanted - offset);
		const query = operation.paged ? { ...filters, limit, ...(offset > 0 && { offset }) } : {};
		return send(buildRequest(operation, { ...values, query }));
	};
	const first = await ask(start);
	if (isUnchanged(first)) return unchanged(values);
	if (!reading.add(first)) await readOn(reading, ask, pagesAhead);
	return reading.rows;
}
