// Checks the keys of 'Send Once': no key may be blank, and no two items of a run may have the same one.
import type { IDataObject } from 'n8n-workflow';

import type { FieldProblem } from '../failure';
import { groupedBy } from '../http/inWords';
import { shortened } from '../http/json';
import { itemsInWords } from '../items/itemNames';

/** The most bytes of a key that a message shows. */
const maxKeyBytes = 100;

/** A key as messages show it. */
export const quotedKey = (key: string): string => `"${shortened(key, maxKeyBytes)}"`;

/** The most columns that are tried as keys; two together are tried with each other. */
const maxColumns = 10;

/** Whether these columns together have a value in each item, and no value in two of them. */
function areDistinct(items: readonly IDataObject[], columns: readonly string[]): boolean {
	const seen = new Set<string>();
	return items.every((json) => {
		const values = columns.map((column) => json[column] ?? '');
		const text = values.join(' ').trim();
		const isNew =
			text !== '' && !seen.has(text) && !values.some((value) => typeof value === 'object');
		seen.add(text);
		return isNew;
	});
}

/** Says which columns tell the items apart. */
function adviceKeys(items: readonly IDataObject[]): string {
	const columns = Object.keys(items[0] ?? {}).slice(0, maxColumns);
	const alone = columns.filter((column) => areDistinct(items, [column]));
	if (alone.length > 0) {
		const named = alone.slice(0, 2).map(quotedKey).join(' or ');
		return `drag a column onto it that differs from row to row, such as ${named}`;
	}
	const pairs = columns.flatMap((one, at) => columns.slice(at + 1).map((other) => [one, other]));
	const together = pairs.find((pair) => areDistinct(items, pair));
	if (!together) return 'no column differs from row to row: give each row a number of its own';
	const expressions = together.map((column) => `{{ $json[${JSON.stringify(column)}] }}`);
	return `drag columns onto it that differ from row to row together: ${expressions.join(' ')}`;
}

/** The most characters of the items that a message names. */
const maxItemsCharacters = 25;

/**
 * The problems of keys that are blank, or that several items have: which of these is meant to be sent, nobody knows.
 * @param keys of the items, by their indexes
 * @param items all input items
 */
export function keyProblems(
	keys: ReadonlyMap<number, string>,
	items: readonly IDataObject[],
): Map<number, FieldProblem> {
	const label = 'Send Once';
	const groups = [...groupedBy([...keys.keys()], (itemIndex) => keys.get(itemIndex)).values()];
	const repeated = groups.filter((group) => group.length > 1);
	const advice = repeated.length > 0 ? adviceKeys(items) : '';
	return new Map(
		groups.flatMap((group) =>
			group.flatMap((itemIndex): Array<[number, FieldProblem]> => {
				const key = keys.get(itemIndex)!;
				if (key.trim() === '') return [[itemIndex, { label, text: 'is blank' }]];
				if (group.length === 1) return [];
				if (group.length === items.length)
					return [[itemIndex, { label, text: `is the same for all rows: ${advice}` }]];
				const others = group.filter((other) => other !== itemIndex);
				const like = itemsInWords(others, [], maxItemsCharacters);
				const rule = `must be another in each row: ${advice}`;
				return [
					[
						itemIndex,
						{ label, text: `is ${quotedKey(key)}, like that of ${like}, but ${rule}`, rule },
					],
				];
			}),
		),
	);
}
