// The names of items in messages: the row, as a person counts, and the item, as n8n counts.
import { joinUpTo, ranges } from '../http/format';

/**
 * [0, 1, 2] → "rows 1–3 (items 0–2)", [3] → "row 4 (item 3)"
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
