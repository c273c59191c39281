// Snapshots of a list, and the difference between a snapshot and the rows that are there now. A snapshot is a string,
// since it is kept in n8n's static data.
import { sleep, type IDataObject } from 'n8n-workflow';

import type { KindOfChange } from '../form/trigger';
import { groupedBy } from '../http/format';
import { parseJson } from '../http/json';
import { digestOf, idOf, recordOfRow } from '../kinds/list/rows';

/** All that a snapshot holds of a row. */
interface SnapshotRow {
	/**
	 * The digest of the row's record; with 'Only When These Fields Change' one of each field, with dots
	 * between them.
	 */
	content: string;
	/** As JSON: the ID of the record, or the whole record if it has none. */
	identity: string;
	/** Whether the row was missing when the list was last read. */
	isMissing?: boolean;
}

/** A row that is there now. */
export interface RowEntry extends SnapshotRow {
	row: IDataObject;
}

/** One difference between a snapshot and the rows that are there now. */
export interface RowChange {
	kind: KindOfChange;
	/** The row as the service sent it; of a removed row only its identity. */
	row: IDataObject;
	/** Undefined for an added row. */
	before?: SnapshotRow;
	/** Undefined for a removed row. */
	now?: RowEntry;
	/** Of a changed row: which fields of 'Only When These Fields Change' changed. */
	changedFields?: readonly string[];
}

/** How many rows get their digests before other work of this n8n process gets its turn. */
const rowsAtOnce = 1000;

/**
 * `rowNum` and `rowVersion` belong to the list and not to the record, so they are left out: a row that only gets
 * another number has not changed.
 * @param idField the field that holds the ID of a row's record, if the list has one
 * @param onlyFields those whose changes count; with none, all do
 */
export async function rowEntriesOf(
	rows: readonly IDataObject[],
	idField: string | undefined,
	onlyFields: readonly string[],
): Promise<RowEntry[]> {
	const entries: RowEntry[] = [];
	for (const row of rows) {
		const record = recordOfRow(row);
		const identity = JSON.stringify(idOf(row, idField) ?? record);
		const compared = onlyFields.length > 0 ? onlyFields.map((name) => record[name]) : [record];
		const content = compared.map((value) => digestOf(value)).join('.');
		entries.push({ row, content, identity });
		if (entries.length % rowsAtOnce === 0) await sleep(0);
	}
	return entries;
}

/** A row as a line: its parts, with a question mark between them if it is missing. JSON has no line breaks. */
const lineOf = ({ content, identity, isMissing }: SnapshotRow): string =>
	`${content}${isMissing ? '?' : ' '}${identity}`;

/** The rows of a snapshot, as lineOf() has written them. */
export const rowsIn = (snapshot: string): SnapshotRow[] =>
	(snapshot === '' ? [] : snapshot.split('\n')).map((line) => {
		const end = line.search(/[ ?]/);
		const isMissing = line[end] === '?';
		return { content: line.slice(0, end), identity: line.slice(end + 1), isMissing };
	});

/**
 * The snapshot of the rows that are there now, in the order of the list, but for some changes that are left for the
 * next poll to find. Rows that are missing come first: of equal rows, diffRows() finds the last ones again.
 */
export function snapshotOf(
	entries: readonly RowEntry[],
	changesLeft: readonly RowChange[] = [],
): string {
	const left = new Set(changesLeft.map(({ now }) => now));
	const rowsBefore = changesLeft.flatMap(({ before, now }) =>
		before ? { ...before, isMissing: now === undefined } : [],
	);
	return [...rowsBefore, ...entries.filter((entry) => !left.has(entry))].map(lineOf).join('\n');
}

const hasID = ({ identity }: SnapshotRow): boolean => !identity.startsWith('{');

/**
 * The key shared by all equal rows. Without an ID it is the digest of the content alone: in the JSON, the fields may
 * come in another order.
 */
const contentKeyOf = (row: SnapshotRow): string =>
	hasID(row) ? `${row.content} ${row.identity}` : row.content;

/** All that is known of a removed row: its identity. */
function removedRow({ identity }: SnapshotRow, idField = ''): IDataObject {
	const idOrRecord = parseJson(identity) as IDataObject | number | string;
	return typeof idOrRecord === 'object' ? idOrRecord : { [idField]: idOrRecord };
}

/** Which of the fields that were chosen differ. */
function differing(before: SnapshotRow, now: SnapshotRow, onlyFields: readonly string[]): string[] {
	const [digestsBefore, digestsNow] = [before, now].map(({ content }) => content.split('.'));
	return onlyFields.filter((_, at) => digestsBefore![at] !== digestsNow![at]);
}

/**
 * Compares a snapshot with the rows that are there now. If several rows share an ID, those that did not change are
 * found by their content; which of the others became which does not matter.
 * @param snapshot made by snapshotOf()
 * @returns added and changed rows in the order of the list, then the removed ones
 */
export function diffRows(
	snapshot: string,
	entries: readonly RowEntry[],
	idField: string | undefined,
	onlyFields: readonly string[],
): RowChange[] {
	if (snapshot === snapshotOf(entries)) return [];
	const unmatched = groupedBy(rowsIn(snapshot), contentKeyOf);
	const newOrChanged = entries.filter((now) => !unmatched.get(contentKeyOf(now))?.pop());
	// Rows without an ID are no longer among these if they are there now: their identity is all they hold.
	const missing = groupedBy([...unmatched.values()].flat(), ({ identity }) => identity);
	const addedOrChanged = newOrChanged.map((now): RowChange => {
		const { row } = now;
		const before = missing.get(now.identity)?.pop();
		if (!before) return { kind: 'added', row, now };
		return { kind: 'changed', row, before, now, changedFields: differing(before, now, onlyFields) };
	});
	const removed = [...missing.values()].flat().map((before): RowChange => {
		return { kind: 'removed', row: removedRow(before, idField), before };
	});
	return [...addedOrChanged, ...removed];
}
