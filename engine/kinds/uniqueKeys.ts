// Checks the keys of 'Send Once': no key may be blank, and no two items of a run may have the same one.
import type { FieldProblem } from '../failure';
import { groupedBy } from '../http/format';
import { truncate } from '../http/json';
import { itemsInWords } from '../items/itemNames';

/** The most bytes of a key that a message shows. */
const maxKeyBytes = 100;

/** A key as messages show it. */
export const quotedKey = (key: string): string => `"${truncate(key, maxKeyBytes)}"`;

/** It names no column: one that tells these rows apart need not do so in the next run. */
const adviceKeys =
	'drag columns onto it that differ from row to row together, or give each row a number of its own';

/**
 * Problems of blank and repeated keys: nobody knows which of the items with the same key is meant.
 * @param keys of the items, by their indexes
 * @param itemCount of the run
 */
export function keyProblems(
	keys: ReadonlyMap<number, string>,
	itemCount: number,
): Map<number, FieldProblem> {
	const problems = new Map<number, FieldProblem>();
	const problemOf = (key: string, group: readonly number[], itemIndex: number) => {
		if (key.trim() === '') return { text: 'is blank' };
		if (group.length === itemCount) return { text: `is the same for all rows: ${adviceKeys}` };
		const other = itemsInWords([group.find((index) => index !== itemIndex)!]);
		const rule = `must be another in each row: ${adviceKeys}`;
		return { text: `is ${quotedKey(key)}, like that of ${other}, but ${rule}`, rule };
	};
	for (const [key, group] of groupedBy([...keys.keys()], (itemIndex) => keys.get(itemIndex)!)) {
		if (key.trim() !== '' && group.length === 1) continue;
		for (const itemIndex of group)
			problems.set(itemIndex, { label: 'Send Once', ...problemOf(key, group, itemIndex) });
	}
	return problems;
}
