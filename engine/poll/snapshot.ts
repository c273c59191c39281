// Snapshots of a list, and the difference between a snapshot and the rows that are there now. A snapshot is a text,
// since it is kept in n8n's static data.
import { sleep, type IDataObject } from 'n8n-workflow';

import type { KindOfChange } from '../form/trigger';
import { parseJson } from '../http/json';
import { digestOf } from '../kinds/list/digest';
import type { RowIdentity } from '../kinds/list/rowIdentity';
import { simplifiedRow } from '../kinds/list/rowShape';

/**
 * One row as a line of text: the digest of what it holds (base 36), a blank, and as JSON its identity. That is the
 * ID of its record, or all it holds if it has no ID. JSON has no line breaks, so that lines can be joined and split
 * again.
 */
type RowDigest = string;

const separator = '\n';

/** One difference between a snapshot and the rows that are there now. */
export interface RowChange {
	kind: KindOfChange;
	/** The row as the service sent it; of a removed row only its identity. */
	row: IDataObject;
	/** The row in the snapshot; undefined for an added row. */
	oldDigest?: RowDigest;
	/** The row as the next snapshot has it; undefined for a removed row. */
	newDigest?: RowDigest;
}

/** A row that is there now, and how a snapshot has it. */
export interface RowEntry {
	row: IDataObject;
	digest: RowDigest;
}

/** How many rows get their digests before other work of this n8n process gets its turn. */
const rowsAtOnce = 1000;

/**
 * `rowNum` and `rowVersion` belong to the list and not to the record, so they are left out: a row that only gets
 * another number has not changed.
 */
function rowDigestOf(row: IDataObject, identity: RowIdentity): RowDigest {
	const record = simplifiedRow(row);
	const identityJson = JSON.stringify(identity.idOf(row) ?? record);
	return `${digestOf(record).toString(36)} ${identityJson}`;
}

export async function rowEntriesOf(
	rows: readonly IDataObject[],
	identity: RowIdentity,
): Promise<RowEntry[]> {
	const entries: RowEntry[] = [];
	for (const row of rows) {
		entries.push({ row, digest: rowDigestOf(row, identity) });
		if (entries.length % rowsAtOnce === 0) await sleep(0);
	}
	return entries;
}

const contentDigestIn = (digest: RowDigest): string => digest.slice(0, digest.indexOf(' '));

const identityIn = (digest: RowDigest): string => digest.slice(digest.indexOf(' ') + 1);

const hasID = (digest: RowDigest): boolean => !identityIn(digest).startsWith('{');

/**
 * The key that all digests of the same row with the same content have. Without an ID it is the digest of the content,
 * and not its JSON, whose fields may come in another order.
 */
const contentKeyOf = (digest: RowDigest): string =>
	hasID(digest) ? digest : contentDigestIn(digest);

/** All that is known of a removed row: its identity. */
function removedRow(digest: RowDigest, idField = ''): IDataObject {
	const identity = parseJson(identityIn(digest)) as IDataObject | number | string;
	return typeof identity === 'object' ? identity : { [idField]: identity };
}

/** Digests by a key. Several may have the same one: rows that share an ID, and equal rows without one. */
class RowDigests {
	private readonly byKey = new Map<string, RowDigest[]>();

	constructor(
		digests: Iterable<RowDigest>,
		private readonly keyOf: (digest: RowDigest) => string,
	) {
		for (const digest of digests) this.add(digest);
	}

	add(digest: RowDigest): void {
		const key = this.keyOf(digest);
		const sameKey = this.byKey.get(key);
		if (sameKey) sameKey.push(digest);
		else this.byKey.set(key, [digest]);
	}

	/** Takes out a digest with the same key, if there is one. */
	take(digest: RowDigest): RowDigest | undefined {
		return this.byKey.get(this.keyOf(digest))?.pop();
	}

	get all(): RowDigest[] {
		return [...this.byKey.values()].flat();
	}
}

const rowDigestsIn = (snapshot: string): RowDigest[] =>
	snapshot === '' ? [] : snapshot.split(separator);

/** The snapshot of rows: their digests in the order of the list. */
export const snapshotOf = (entries: readonly RowEntry[]): string =>
	entries.map(({ digest }) => digest).join(separator);

/** The snapshot of rows as they were before some changes of them. */
export const snapshotBefore = (changes: readonly RowChange[]): string =>
	changes.flatMap(({ oldDigest }) => oldDigest ?? []).join(separator);

/**
 * Compares a snapshot with the rows that are there now. If several rows share an ID, those that did not change are
 * found by their content; which of the others became which does not matter.
 * @param snapshot a text made by snapshotOf() or withChanges()
 * @param idField the field that holds the ID of a row's record, if the list has one
 * @returns added and changed rows in the order of the list, then the removed ones
 */
export function diffRows(
	snapshot: string,
	entries: readonly RowEntry[],
	idField: string | undefined,
): RowChange[] {
	if (snapshot === snapshotOf(entries)) return [];
	const unmatched = new RowDigests(rowDigestsIn(snapshot), contentKeyOf);
	const newOrChanged = entries.filter(({ digest }) => unmatched.take(digest) === undefined);
	// Rows without an ID are no more among these if they are there now: all they hold is their identity.
	const oldDigests = new RowDigests(unmatched.all, identityIn);
	const addedOrChanged = newOrChanged.map(({ row, digest: newDigest }): RowChange => {
		const oldDigest = oldDigests.take(newDigest);
		return { kind: oldDigest === undefined ? 'added' : 'changed', row, oldDigest, newDigest };
	});
	const removed = oldDigests.all.map(
		(oldDigest): RowChange => ({ kind: 'removed', row: removedRow(oldDigest, idField), oldDigest }),
	);
	return [...addedOrChanged, ...removed];
}

/** How many rows a snapshot has. */
export const rowCountIn = (snapshot: string): number => rowDigestsIn(snapshot).length;

/** @returns those of the changes whose row, as it was before, is in the snapshot */
export function rowsAmong(snapshot: string, changes: readonly RowChange[]): Set<RowChange> {
	const digests = new RowDigests(rowDigestsIn(snapshot), contentKeyOf);
	return new Set(changes.filter(({ oldDigest }) => digests.take(oldDigest!) !== undefined));
}

/** @returns the snapshot with some of the changes made in it */
export function withChanges(snapshot: string, changes: readonly RowChange[]): string {
	const digests = new RowDigests(rowDigestsIn(snapshot), contentKeyOf);
	for (const { oldDigest, newDigest } of changes) {
		if (oldDigest !== undefined) digests.take(oldDigest);
		if (newDigest !== undefined) digests.add(newDigest);
	}
	return digests.all.join(separator);
}
