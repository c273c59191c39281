// The messages of Send Once: why a key keeps an item from being sent, and hints next to the output.
import { Failure, type FieldProblem } from '../failure';
import type { Settings } from '../form/settings';
import { formatCount, pluralize } from '../http/format';
import { quotedName } from '../kinds/repeatedNames';
import type { Outcome } from '../outcome';

/** The item is not sent because of another run. */
const otherRun = (message: string, outcome: Outcome, advice: string, retryable = false): Failure =>
	new Failure(message, outcome, { code: 'otherRun', advice, retryable });

/**
 * An earlier run started the item, and no run is known to be sending it.
 * @param key undefined for a failure that several items share
 * @param isRefused whether its values are not valid
 */
export function keyInDoubt(key?: string, isRefused = false): Failure {
	const what = key === undefined ? 'this item' : `the item with the key ${quotedName(key)}`;
	return otherRun(
		`An earlier run left ${what} in doubt: look it up in the service, then set 'Send Once: Looked-Up Rows'`,
		'inDoubt',
		"With 'Send Once: Looked-Up Rows' set to 'They Are There', the next run counts this item as sent; with 'They Are Not There', it sends it." +
			(isRefused ? ' Correct its values first: they are not valid.' : ''),
	);
}

/** The key was sent with other values, as were most known keys of the run. */
export const keyOfOtherRow = (key: string): Failure =>
	otherRun(
		`The key ${quotedName(key)} was sent before with other values: it is another row's key, or this row or the node's fields were changed`,
		'notSent',
		"If it is another row's, begin the key with the list's name or the year, as in {{ $json.year }} {{ $json.rowID }}. If not, correct the record in the service where it differs, then run this row once with 'Send Once: Looked-Up Rows' set to 'All Rows Are There'.",
	);

/** An item with the same values was sent under a key from another expression. */
export const keyChanged = (key: string): Failure =>
	otherRun(
		`The item with the key ${quotedName(key)} is in doubt: the key of 'Send Once' was changed, and a row with these values was sent under the old one`,
		'inDoubt',
		"With 'Send Once: Looked-Up Rows' set to 'They Are There', the next run remembers these rows under the new key; with 'They Are Not There', it sends them. Or restore the old key.",
	);

/**
 * The run ended before the outcome of the key was known. If the item were called in doubt, a person would look it up while
 * another run may be about to send it.
 */
export const keyAwaited = (key: string): Failure =>
	otherRun(
		`Not sent: another run may be sending the item with the key ${quotedName(key)}, and this run ended before finding out`,
		'awaited',
		'Run this item again: it is sent only if no other run has sent it.',
		true,
	);

const keysNotRecorded = (message: string, advice: string, retryable = false): Failure =>
	new Failure(message, 'notSent', { code: 'keysNotRecorded', advice, retryable });

const forMoreKeys =
	"Raise 'Send Once: Remember' (100,000 at most). For more keys, use a table in your own database, as in the example 'Nightly Rows in PostgreSQL'.";

export const storeFull = (key: string, maxKeys: number): Failure =>
	keysNotRecorded(
		`The key ${quotedName(key)} is new, but the limit of ${formatCount(maxKeys)} remembered keys is reached`,
		`Nothing was sent for this item. ${forMoreKeys} Or set 'Send Once: When Full' to 'Forget the Oldest', or replace the node with a copy of it: a copy remembers nothing.`,
	);

export const neverSaved = (): Failure =>
	keysNotRecorded(
		'Not sent: the workflow was never saved, so n8n cannot remember the key',
		"Save the workflow, or remove 'Send Once'.",
		true,
	);

/** A Remove Duplicates node keeps its values in the workflow's row of n8n's store, which would be the lock. */
export const rowOwnedByOtherNode = (): Failure =>
	keysNotRecorded(
		"Not sent: n8n cannot reliably remember what was sent while a Remove Duplicates node in this workflow has its 'Scope' set to 'Workflow'",
		"Set the 'Scope' of that node to 'Node'. Then run a Remove Duplicates node in this workflow once, with the operation 'Clear Deduplication History' and 'Scope' set to 'Workflow', so that n8n deletes what it kept for the workflow.",
	);

/** @param error thrown by n8n's store */
export const storeFailed = (error: unknown): Failure =>
	error instanceof Failure
		? error
		: keysNotRecorded(
				`Not sent: n8n's database could not store the key: ${(error as Error).message}`,
				'Nothing was sent for this item: run it again later.',
				true,
			);

export const unrecordedHint =
	'n8n could not record every item as sent: a later run will report the unrecorded ones as in doubt and not resend them.';

/** If it were left on, rows would be lost; without a key, nothing would remember them, and they would be sent. */
export const allAreThereProblem: FieldProblem = {
	label: 'Send Once: Looked-Up Rows',
	text: "is 'All Rows Are There', which needs a key in 'Send Once', and an execution that a person starts in the editor: in any other, new rows would be lost. Remove the option",
};

/** For a node that n8n remembers no key of, as before its first run. */
export const newHereHint =
	"'Send Once' is new in this node: n8n remembers none of its keys yet. Rows that were already sent, such as without a key or by another workflow, are resent, unless you first run them with 'Send Once: Looked-Up Rows' set to 'All Rows Are There'.";

/** @param count rows of a check with new keys, and with the values of rows that were sent under other keys */
export const sentBeforeHint = (count: number): string =>
	`${pluralize(count, 'row')} with a new key, but with the values of a row that was sent under another key: before you send them, make sure that they are not the same rows.`;

/** For a run with a person's answer about its items in doubt. */
export const answeredHint =
	"'Send Once: Looked-Up Rows' is set: remove the option before the next run.";

/** @param keys the number of remembered keys, including those in progress */
export function fillingHint(keys: number, settings: Settings): string {
	const { sendOnceRemember: maxKeys, sendOnceWhenFull } = settings;
	const then = {
		stop: 'no item with a new key is sent',
		forget: 'the oldest are forgotten, and their items would be resent',
	};
	return `'Send Once' remembers about ${formatCount(Math.min(keys, maxKeys))} keys of this node. At the limit of ${formatCount(maxKeys)}, ${then[sendOnceWhenFull]}. ${forMoreKeys}`;
}
