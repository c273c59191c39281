// What a person reads beside the output about Send Once.
import { mostKeys, tableForMoreKeys } from './sendOnceFailures';

export const notNotedHint =
	'n8n could not note for all items that they were sent: a later run will report them as in doubt, and not send them again.';

export const noLockHint =
	"A Remove Duplicates node of this workflow has its 'Scope' set to Workflow, and keeps its values where 'Send Once' would have its lock. While several n8n workers run this workflow at the same moment, an item could be sent twice. Set that node's 'Scope' to Node.";

/** @param milliseconds for which the run had nothing to do but to wait */
export const waitedHint = (milliseconds: number): string =>
	`This run waited ${Math.round(milliseconds / 1000)} seconds for items that an earlier run had begun, in case another run was still sending them. None was: they are in doubt. Until n8n is restarted, later runs do not wait for them again.`;

/**
 * @param keys that are remembered, with those that are under way
 * @returns undefined while there is room
 */
export function fullnessHint(
	keys: number,
	maxKeys: number,
	forgetsOldest: boolean,
): string | undefined {
	if (keys <= maxKeys / 2) return undefined;
	const then = forgetsOldest
		? 'the oldest are forgotten, and their items would be sent again.'
		: 'no item with a new key is sent.';
	const advice =
		maxKeys < mostKeys ? "A larger 'Send Once: Remember' makes room." : tableForMoreKeys;
	const limit = maxKeys.toLocaleString('en');
	return keys >= maxKeys
		? `'Send Once' remembers as many keys of this node as it may (${limit}): ${then} ${advice}`
		: `'Send Once' remembers about ${keys.toLocaleString('en')} keys of this node; the limit is ${limit}. When it is reached, ${then} ${advice}`;
}
