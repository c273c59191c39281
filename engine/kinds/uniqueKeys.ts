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

/** The most columns that are tried as keys. */
const maxColumns = 10;

/** Whether these columns have text or a number in each item that no other item has. */
function areDistinct(items: readonly IDataObject[], columns: readonly string[]): boolean {
	const seen = new Set(['']);
	return items.every((json) => {
		const values = columns.map((column) => {
			const value = json[column];
			return typeof value === 'string' || typeof value === 'number' ? value : '';
		});
		const text = values.join(' ').trim();
		return seen.size < seen.add(text).size;
	});
}

/** Says which columns tell the items apart. */
function adviceKeys(items: readonly IDataObject[]): string {
	const columns = Object.keys(items[0]!).slice(0, maxColumns);
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

/**
 * The problems of keys that are blank, or that several items have: which of these is meant to be sent, nobody knows.
 * @param keys of the items, by their indexes
 * @param items all input items
 */
export function keyProblems(
	keys: ReadonlyMap<number, string>,
	items: readonly IDataObject[],
): Map<number, FieldProblem> {
	const problems = new Map<number, FieldProblem>();
	let advice: string | undefined;
	const repeated = (key: string, group: readonly number[], itemIndex: number) => {
		advice ??= adviceKeys(items);
		if (group.length === items.length) return { text: `is the same for all rows: ${advice}` };
		const other = itemsInWords([group.find((index) => index !== itemIndex)!]);
		const rule = `must be another in each row: ${advice}`;
		return { text: `is ${quotedKey(key)}, like that of ${other}, but ${rule}`, rule };
	};
	for (const [key, group] of groupedBy([...keys.keys()], (itemIndex) => keys.get(itemIndex)!)) {
		const isBlank = key.trim() === '';
		if (!isBlank && group.length === 1) continue;
		for (const itemIndex of group) {
			const problem = isBlank ? { text: 'is blank' } : repeated(key, group, itemIndex);
			problems.set(itemIndex, { label: 'Send Once', ...problem });
		}
	}
	return problems;
}
