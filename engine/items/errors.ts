// Turns failures into what n8n shows: one error if the run stops, or error items if it continues.
import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { Failure, type FieldProblem } from '../failure';
import { groupedBy, joinUpTo } from '../http/format';
import { truncate } from '../http/json';
import type { Outcome } from '../outcome';
import { isSendable, outcomeOfResults, type ItemState, type Result } from './itemState';
import { rowsWithKeys } from './report';

/** Maximum bytes of a message, not counting its doubt and its list of items; with these, it has at most 2 kB. */
export const maxMessageBytes = 1350;

/** Maximum bytes of the service's own messages in an error item, all lines together. */
const maxServiceMessagesBytes = 8000;

const adviceOnlyFailedPaths =
	'Other paths of this item were or may have been processed: resend only the paths that were not.';

const adviceCorrectValues =
	"Correct the values, or the expressions that give them. To see the problems of each row, run the node with 'Check Only', and with 'On Error' set to 'Continue'.";

const adviceCorrectValue = 'Correct the value, or the expression that gives it.';

/** The distinct labels of the fields that have problems. */
const labelNames = (problems: readonly FieldProblem[]): string[] =>
	[...new Set(problems.map(({ label }) => label))].filter(Boolean);

/** The failure of an item with invalid values. Its message lists every problem, by the field's label on the form. */
export function invalidItem(problems: readonly FieldProblem[]): Failure {
	const texts = problems.map(({ label, text }) => (label ? `'${label}' ${text}` : text));
	const message = texts.length === 1 ? texts[0]! : texts.map((text) => `${text}.`).join(' ');
	const advised = problems.find(({ advice }) => advice !== undefined);
	// The text of a problem without a rule already says what to do.
	const toCorrect = problems.some(({ advice, rule }) => advice === undefined && rule !== undefined);
	const advice = [advised?.advice, toCorrect && adviceCorrectValue].filter(Boolean).join(' ');
	return new Failure(message, 'notSent', { code: 'invalidValues', advice, problems });
}

/**
 * Turns anything thrown into a failure.
 * @param outcome of the item, unless the error is a Failure, which has its own
 */
export function asFailure(error: unknown, outcome: Outcome): Failure {
	return error instanceof Failure ? error : new Failure((error as Error).message, outcome);
}

/** Maximum characters for each of the two lists (rows, items) at the end of a message. */
const maxItemsCharacters = 100;

/** The rows that a message is about; '' for the only row of a run without keys. */
export const namedRows = (all: readonly ItemState[], indexes: readonly number[]): string =>
	all.length === 1 && !all[0]!.key ? '' : rowsWithKeys(all, indexes, maxItemsCharacters);

const messageWithRows = ({ message, doubt }: Failure, rows: string): string => {
	const said = truncate(message, maxMessageBytes);
	const text = doubt ? `${doubt} (${said})` : said;
	return rows === '' ? text : `${text} [${rows}]`;
};

/**
 * The error that stops a run. It is rebuilt from the failure, so nothing from the request (headers, keys) gets into the
 * execution data. It has no item index: n8n would append it to the message, which already names the rows.
 * @param rows with this failure, in words; '' if they need no naming
 * @param report the outcomes of the other items
 */
export function toNodeError(node: INode, failure: Failure, rows = '', report = '') {
	const message = messageWithRows(failure, rows);
	const { status } = failure.details;
	const { advice = '' } = failure.doubt ? failure.details : failure;
	const error =
		status === undefined
			? new NodeOperationError(node, message)
			: new NodeApiError(node, { message }, { message, httpCode: String(status) });
	// n8n's constructors replace a message that contains an operating system's error code, such as EACCES, with a
	// sentence about files or connections. They find the code in any case, even inside a word ("deviceAccess").
	// (n8n-workflow 2.41.0, errors/abstract/node.error.ts, setDescriptiveErrorMessage())
	error.message = message;
	error.description = [advice, report].filter((line) => line !== '').join('\n') || undefined;
	// Error workflows receive the context.
	const { code, outcome, fault } = failure;
	Object.assign(error.context, { code, outcome, fault });
	return error;
}

/** A problem and the item that has it. */
type FoundProblem = FieldProblem & { itemIndex: number };

/** Maximum characters for each list of values or items with the same problem. */
const maxListedCharacters = 80;

/** Maximum sentences of a message, so that it usually fits into about eight lines of n8n's panel. */
const maxSentences = 3;

/** One sentence about all values that break the same rule or need the same advice. */
function sentenceOf(all: readonly ItemState[], found: readonly FoundProblem[]): string {
	const [{ advice, rule, text, value }] = found as [FoundProblem];
	const isSame = found.every((one) => one.text === text);
	// The same text ("is required but empty") may be about different fields in different rows: hence "or".
	const quoted = labelNames(found).map((label) => `'${label}'`);
	const labels = quoted.join(isSame ? ' or ' : ' and ');
	const items = [...new Set(found.map(({ itemIndex }) => itemIndex))];
	const rows = `[${rowsWithKeys(all, items, maxListedCharacters / 2)}]`;
	if (isSame) return `${labels} ${text} ${rows}.`.trimStart();
	if (advice !== undefined) return `${labels}: values like ${value} ${rows}. ${advice}`;
	const valueOf = (one: FoundProblem) => `${one.value} [${rowsWithKeys(all, [one.itemIndex])}]`;
	const values = new Set(found.map(valueOf));
	return `${labels}: ${joinUpTo([...values], maxListedCharacters)}, but ${rule}.`;
}

/**
 * The error of a run that sends nothing because some of its items have invalid values.
 * @param failureByItem the failures of these items, by index in ascending order; at least one
 * @param all the input items
 * @param report the outcomes of items that earlier tries of this run sent; '' if none were sent
 */
export function toInvalidItemsError(
	node: INode,
	failureByItem: ReadonlyMap<number, Failure>,
	all: readonly ItemState[],
	report: string,
) {
	const items = [...failureByItem.keys()];
	const [first, ...others] = [...failureByItem.values()] as [Failure];
	const code = 'invalidValues';
	const nothingSent = `Nothing ${report === '' ? '' : 'more '}was sent`;
	const errorOf = (message: string, advice: string | undefined, rows = '') =>
		toNodeError(node, new Failure(message, 'notSent', { code, advice }), rows, report);
	if (others.every(({ message }) => message === first.message)) {
		const advice = [`${nothingSent}.`, first.details.advice].filter(Boolean).join(' ');
		return errorOf(first.message, advice, namedRows(all, items));
	}
	const found = [...failureByItem].flatMap(([itemIndex, { details }]) =>
		details.problems!.map((one): FoundProblem => ({ ...one, itemIndex })),
	);
	// The most frequent problem comes first.
	const alike = [...groupedBy(found, ({ advice, rule, text }) => advice ?? rule ?? text).values()];
	alike.sort((one, other) => other.length - one.length);
	const texts = alike
		.slice(0, maxSentences)
		.map((group) => truncate(sentenceOf(all, group), maxMessageBytes / 2));
	if (alike.length > maxSentences) texts.push('And other problems.');
	const what = `${nothingSent}: ${items.length} of ${all.length} items have invalid values.`;
	return errorOf([what, ...texts].join(' '), adviceCorrectValues);
}

/**
 * Prepares the error items of one input item. n8n sends an item to the error output if it has a certain shape
 * (WorkflowExecute.handleNodeErrorOutput() in n8n-core). Every version accepts an item with only `message` and `error`;
 * older ones accept no other shape with room for details (https://github.com/n8n-io/n8n/issues/35899).
 * @param all the input items
 * @param results all results of the item; there may be thousands, so they are examined once, not for each failure
 * @returns builds the fields of the error item for one of these failures
 */
export function errorItemOf(index: number, all: readonly ItemState[], results: readonly Result[]) {
	const outcome = outcomeOfResults(results);
	// Resending the item resends all of its paths, including those that were processed.
	const mayResend = results.length === 1 || isSendable(results);
	const rows = namedRows(all, [index]);
	return (failure: Failure): IDataObject => {
		const { code, fault, details } = failure;
		const { serviceMessages = [], problems = [] } = details;
		const fields = labelNames(problems);
		const advice = [failure.advice, !mayResend && adviceOnlyFailedPaths];
		const known: IDataObject = {
			code,
			fault,
			outcome,
			reason: details.reason,
			retryable: mayResend && details.retryable === true,
			advice: advice.filter(Boolean).join(' ') || undefined,
			row: index + 1,
			fields: fields.length > 0 ? fields : undefined,
			key: details.key,
			tries: details.tries,
			httpStatus: details.status,
			serviceMessage: truncate(serviceMessages.join('\n'), maxServiceMessagesBytes) || undefined,
		};
		const error = Object.fromEntries(Object.entries(known).filter(([, one]) => one !== undefined));
		return { message: messageWithRows(failure, rows), error };
	};
}
