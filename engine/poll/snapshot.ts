// Takes snapshots of a list, and compares a snapshot with the list's current rows. A snapshot is a string, because it
// is kept in n8n's static data.
import type { IDataObject } from 'n8n-workflow';

import type { KindOfChange } from '../form/trigger';
import { addTo } from '../http/format';
import { parseJson } from '../http/json';
import { digestOf, idOf, recordOfRow } from '../kinds/list/rows';
import { inTurns } from '../n8n';

/** What a snapshot stores about a row. */
interface SnapshotRow {
	/**
	 * The digest of the row's record; with 'Only When These Fields Change', the digests of these fields, joined by
	 * dots.
	 */
	content: string;
	/** The ID of the record, or the whole record if it has none, as JSON. */
	identity: string;
	/** The mark of a row whose change waits to be delivered. A row waiting as added has not been reported yet. */
	mark?: string;
}

/** A current row of the list. */
export interface RowEntry extends SnapshotRow {
	row: IDataObject;
}

/** One difference between a snapshot and the current rows. */
export interface RowChange {
	kind: KindOfChange;
	/** Undefined for an added row. */
	before?: SnapshotRow;
	/** Undefined for a removed row. */
	now?: RowEntry;
}

/** The row as last reported; for an added row, as it is now. */
const rowBefore = ({ before, now }: RowChange): SnapshotRow => (before ?? now)!;

/**
 * Ignores `rowNum` and `rowVersion`, which belong to the list and not to the record: a row that only gets a different
 * number has not changed.
 * @param idField the field with the ID of a row's record, if the list has one
 * @param onlyFields the fields whose changes count; if empty, all do
 */
export async function rowEntriesOf(
	rows: readonly IDataObject[],
	idField: string | undefined,
	onlyFields: readonly string[],
): Promise<RowEntry[]> {
	const entries: RowEntry[] = [];
	for await (const row of inTurns(rows)) {
		const record = recordOfRow(row);
		const identity = JSON.stringify(idOf(row, idField) ?? record);
		const compared = onlyFields.length > 0 ? onlyFields.map((name) => record[name]) : [record];
		const content = compared.map((value) => digestOf(value)).join('.');
		entries.push({ row, content, identity });
	}
	return entries;
}

/** The marks of waiting rows, by the kind of the change. No digest contains any of these characters. */
export const marks = { added: '+', changed: '!', removed: '?' } as const;

/** The row as one line: content, mark and identity. JSON on one line has no line breaks. */
const lineOf = ({ content, identity }: SnapshotRow, mark = ' ') => `${content}${mark}${identity}`;

/** @param line written by lineOf() */
function rowOf(line: string): SnapshotRow {
	const end = line.search(/[ +!?]/);
	return { content: line.slice(0, end), identity: line.slice(end + 1), mark: line[end] };
}

/**
 * The snapshot of the current rows in list order, without the changes that are left for the next poll to find. The rows
 * of these changes come first, because diffRows() matches the last of several equal rows.
 * @param waiting changes that come first in the next poll, in this order
 * @param unbelieved removals that do not count yet
 */
export async function snapshotOf(
	entries: readonly RowEntry[],
	waiting: readonly RowChange[] = [],
	unbelieved: readonly RowChange[] = [],
): Promise<string> {
	const left = new Set(waiting.map(({ now }) => now));
	const lines = waiting.map((change) => lineOf(rowBefore(change), marks[change.kind]));
	for await (const row of inTurns([...unbelieved.map(rowBefore), ...entries]))
		if (!left.has(row as RowEntry)) lines.push(lineOf(row));
	return lines.join('\n');
}

/** The fields known about a removed row: its identity. */
export function removedRow({ identity }: SnapshotRow, idField = ''): IDataObject {
	const idOrRecord = parseJson(identity) as IDataObject | number | string;
	return typeof idOrRecord === 'object' ? idOrRecord : { [idField]: idOrRecord };
}

/** The fields from 'Only When These Fields Change' that differ; empty unless the row is a changed one. */
export function differing({ before, now }: RowChange, onlyFields: readonly string[]): string[] {
	const [digestsBefore, digestsNow] = [before, now].map((row) => row?.content.split('.'));
	return onlyFields.filter((_, at) => digestsBefore && digestsBefore[at] !== digestsNow?.[at]);
}

/**
 * Identifies a row even if its content has changed. Without an ID, this is the digest of the content, since the order
 * of the fields in `identity` may differ.
 */
const keyOf = ({ content, identity }: SnapshotRow): string =>
	identity.startsWith('{') ? content : identity;

/** Identifies a row with its content: equal rows share it. */
const contentKeyOf = (row: SnapshotRow): string => `${row.content} ${keyOf(row)}`;

/**
 * Compares a snapshot with the current rows. If several rows share an ID, the unchanged ones are matched by content;
 * how the others are matched does not matter.
 * @param snapshot made by snapshotOf()
 * @returns first the waiting changes in their order, so that a row that changes all the time cannot hold others up;
 * then added and changed rows in list order, then removed ones
 */
export async function diffRows(snapshot: string, entries: readonly RowEntry[]) {
	/** The changes by row. The waiting rows are entered first, so that they keep their places. */
	const changes = new Map<SnapshotRow, RowChange | undefined>();
	const waitingAsAdded = new Map<string, SnapshotRow[]>();
	const unmatched = new Map<string, SnapshotRow[]>();
	for await (const line of inTurns(snapshot === '' ? [] : snapshot.split('\n'))) {
		const row = rowOf(line);
		if (row.mark !== ' ') changes.set(row, undefined);
		if (row.mark === marks.added) addTo(waitingAsAdded, keyOf(row), row);
		else addTo(unmatched, contentKeyOf(row), row);
	}
	const newOrChanged: RowEntry[] = [];
	for await (const now of inTurns(entries))
		if (!unmatched.get(contentKeyOf(now))?.pop()) newOrChanged.push(now);
	// A row without an ID is its own identity, so one that is still in the list has been matched above.
	const gone = new Map<string, SnapshotRow[]>();
	for await (const row of inTurns([...unmatched.values()].flat())) addTo(gone, row.identity, row);
	for await (const now of inTurns(newOrChanged)) {
		const before = gone.get(now.identity)?.pop();
		const known = before ?? waitingAsAdded.get(keyOf(now))?.pop() ?? now;
		changes.set(known, { kind: before ? 'changed' : 'added', before, now });
	}
	for await (const before of inTurns([...gone.values()].flat()))
		changes.set(before, { kind: 'removed', before });
	return [...changes.values()].filter((change) => change !== undefined);
}
