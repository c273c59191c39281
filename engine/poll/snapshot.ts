// Snapshots of a list, and the difference between a snapshot and the rows that are there now. A snapshot is a string,
// since it is kept in n8n's static data.
import type { IDataObject } from 'n8n-workflow';

import type { KindOfChange } from '../form/trigger';
import { addTo } from '../http/format';
import { parseJson } from '../http/json';
import { digestOf, idOf, recordOfRow } from '../kinds/list/rows';
import { inTurns } from '../n8n';

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
	/** Undefined for an added row. */
	before?: SnapshotRow;
	/** Undefined for a removed row. */
	now?: RowEntry;
}

/** The row as it was told, or an added one as it is. */
const rowBefore = ({ before, now }: RowChange): SnapshotRow => (before ?? now)!;

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
	for await (const row of inTurns(rows)) {
		const record = recordOfRow(row);
		const identity = JSON.stringify(idOf(row, idField) ?? record);
		const compared = onlyFields.length > 0 ? onlyFields.map((name) => record[name]) : [record];
		const content = compared.map((value) => digestOf(value)).join('.');
		entries.push({ row, content, identity });
	}
	return entries;
}

/** The marks of rows that wait, by the kind of the change: no digest has one of these characters. */
export const marks = { added: '+', changed: '!', removed: '?' } as const;

/** A row as a line: its parts, with its mark between them. JSON has no line breaks. */
const lineOf = ({ content, identity }: SnapshotRow, mark = ' '): string =>
	`${content}${mark}${identity}`;

/** @param line as lineOf() has written it */
function rowOf(line: string): SnapshotRow {
	const end = line.search(/[ +!?]/);
	return { content: line.slice(0, end), identity: line.slice(end + 1), mark: line[end] };
}

/**
 * The snapshot of the rows that are there now, in the order of the list, but for some changes that are left for the
 * next poll to find. Those come first: of equal rows, diffRows() finds the last ones again.
 * @param waiting changes that come before all others in the next poll, in this order
 * @param unbelieved removals that are none yet
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

/** All that is known of a removed row: its identity. */
export function removedRow({ identity }: SnapshotRow, idField = ''): IDataObject {
	const idOrRecord = parseJson(identity) as IDataObject | number | string;
	return typeof idOrRecord === 'object' ? idOrRecord : { [idField]: idOrRecord };
}

/** Which of the fields differ that were chosen in 'Only When These Fields Change'; none of a row that is no changed one. */
export function differing({ before, now }: RowChange, onlyFields: readonly string[]): string[] {
	const [digestsBefore, digestsNow] = [before, now].map((row) => row?.content.split('.'));
	return onlyFields.filter((_, at) => digestsBefore && digestsBefore[at] !== digestsNow?.[at]);
}

/**
 * The key of a row whose content may have changed since. Without an ID it is the digest of the content: in the JSON, the
 * fields may come in another order.
 */
const keyOf = ({ content, identity }: SnapshotRow): string =>
	identity.startsWith('{') ? content : identity;

/** The key shared by all equal rows. */
const contentKeyOf = (row: SnapshotRow): string => `${row.content} ${keyOf(row)}`;

/**
 * Compares a snapshot with the rows that are there now. If several rows share an ID, those that did not change are
 * found by their content; which of the others became which does not matter.
 * @param snapshot made by snapshotOf()
 * @returns changes that have waited, in their order, since a row that changes all the time may not keep others back;
 * then added and changed rows in the order of the list, and removed ones
 */
export async function diffRows(snapshot: string, entries: readonly RowEntry[]) {
	/** By what is known of the row: those that have waited come first. */
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
	// Rows without an ID are no longer among these if they are there now: their identity is all they hold.
	const missing = new Map<string, SnapshotRow[]>();
	for await (const row of inTurns([...unmatched.values()].flat()))
		addTo(missing, row.identity, row);
	for await (const now of inTurns(newOrChanged)) {
		const before = missing.get(now.identity)?.pop();
		const known = before ?? waitingAsAdded.get(keyOf(now))?.pop() ?? now;
		changes.set(known, { kind: before ? 'changed' : 'added', before, now });
	}
	for await (const before of inTurns([...missing.values()].flat()))
		changes.set(before, { kind: 'removed', before });
	return [...changes.values()].filter((change) => change !== undefined);
}
