// The messages of Send Once: why a key keeps an item from being sent, and hints next to the output.
import { Failure } from '../failure';
import type { Settings } from '../form/settings';
import { formatCount } from '../http/format';
import { quotedName } from '../kinds/repeatedNames';

/**
 * An earlier run has noted the key, and nobody is known to be sending the item.
 * @param key left out where several items have the failure
 */
export function keyInDoubt(key?: string): Failure {
	const what = key === undefined ? 'this item' : `the item with the key ${quotedName(key)}`;
	const toDo = "look it up in the service, then set 'Send Once: Items in Doubt'";
	return new Failure(`An earlier run left ${what} in doubt: ${toDo}`, 'inDoubt', {
		code: 'otherRun',
		advice:
			"With 'Send Once: Items in Doubt' set to 'They Are There', the next run counts this item as sent; with 'They Are Not There', it sends it.",
	});
}

/**
 * The run ended before it was known what became of the key. To call the item in doubt would be to ask a person to look
 * it up while another run may be about to send it.
 */
export const keyAwaited = (key: string): Failure =>
	new Failure(
		`Not sent: another run may be sending the item with the key ${quotedName(key)}, and this run ended before finding out`,
		'awaited',
		{
			code: 'otherRun',
			retryable: true,
			advice: 'Run this item again: it is sent only if no other run has sent it.',
		},
	);

const forMoreKeys =
	"Raise 'Send Once: Remember' (100,000 at most). For more keys, use a table in your own database, as in the example 'Nightly Rows in PostgreSQL'.";

export function storeFull(key: string, maxKeys: number): Failure {
	const why = `the limit of ${formatCount(maxKeys)} remembered keys is reached`;
	return new Failure(`The key ${quotedName(key)} is new, but ${why}`, 'notSent', {
		code: 'keysNotRecorded',
		advice: `Nothing was sent for this item. ${forMoreKeys} Or set 'Send Once: When Full' to 'Forget the Oldest', or replace the node with a copy of it: a copy remembers nothing.`,
	});
}

const keysNotRecorded = (why: string, advice: string, retryable: boolean): Failure =>
	new Failure(`Not sent: ${why}`, 'notSent', { code: 'keysNotRecorded', advice, retryable });

export const neverSaved = (): Failure =>
	keysNotRecorded(
		'the workflow was never saved, so n8n cannot remember the key',
		"Save the workflow, or remove 'Send Once'.",
		true,
	);

/** A Remove Duplicates node keeps its values in the workflow's row of n8n's store. That row would be the lock. */
export const rowOwnedByOtherNode = (): Failure =>
	keysNotRecorded(
		"n8n cannot reliably remember what was sent while a Remove Duplicates node in this workflow has its 'Scope' set to 'Workflow'",
		"Set the 'Scope' of that node to 'Node'. Then run a Remove Duplicates node in this workflow once, with the operation 'Clear Deduplication History' and 'Scope' set to 'Workflow', so that n8n deletes what it kept for it.",
		false,
	);

/** @param error what n8n's store threw */
export const storeFailed = (error: unknown): Failure =>
	error instanceof Failure
		? error
		: keysNotRecorded(
				`n8n's database could not store the key: ${(error as Error).message}`,
				'Nothing was sent for this item: run it again later.',
				true,
			);

export const unrecordedHint =
	'n8n could not record every item as sent: a later run will report the unrecorded ones as in doubt and not resend them.';

/** Where n8n remembers no key of the node: after a first run, it does. */
export const newHereHint =
	"'Send Once' is new in this node: n8n remembers none of its keys yet. Rows that were sent elsewhere, such as by the workflow that this one was copied from, are sent again.";

/** Where a person has said what became of the items in doubt. */
export const answeredHint =
	"'Send Once: Items in Doubt' is set: remove the option before the next run.";

/** @param keys how many are remembered, including those in progress */
export function fillingHint(keys: number, settings: Settings): string {
	const { sendOnceRemember: maxKeys, sendOnceWhenFull } = settings;
	const then = {
		stop: 'no item with a new key is sent',
		forget: 'the oldest are forgotten, and their items would be resent',
	};
	return `'Send Once' remembers about ${formatCount(Math.min(keys, maxKeys))} keys of this node. At the limit of ${formatCount(maxKeys)}, ${then[sendOnceWhenFull]}. ${forMoreKeys}`;
}
