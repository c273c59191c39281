// What is remembered of a list's rows, and how it differs from the rows that are there now.
import { sleep, type IDataObject } from 'n8n-workflow';

import type { KindOfChange } from '../form/trigger';
import { parseJson } from '../http/json';
import { digestOf } from '../kinds/list/digest';
import type { RowIdentity } from '../kinds/list/rowIdentity';
import { simplifiedRow } from '../kinds/list/shapedRows';

/**
 * One row as a line of text: the digest of what it holds (base 36), a blank, and as JSON what tells it from others:
 * the ID of its record, else all it holds. JSON has no line breaks, so lines can be joined and split again.
 */
type RowDigest = string;

const separator = '\n';

/** One difference. */
export interface RowChange {
	kind: KindOfChange;
	/** As the service sent it; of a removed one only what tells it from others. */
	row: IDataObject;
	/** How it was remembered; undefined when it is new. */
	before?: RowDigest;
	/** How it is to be remembered; undefined when it is gone. */
	after?: RowDigest;
}

/** A row that is there, and how it is to be remembered. */
export interface RowEntry {
	row: IDataObject;
	digest: RowDigest;
}

/** Milliseconds of making lines before others in this n8n get their turn. */
const maxDigestingTime = 50;

/** `rowNum` and `rowVersion` are the list's own: a row that holds the same under another number has not changed. */
function rowDigestOf(row: IDataObject, identity: RowIdentity): RowDigest {
	const record = simplifiedRow(row);
	const told = JSON.stringify(identity.idOf(row) ?? record);
	return `${digestOf(record).toString(36)} ${told}`;
}

export async function rowEntriesOf(
	rows: readonly IDataObject[],
	identity: RowIdentity,
): Promise<RowEntry[]> {
	const entries: RowEntry[] = [];
	let began = performance.now();
	for (const row of rows) {
		entries.push({ row, digest: rowDigestOf(row, identity) });
		if (performance.now() - began < maxDigestingTime) continue;
		await sleep(0);
		began = performance.now();
	}
	return entries;
}

const contentDigestIn = (line: RowDigest): string => line.slice(0, line.indexOf(' '));

const identityIn = (line: RowDigest): string => line.slice(line.indexOf(' ') + 1);

/** Lines with the same key are the same row; without an ID, those with the same digest: names may change places. */
function identityKeyOf(line: RowDigest): string {
	const told = identityIn(line);
	return told.startsWith('{') ? contentDigestIn(line) : told;
}

/** What a removed row is known by. */
function removedRow(line: RowDigest, rowID = ''): IDataObject {
	const told = parseJson(identityIn(line)) as IDataObject | number | string;
	return typeof told === 'object' ? told : { [rowID]: told };
}

/** Lines by key; an ID may be there more than once, and equal rows without an ID are. */
class RowDigests {
	private readonly byKey = new Map<string, RowDigest[]>();

	constructor(lines: Iterable<RowDigest>) {
		for (const line of lines) this.add(line);
	}

	add(line: RowDigest): void {
		const key = identityKeyOf(line);
		const same = this.byKey.get(key);
		if (same) same.push(line);
		else this.byKey.set(key, [line]);
	}

	/**
	 * Takes out a line with the key and the digest of this one.
	 * @returns whether there was one
	 */
	take(line: RowDigest): boolean {
		const same = this.byKey.get(identityKeyOf(line));
		const at = same?.findIndex((one) => contentDigestIn(one) === contentDigestIn(line)) ?? -1;
		if (at >= 0) same!.splice(at, 1);
		return at >= 0;
	}

	/** Takes out any line with the key of this one. */
	takeLike(line: RowDigest): RowDigest | undefined {
		return this.byKey.get(identityKeyOf(line))?.shift();
	}

	get all(): RowDigest[] {
		return [...this.byKey.values()].flat();
	}
}

/** @param remembered text made by snapshotOf() or after() */
const rowDigestsIn = (remembered: string): RowDigest[] =>
	remembered === '' ? [] : remembered.split(separator);

/** What is remembered of rows, as text. */
export const snapshotOf = (entries: readonly RowEntry[]): string =>
	entries.map(({ digest }) => digest).join(separator);

/**
 * Compares rows with what is remembered. Rows of one ID are told apart by what they hold: which of two that
 * changed was which does not matter.
 * @param remembered text made by snapshotOf() or after()
 * @param rowID field that names a row's record, if the list has one
 * @returns added and changed rows in the order of the list, then the removed ones
 */
export function diffRows(
	remembered: string,
	entries: readonly RowEntry[],
	rowID: string | undefined,
): RowChange[] {
	if (remembered === snapshotOf(entries)) return [];
	const left = new RowDigests(rowDigestsIn(remembered));
	const seen = entries
		.filter(({ digest }) => !left.take(digest))
		.map(({ row, digest }): RowChange => {
			const before = left.takeLike(digest);
			const kind = before === undefined ? 'added' : 'changed';
			return { kind, row, before, after: digest };
		});
	const gone = left.all.map(
		(before): RowChange => ({ kind: 'removed', row: removedRow(before, rowID), before }),
	);
	return [...seen, ...gone];
}

/** What is to be remembered after some of the changes. */
export function withChanges(remembered: string, changes: readonly RowChange[]): string {
	const lines = new RowDigests(rowDigestsIn(remembered));
	for (const change of changes) {
		if (change.before !== undefined) lines.take(change.before);
		if (change.after !== undefined) lines.add(change.after);
	}
	return lines.all.join(separator);
}
