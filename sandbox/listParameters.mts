// The list parameters of a request → the page of rows that it asks for.
import type { Dialects } from './dialects.mts';
import { badRequest } from './errorResponses.mts';
import { conditionsOf } from './filters.mts';
import type { ComparedField, ListSelection, RecordStore, StoredRecord } from './recordStore.mts';

interface ListQuery {
	rowVersion?: string;
	changesSince?: string;
	limit?: number;
	offset?: number;
	showArchived?: string;
	filter?: string;
	orderby?: string;
}

const refused = (field: string, message: string) => badRequest({ field, message });

/** @returns milliseconds since the epoch; in the zone UTC if the text names none */
function changedSince(text: string): number {
	const date = Date.parse(text);
	if (Number.isNaN(date)) throw refused('changesSince', 'is not a date');
	return date;
}

function showsArchived(text: string): boolean {
	if (/^(?:true|false|1|0)$/.test(text)) return text === 'true' || text === '1';
	throw refused('showArchived', 'must be true, false, 1 or 0');
}

/** @returns the order that `orderby` asks for, such as `city DESC` */
function orderOf({ orderby = '' }: ListQuery): ListSelection['orderBy'] {
	const [, field, direction] = /^(\w+)(?: (ASC|DESC))?$/i.exec(orderby) ?? [];
	if (orderby !== '' && !field) throw refused('orderby', 'must be a field, and ASC or DESC');
	return field ? { field, isDescending: /desc/i.test(direction ?? '') } : undefined;
}

/** Rows of a page whose size is not asked for. */
const usualPage = 20;

/** @throws ErrorResponse (400) for a number that cannot count rows, such as 2.5 or 1e300 */
function requireCount(field: string, value: number): void {
	if (!Number.isSafeInteger(value)) throw refused(field, 'must be a whole number');
}

function pageSize({ limit = usualPage }: ListQuery, { largestPage }: Dialects): number {
	const most = Number(largestPage.replace(/\D+/, '') || Infinity);
	requireCount('limit', limit);
	if (limit > most && largestPage.startsWith('refused'))
		throw refused('limit', `must be <= ${most}`);
	return Math.min(limit, most);
}

export interface Page {
	/** The number of rows on all pages. */
	totalRows: number;
	/** `rowNum` counts from the beginning of the list, not of the page. */
	rows: Array<StoredRecord & { rowNum: number }>;
}

/**
 * The rows that a request asks for.
 * @param within conditions that all rows of the list meet
 * @throws ErrorResponse (400) when a parameter cannot be read
 */
export function pageOf(
	{ records, dialects }: { records: RecordStore; dialects: Dialects },
	{ kind, idField }: { kind: string; idField?: string },
	query: unknown,
	within: ComparedField[] = [],
): Page {
	const given = query as ListQuery;
	const { rowVersion, changesSince, showArchived, filter = '', offset = 0 } = given;
	const compared = conditionsOf(filter);
	const orderBy = orderOf(given);
	const requireField = (parameter: string, field: string) => {
		if (field === idField || records.hasField(kind, field)) return;
		throw refused(parameter, `${field} is not a known field`);
	};
	for (const field of new Set(compared.map(({ field }) => field))) requireField('filter', field);
	if (orderBy) requireField('orderby', orderBy.field);
	requireCount('offset', offset);
	const { totalRows, rows } = records.list(kind, {
		rowVersion,
		changedSince: changesSince === undefined ? undefined : changedSince(changesSince),
		showArchived: showArchived !== undefined && showsArchived(showArchived),
		fields: [...within, ...compared],
		idField,
		orderBy,
		limit: pageSize(given, dialects),
		offset,
	});
	return { totalRows, rows: rows.map((row, index) => ({ rowNum: offset + index + 1, ...row })) };
}
