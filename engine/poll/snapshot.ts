// What is remembered of a list's rows, and how it differs from the rows that are there now.
import { sleep, type IDataObject } from 'n8n-workflow';

import type { KindOfChange } from '../form/trigger';
import { parseJson } from '../http/json';
import { digestOf } from '../kinds/list/digest';
import type { Identity } from '../kinds/list/identity';
import { simplified } from '../kinds/list/output';

/**
 * One row as a line of text: the digest of what it holds (base 36), a blank, and as JSON what tells it from others:
 * the ID of its record, else all it holds. JSON has no line breaks, so lines can be joined and split again.
 */
type Line = string;

const separator = '\n';

/** One difference. */
export interface Change {
	kind: KindOfChange;
	/** As the service sent it; of a removed one only what tells it from others. */
	row: IDataObject;
	/** How it was remembered; undefined when it is new. */
	before?: Line;
	/** How it is to be remembered; undefined when it is gone. */
	after?: Line;
}

/** A row that is there, and how it is to be remembered. */
export interface Entry {
	row: IDataObject;
	line: Line;
}

/** Milliseconds of making lines before others in this n8n get their turn. */
const longestSlice = 50;

/** `rowNum` and `rowVersion` are the list's own: a row that holds the same under another number has not changed. */
function lineOf(row: IDataObject, identity: Identity): Line {
	const record = simplified(row);
	const told = JSON.stringify(identity.idOf(row) ?? record);
	return `${digestOf(record).toString(36)} ${told}`;
}

export async function entriesOf(
	rows: readonly IDataObject[],
	identity: Identity,
): Promise<Entry[]> {
	const entries: Entry[] = [];
	let began = performance.now();
	for (const row of rows) {
		entries.push({ row, line: lineOf(row, identity) });
		if (performance.now() - began < longestSlice) continue;
		await sleep(0);
		began = performance.now();
	}
	return entries;
}

const digestIn = (line: Line): string => line.slice(0, line.indexOf(' '));

const toldIn = (line: Line): string => line.slice(line.indexOf(' ') + 1);

/** Lines with the same key are the same row; without an ID, those with the same digest: names may change places. */
function keyOf(line: Line): string {
	const told = toldIn(line);
	return told.startsWith('{') ? digestIn(line) : told;
}

/** What a removed row is known by. */
function remains(line: Line, rowID = ''): IDataObject {
	const told = parseJson(toldIn(line)) as IDataObject | number | string;
	return typeof told === 'object' ? told : { [rowID]: told };
}

/** Lines by key; an ID may be there more than once, and equal rows without an ID are. */
class Lines {
	private readonly byKey = new Map<string, Line[]>();

	constructor(lines: Iterable<Line>) {
		for (const line of lines) this.add(line);
	}

	add(line: Line): void {
		const key = keyOf(line);
		const same = this.byKey.get(key);
		if (same) same.push(line);
		else this.byKey.set(key, [line]);
	}

	/**
	 * Takes out a line with the key and the digest of this one.
	 * @returns whether there was one
	 */
	take(line: Line): boolean {
		const same = this.byKey.get(keyOf(line));
		const at = same?.findIndex((one) => digestIn(one) === digestIn(line)) ?? -1;
		if (at >= 0) same!.splice(at, 1);
		return at >= 0;
	}

	/** Takes out any line with the key of this one. */
	takeLike(line: Line): Line | undefined {
		return this.byKey.get(keyOf(line))?.shift();
	}

	get all(): Line[] {
		return [...this.byKey.values()].flat();
	}
}

/** @param remembered text made by snapshotOf() or after() */
const linesIn = (remembered: string): Line[] =>
	remembered === '' ? [] : remembered.split(separator);

/** What is remembered of rows, as text. */
export const snapshotOf = (entries: readonly Entry[]): string =>
	entries.map(({ line }) => line).join(separator);

/**
 * Compares rows with what is remembered. Rows of one ID are told apart by what they hold: which of two that
 * changed was which does not matter.
 * @param remembered text made by snapshotOf() or after()
 * @param rowID field that names a row's record, if the list has one
 * @returns added and changed rows in the order of the list, then the removed ones
 */
export function compare(
	remembered: string,
	entries: readonly Entry[],
	rowID: string | undefined,
): Change[] {
	if (remembered === snapshotOf(entries)) return [];
	const left = new Lines(linesIn(remembered));
	const seen = entries
		.filter(({ line }) => !left.take(line))
		.map(({ row, line }): Change => {
			const before = left.takeLike(line);
			const kind = before === undefined ? 'added' : 'changed';
			return { kind, row, before, after: line };
		});
	const gone = left.all.map(
		(before): Change => ({ kind: 'removed', row: remains(before, rowID), before }),
	);
	return [...seen, ...gone];
}

/** What is to be remembered after some of the changes. */
export function after(remembered: string, changes: readonly Change[]): string {
	const lines = new Lines(linesIn(remembered));
	for (const change of changes) {
		if (change.before !== undefined) lines.take(change.before);
		if (change.after !== undefined) lines.add(change.after);
	}
	return lines.all.join(separator);
}
