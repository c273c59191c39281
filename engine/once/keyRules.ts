// Checks the keys of 'Send Once': each must be whole, and no two items of a run may have the same one.
import type { FieldProblem } from '../failure';
import { invisible } from '../http/headerText';
import { quotedName, repeatedNames } from '../kinds/repeatedNames';

const label = 'Send Once';

/** It names no column: one that tells these rows apart need not do so in the next run. */
const uniqueRule =
	'must be unique per row: drag columns onto it that together are unique per row, or give each row its own number';

/** The texts that JavaScript writes for a missing value. */
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

/**
 * Problems of keys that are not whole or could be mistaken for another, and of repeated keys: nobody knows which of the
 * items is meant. Keys are compared in one Unicode form (NFC).
 * @param keys of the items, by their indexes
 */
export function keyProblems(keys: ReadonlyMap<number, string>): Map<number, FieldProblem> {
	const problems = repeatedNames([...keys], (key) => key.normalize(), { label, rule: uniqueRule });
	for (const [itemIndex, key] of keys) {
		const rule = ownRules.find(([isBroken]) => isBroken(key))?.[1];
		if (rule) problems.set(itemIndex, { label, rule, text: `is ${quotedName(key)}, but ${rule}` });
	}
	return problems;
}
