// Formats numbers, times and enumerations for messages, hints and the log.

export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** 1200, "item" → "1,200 items" */
export const pluralize = (count: number, singular: string, plural = `${singular}s`): string =>
	`${formatCount(count)} ${count === 1 ? singular : plural}`;

/** Adds a value to its group. */
export function addTo<Value, Key>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
	const group = groups.get(key);
	if (group) group.push(value);
	else groups.set(key, [value]);
}

/** Groups values by key, to report each group together; groups and values keep their order. */
export function groupedBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key) {
	const groups = new Map<Key, Value[]>();
	for (const value of values) addTo(groups, keyOf(value), value);
	return groups;
}

/** Units of time in milliseconds; each is used up to `upTo` of it. */
const units = [
	{ unit: 'second', milliseconds: 1000, upTo: 90 },
	{ unit: 'minute', milliseconds: 60_000, upTo: 90 },
	{ unit: 'hour', milliseconds: 3_600_000, upTo: 48 },
];

/** 800 → "0.8 seconds", 64000 → "64 seconds", 600000 → "10 minutes" */
export function formatDuration(milliseconds: number): string {
	const fitting = units.find((one) => milliseconds <= one.upTo * one.milliseconds);
	const { unit, milliseconds: ofUnit } = fitting ?? { unit: 'day', milliseconds: 86_400_000 };
	const digits = milliseconds < 10_000 ? 10 : 1;
	return pluralize(Math.round((digits * milliseconds) / ofUnit) / digits, unit);
}

/** Maximum pieces of an enumeration. */
const maxPieces = 250;

/**
 * Joins pieces up to the maximum number of pieces or characters, then counts the rest.
 * @param maxCharacters the last listed piece may exceed it
 */
export function joinUpTo(pieces: readonly string[], maxCharacters = 3000): string {
	let characters = 0;
	const mayFollow = ({ length }: string) => (characters += length) - length < maxCharacters;
	const listed = pieces.slice(0, maxPieces).filter(mayFollow);
	const more = pieces.length - listed.length;
	return listed.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** @param shown formats a value */
export function ranges(values: readonly unknown[], shown: (value: unknown) => string): string[] {
	const pieces: Array<[first: unknown, last: unknown]> = [];
	for (const value of values) {
		const piece = pieces.at(-1);
		if (piece && typeof piece[1] === 'number' && value === piece[1] + 1) piece[1] = value;
		else pieces.push([value, value]);
	}
	return pieces.map((piece) => [...new Set(piece.map(shown))].join('–'));
}

/**
 * [0, 1, 2] → "rows 1–3 (items 0–2)", [3] → "row 4 (item 3)": rows count from 1 as people do, items from 0 as n8n does.
 * @param itemIndexes in ascending order, at least one
 * @param details more about them, in the same parentheses
 * @param maxCharacters of each of the two enumerations
 */
export function itemsInWords(
	itemIndexes: readonly number[],
	details: readonly string[] = [],
	maxCharacters?: number,
): string {
	const s = itemIndexes.length === 1 ? '' : 's';
	const listed = (indexes: readonly number[]) => joinUpTo(ranges(indexes, String), maxCharacters);
	const rows = listed(itemIndexes.map((index) => index + 1));
	return `row${s} ${rows} (${[`item${s} ${listed(itemIndexes)}`, ...details].join('; ')})`;
}
