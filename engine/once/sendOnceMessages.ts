// The messages of Send Once: why a key keeps a row from being sent, and hints next to the output.
import { Failure, type DoubtReason, type FailureDetails, type FieldProblem } from '../failure';
import { formatCount, itemsInWords } from '../http/format';
import type { Outcome } from '../outcome';
import { limits } from './timing';

/** The row is not sent because of another run. */
const otherRun = (message: string, outcome: Outcome, details: FailureDetails): Failure =>
	new Failure(message, outcome, { code: 'otherRun', ...details });

const inEditor = "run just this row in the editor with 'Send Once: Looked-Up Rows' set to";
const keysAlone = "set 'Send Once: Compare' to 'Keys Alone'";

/** By the reason of a doubt: what is known, and what to do. */
const doubts: Record<DoubtReason, [known: string, toDo: string]> = {
	unknownOutcome: [
		'Another run began to send this row, and its outcome is unknown',
		`Look it up in the service, then ${inEditor} 'They Are There', which remembers it as sent, or 'They Are Not There', which sends it.`,
	],
	sameValues: [
		'This key is new, but a row with these values was sent under another key',
		`If it is the same row, ${inEditor} 'They Are There'; if equal rows are right, 'They Are Not There' sends it. Where equal rows are usual, such as the same notice each week, ${keysAlone}.`,
	],
	otherValues: [
		'This key was sent with other values, or as another user',
		`Correct the record in the service, then ${inEditor} 'They Are There' ('They Are Not There' sends an update again). If the key is another row's, begin the keys with the list's name; if changed rows need no look, ${keysAlone}.`,
	],
};

/** @param problems of the row's values, which are not valid */
export function inDoubt(reason: DoubtReason, problems: readonly FieldProblem[] = []): Failure {
	const [known, toDo] = doubts[reason];
	const invalid = problems.map(({ label, text }) => `; '${label}' ${text}`).join('');
	const advice = invalid ? `Correct its values first. ${toDo}` : toDo;
	return otherRun(known + invalid, 'inDoubt', { reason, advice });
}

/** @param rowsOf the rows of each reason */
export function severalReasons(rowsOf: ReadonlyMap<DoubtReason, Array<{ itemIndex: number }>>) {
	const named = [...rowsOf].map(([reason, rows]) => {
		return `${doubts[reason][0]}: ${itemsInWords(rows.map(({ itemIndex }) => itemIndex))}`;
	});
	const message = `'They Are Not There' was answered for rows that are in doubt for several reasons: ${named.join('; ')}`;
	const advice = 'Run the rows of one reason at a time.';
	return (reason: DoubtReason) => otherRun(message, 'inDoubt', { reason, advice });
}

/** If the row were called in doubt, a person would look it up while another run may be about to send it. */
export const notKnownYet = otherRun(
	'Not sent: another run may have sent this row or be sending it, and this run ended before finding out',
	'awaited',
	{ advice: 'Run it again: it is sent only if no other run has sent it.', retryable: true },
);

const keysNotRecorded = (message: string, advice: string, retryable = false): Failure =>
	new Failure(message, 'notSent', { code: 'keysNotRecorded', advice, retryable });

const forMoreKeys =
	"For more keys, use a table in your own database, as in the example 'Nightly Rows in PostgreSQL', or replace the node with a copy of it: a copy remembers nothing.";

export const storeFull = (): Failure =>
	keysNotRecorded(
		`This key is new, but the limit of ${formatCount(limits.all)} remembered keys is reached`,
		`Nothing was sent for this item. ${forMoreKeys}`,
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

/** @param error thrown by n8n's store */
export const lookUpFailed = (error: unknown): string =>
	`n8n's database did not say which rows were sent: ${(error as Error).message}`;

/** Nothing would remember the rows, and they would be sent. */
export const answerNeedsKey = "needs a key in 'Send Once'. Set the key, or remove the option";

/** If it were left on, rows would be lost or sent again. */
export const answerNeedsEditor =
	'works only in an execution that a person starts in the editor: in any other, new rows would be lost, or sent again. Remove the option, or give it by an expression that reads something of each row';

/** It would look as if the rows were remembered. */
export const checkRemembersNothing =
	"is 'All Rows Are There', but with 'Check Only', nothing is remembered. Remove one of the two";

/** For a node that n8n remembers no key of, as before its first run. */
export const newHereHint =
	"'Send Once' is new in this node: n8n remembers none of its keys yet. Rows that were already sent, such as without a key or by another workflow, are resent, unless you first run them with 'Send Once: Looked-Up Rows' set to 'All Rows Are There'.";

/** For a run with a person's answer about its items in doubt. */
export const answeredHint = "'Send Once: Looked-Up Rows' is set: remove it before the next run.";

/** @param keys the number of remembered keys, including those in progress */
export const fillingHint = (keys: number): string =>
	`'Send Once' remembers about ${formatCount(keys)} keys of this node. At the limit of ${formatCount(limits.all)}, no item with a new key is sent. ${forMoreKeys}`;
