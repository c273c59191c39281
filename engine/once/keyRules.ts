// Checks the keys of 'Send Once': each must be whole, and no two items of a run may have the same one.
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { ProblemsByItem } from '../failure';
import { invisible } from '../http/headerText';
import type { Job } from '../kinds/job';
import { quotedName, repeatedNames } from '../kinds/repeatedNames';
import { objectOrEmpty } from '../values/formInputs';
import { allAreThereProblem } from './sendOnceMessages';

const label = 'Send Once';

/** Whether an AI agent calls the node. It words each call differently, so other values for a key prove nothing. */
export const isTool = (ctx: IExecuteFunctions): boolean => ctx.getNode().type.endsWith('Tool');

/** The key's expression, as it is saved. */
export const expressionOf = ({ options }: IDataObject): string =>
	String(objectOrEmpty(options).sendOnceKey);

/** It names no column: one that tells these rows apart need not do so in the next run. */
const uniqueRule =
	'must be unique per row: drag columns onto it that together are unique per row, or give each row its own number';

/** The texts that JavaScript writes for a missing value. */
const nothing = /\b(?:undefined|null|NaN|Invalid Date(?:Time)?)\b|\[object /;

/** The rule that a key breaks by itself. */
function brokenRule(key: string): string | undefined {
	if (invisible.test(key))
		return 'must have no invisible character: the next export may lack it, and the row would be resent. Clean the column';
	if (nothing.test(key) || key !== key.trim() || key.includes('  '))
		return 'a part of it is empty or has spaces around it: other rows may get the same key and count as already sent. Fill the column, or choose another';
	return undefined;
}

const lasting = 'Take what stays with the row, such as its number in your system';

/** An expression that reads something from a row, or from the nodes before this one. */
const reading = /\$(?:json|input|binary|items|node|fromAI)\b|\$\(/;

/** Milliseconds after which a key is read again: by then, one that depends on the time or on chance differs. */
const rereadDelay = 3;

/** Why the keys of all items are of no use: no later run would find them again, or it would find those of other rows. */
async function makingProblem(
	ctx: IExecuteFunctions,
	itemIndex: number,
): Promise<string | undefined> {
	const readKey = () =>
		JSON.stringify(ctx.getNodeParameter('options.sendOnceKey', itemIndex, null));
	const first = readKey();
	await sleep(rereadDelay);
	if (readKey() !== first)
		return `gives another key each time it is read, so no later run would find it, and each run would resend the row. ${lasting}`;
	const expression = expressionOf(ctx.getNode().parameters);
	// One call by an agent or by another workflow may well mean this call alone.
	const isOneCall = isTool(ctx) || ctx.getMode() === 'integrated';
	if (!isOneCall && expression.includes('$execution.id'))
		return `has the ID of the execution, which differs in each run, so each run would resend the row. ${lasting}`;
	if (/\$(?:itemIndex|runIndex)\b/.test(expression) && !reading.test(expression))
		return `has only the row's place in this run: in the next list, the row in that place would count as already sent. ${lasting}`;
	return undefined;
}

/**
 * Problems of keys that are not whole or could be mistaken for another, and of repeated keys: nobody knows which of the
 * items is meant. Keys are compared in one Unicode form (NFC).
 * @param jobs the items that were read
 */
export async function keyProblems(
	ctx: IExecuteFunctions,
	jobs: readonly Job[],
): Promise<ProblemsByItem> {
	const allThere = jobs.filter(({ values }) => values.settings.sendOnceLookedUp === 'allAreThere');
	const keys = jobs.flatMap(({ itemIndex, values: { settings } }): Array<[number, string]> => {
		const { sendOnceKey: key } = settings;
		return key === undefined ? [] : [[itemIndex, key]];
	});
	const [first] = keys;
	if (allThere.length > 0 && (!first || ctx.getMode() !== 'manual'))
		return new Map(allThere.map(({ itemIndex }) => [itemIndex, allAreThereProblem]));
	const text = first && (await makingProblem(ctx, first[0]));
	if (text) return new Map(keys.map(([itemIndex]) => [itemIndex, { label, text }]));
	const problems = repeatedNames(keys, (key) => key.normalize(), { label, rule: uniqueRule });
	for (const [itemIndex, key] of keys) {
		const rule = brokenRule(key);
		if (rule) problems.set(itemIndex, { label, rule, text: `is ${quotedName(key)}, but ${rule}` });
	}
	return problems;
}
