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
	/** Whether a change to the row waits for its turn. A row that waits as added was not told of. */
	mark?: string;
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

/** The row as it was told, or an added one as it is. */
const rowBefore = ({ before, now }: RowChange): SnapshotRow => (before ?? now)!;

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

/** The marks of rows that wait, by the kind of the change: no digest has one of these characters. */
export const marks = { added: '+', changed: '!', removed: '?' } as const;

/** A row as a line: its parts, with its mark between them. JSON has no line breaks. */
const lineOf = ({ content, identity }: SnapshotRow, mark = ' '): string =>
	`${content}${mark}${identity}`;

/** The rows of a snapshot, as lineOf() has written them. */
const rowsIn = (snapshot: string): SnapshotRow[] =>
	(snapshot === '' ? [] : snapshot.split('\n')).map((line) => {
		const end = line.search(/[ +!?]/);
		return { content: line.slice(0, end), identity: line.slice(end + 1), mark: line[end] };
	});

/**
 * The snapshot of the rows that are there now, in the order of the list, but for some changes that are left for the
 * next poll to find. Those come first: of equal rows, diffRows() finds the last ones again.
 * @param waiting changes that come before all others in the next poll, in this order
 * @param unbelieved removals that are none yet
 */
export function snapshotOf(
	entries: readonly RowEntry[],
	waiting: readonly RowChange[] = [],
	unbelieved: readonly RowChange[] = [],
): string {
	const left = new Set(waiting.map(({ now }) => now));
	return [
		...waiting.map((change) => lineOf(rowBefore(change), marks[change.kind])),
		...[...unbelieved.map(rowBefore), ...entries.filter((entry) => !left.has(entry))].map((row) =>
			lineOf(row),
		),
	].join('\n');
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

/** The key of a row whose content may have changed since. */
const keyOf = (row: SnapshotRow): string => (hasID(row) ? row.identity : row.content);

/** Puts the changes first that have waited, in their order: a row that changes all the time may not keep others back. */
function inTurn(changes: readonly RowChange[], waiting: readonly SnapshotRow[]): RowChange[] {
	const ofRow = groupedBy([...changes].reverse(), (change) => keyOf(rowBefore(change)));
	const first = waiting.flatMap((row) => ofRow.get(keyOf(row))?.pop() ?? []);
	return [...new Set([...first, ...changes])];
}

/**
 * Compares a snapshot with the rows that are there now. If several rows share an ID, those that did not change are
 * found by their content; which of the others became which does not matter.
 * @param snapshot made by snapshotOf()
 * @returns changes that have waited; then added and changed rows in the order of the list, and removed ones
 */
export function diffRows(
	snapshot: string,
	entries: readonly RowEntry[],
	idField: string | undefined,
	onlyFields: readonly string[],
): RowChange[] {
	if (snapshot === snapshotOf(entries)) return [];
	const rows = rowsIn(snapshot);
	const told = rows.filter(({ mark }) => mark !== marks.added);
	const unmatched = groupedBy(told, contentKeyOf);
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
	const waiting = rows.filter(({ mark }) => mark !== ' ');
	return inTurn([...addedOrChanged, ...removed], waiting);
}
