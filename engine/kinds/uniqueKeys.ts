// Checks the keys of 'Send Once': no key may be blank, and no two items of a run may have the same one.
import type { FieldProblem } from '../failure';
import { groupedBy } from '../http/format';
import { invisible } from '../http/headerText';
import { truncate } from '../http/json';
import { itemsInWords } from '../items/itemNames';

/** The most bytes of a key that a message shows. */
const maxKeyBytes = 100;

/** A key as messages show it. */
export const quotedKey = (key: string): string => `"${truncate(key, maxKeyBytes)}"`;

/** It names no column: one that tells these rows apart need not do so in the next run. */
const adviceKeys =
	'drag columns onto it that together are unique per row, or give each row its own number';

/** What JavaScript writes for a value that there is not. */
const nothing = /\b(?:undefined|null|NaN|Invalid Date(?:Time)?)\b|\[object /;

/** Rules that a key breaks by itself, by what tells it. */
const ownRules: ReadonlyArray<readonly [isBroken: (key: string) => boolean, rule: string]> = [
	[
		(key) => invisible.test(key),
		'must have no invisible character: the next export may lack it, and the row would be resent. Clean the column',
	],
	[
		(key) => nothing.test(key) || key !== key.trim() || key.includes('  '),
		'a part of it is empty or has spaces around it: other rows may get the same key and count as already sent. Fill the column, or choose another',
	],
];

const brokenRule = (key: string) => ownRules.find(([isBroken]) => isBroken(key))?.[1];

/**
 * Problems of keys: of blank ones; of those that are not whole, or look like another one; of repeated ones, since
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
		if (key.trim() === '') return { text: 'is empty' };
		const own = brokenRule(key);
		if (own) return { text: `is ${quotedKey(key)}, but ${own}`, rule: own };
		if (group.length === itemCount) return { text: `is the same for all rows: ${adviceKeys}` };
		const other = itemsInWords([group.find((index) => index !== itemIndex)!]);
		const rule = `must be unique per row: ${adviceKeys}`;
		return { text: `is ${quotedKey(key)}, the same as in ${other}, but ${rule}`, rule };
	};
	const keyOf = (itemIndex: number) => keys.get(itemIndex)!.normalize();
	for (const [key, group] of groupedBy([...keys.keys()], keyOf)) {
		if (key !== '' && !brokenRule(key) && group.length === 1) continue;
		for (const itemIndex of group)
			problems.set(itemIndex, { label: 'Send Once', ...problemOf(key, group, itemIndex) });
	}
	return problems;
}
