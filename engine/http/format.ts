// Numbers, times and enumerations as messages, hints and the log say them.

export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** 1200, "item" → "1,200 items" */
export const pluralize = (count: number, singular: string, plural = `${singular}s`): string =>
	`${formatCount(count)} ${count === 1 ? singular : plural}`;

/** Adds a value to those that have the same in common. */
export function addTo<Value, Key>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
	const group = groups.get(key);
	if (group) group.push(value);
	else groups.set(key, [value]);
}

/** The values by what they have in common, so that they are told together; in the order of the first of each. */
export function groupedBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key) {
	const groups = new Map<Key, Value[]>();
	for (const value of values) addTo(groups, keyOf(value), value);
	return groups;
}

/** Units of time in milliseconds, each used up to so many of it. */
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

/** The most pieces of an enumeration. */
const maxPieces = 250;

/**
 * Lists pieces until there are so many of them, or so many characters; what is left is counted.
 * @param maxCharacters the last piece that is listed may go beyond it
 */
export function joinUpTo(pieces: readonly string[], maxCharacters = 3000): string {
	let count = 0;
	let characters = 0;
	while (count < Math.min(pieces.length, maxPieces) && characters < maxCharacters) {
		characters += pieces[count++]!.length;
	}
	const more = pieces.length - count;
	return pieces.slice(0, count).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * [0, 1, 2, 5, 'x'] → ["0–2", "5", "x"]
 * @param shown a value as it is listed
 */
export function ranges(values: readonly unknown[], shown: (value: unknown) => string): string[] {
	const pieces: Array<{ first: unknown; last: unknown }> = [];
	for (const value of values) {
		const piece = pieces.at(-1);
		if (piece && typeof piece.last === 'number' && value === piece.last + 1) piece.last = value;
		else pieces.push({ first: value, last: value });
	}
	return pieces.map(({ first, last }) =>
		first === last ? shown(first) : `${shown(first)}–${shown(last)}`,
	);
}

/**
 * [0, 1, 2] → "rows 1–3 (items 0–2)", [3] → "row 4 (item 3)": the row as a person counts, the item as n8n counts.
 * @param itemIndexes in ascending order, at least one
 * @param details more to be said of them, in the same parentheses
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
