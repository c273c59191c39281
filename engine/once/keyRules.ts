// Checks the keys of 'Send Once': each must be whole, and no two items of a run may have the same one.
import type { FieldProblem } from '../failure';
import { invisible } from '../http/headerText';
import { quotedName, repeatedNames } from '../kinds/repeatedNames';

export const label = 'Send Once';

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

/** How the keys of a run are made. */
export interface KeyMaking {
	/** The key's expression, as it is saved. */
	expression: string;
	/** The first key, and the same one as it was read again later. */
	sample: readonly [string, string];
	/** Whether the run is one call by an agent or by another workflow, which may well mean this call alone. */
	isOneCall: boolean;
}

const lasting = 'Take what stays with the row, such as its number in your system';

/** What reads something of a row, or of what came before the node. */
const reading = /\$(?:json|input|binary|items|node|fromAI)\b|\$\(/;

/** Rules that the making of keys breaks, for all items: no later run would find them again, or it would find other rows'. */
const makingRules: ReadonlyArray<
	readonly [isBroken: (making: KeyMaking) => boolean, rule: string]
> = [
	[
		({ sample: [first, again] }) => first !== again,
		`gives another key each time it is read, so no later run would find it, and each would resend the row. ${lasting}`,
	],
	[
		({ expression, isOneCall }) => !isOneCall && expression.includes('$execution.id'),
		`has the ID of the execution, which is another in each run, so each would resend the row. ${lasting}`,
	],
	[
		({ expression }) => /\$(?:itemIndex|runIndex)\b/.test(expression) && !reading.test(expression),
		`has only the row's place in this run, which another row has in the next list: that one would count as already sent. ${lasting}`,
	],
];

/**
 * Problems of keys that are not whole or could be mistaken for another, and of repeated keys: nobody knows which of the
 * items is meant. Keys are compared in one Unicode form (NFC).
 * @param keys of the items, by their indexes
 * @param making undefined where no key was read
 */
export function keyProblems(
	keys: ReadonlyMap<number, string>,
	making?: KeyMaking,
): Map<number, FieldProblem> {
	const text = making && makingRules.find(([isBroken]) => isBroken(making))?.[1];
	if (text) return new Map([...keys.keys()].map((itemIndex) => [itemIndex, { label, text }]));
	const problems = repeatedNames([...keys], (key) => key.normalize(), { label, rule: uniqueRule });
	for (const [itemIndex, key] of keys) {
		const rule = ownRules.find(([isBroken]) => isBroken(key))?.[1];
		if (rule) problems.set(itemIndex, { label, rule, text: `is ${quotedName(key)}, but ${rule}` });
	}
	return problems;
}
