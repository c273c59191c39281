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

/** Controls and characters without a shape, such as a zero-width space. */
const unseen = /\p{Cc}|\p{Cf}/u;

const hasUnseen = (key: string): boolean => key !== key.trim() || unseen.test(key);

const ruleUnseen =
	'must have no blanks around it and no character that cannot be seen: the next export may not have them, and its rows would be sent again. Use .trim(), or clean the column';

/**
 * Problems of keys: of blank ones; of those that look like another one, which they are not; of repeated ones, since
 * nobody knows which of the items is meant. Keys are compared in one Unicode form (NFC).
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
		if (hasUnseen(key))
			return { text: `is ${quotedKey(key)}, but ${ruleUnseen}`, rule: ruleUnseen };
		if (group.length === itemCount) return { text: `is the same for all rows: ${adviceKeys}` };
		const other = itemsInWords([group.find((index) => index !== itemIndex)!]);
		const rule = `must be another in each row: ${adviceKeys}`;
		return { text: `is ${quotedKey(key)}, like that of ${other}, but ${rule}`, rule };
	};
	const keyOf = (itemIndex: number) => keys.get(itemIndex)!.normalize();
	for (const [key, group] of groupedBy([...keys.keys()], keyOf)) {
		if (key !== '' && !hasUnseen(key) && group.length === 1) continue;
		for (const itemIndex of group)
			problems.set(itemIndex, { label: 'Send Once', ...problemOf(key, group, itemIndex) });
	}
	return problems;
}
