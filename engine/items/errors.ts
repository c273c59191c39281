// Turns failures into what n8n shows: the error of a run that stops, or the error items of a run that continues.
import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { Failure, type FieldProblem } from '../failure';
import { groupedBy, itemsInWords, joinUpTo, pluralize } from '../http/format';
import { truncate } from '../http/json';
import type { Outcome } from '../outcome';
import { isSendable, outcomeOfResults, type Result } from './itemState';

type NodeError = NodeApiError | NodeOperationError;

/** The most bytes of a message without its doubt and its items; with these it has at most 2 kB. */
export const maxMessageBytes = 1500;

/** The most bytes of what the service said, all its lines together. */
const maxServiceMessagesBytes = 8000;

const adviceOnlyFailedPaths =
	'Other paths of this item were or may have been processed: resend only the paths that were not.';

const adviceCorrectValues =
	"Correct the values, or the expressions that give them. To see the problems of each row, run the node with 'Check Only', and with 'On Error' set to 'Continue'.";

const adviceCorrectValue = 'Correct the value, or the expression that gives it.';

/** The labels of the fields, each once. */
const labelNames = (problems: readonly FieldProblem[]): string[] => [
	...new Set(problems.flatMap(({ label }) => (label === '' ? [] : [label]))),
];

/** The failure of an item whose values do not fit. It names all problems by the fields' labels on the form. */
export function invalidItem(problems: readonly FieldProblem[]): Failure {
	const texts = problems.map(({ label, text }) => (label ? `'${label}' ${text}` : text));
	const message = texts.length === 1 ? texts[0]! : texts.map((text) => `${text}.`).join(' ');
	const advised = problems.find(({ advice }) => advice !== undefined);
	// Problems without a rule say themselves what to do.
	const toCorrect = problems.some(({ advice, rule }) => advice === undefined && rule !== undefined);
	const advice = [advised?.advice, toCorrect && adviceCorrectValue].filter(Boolean).join(' ');
	return new Failure(message, 'notSent', { code: 'invalidValues', advice, problems });
}

/**
 * Turns anything that was thrown into a failure.
 * @param outcome what became of the item, unless the error is a failure and so says it itself
 */
export function asFailure(error: unknown, outcome: Outcome): Failure {
	return error instanceof Failure ? error : new Failure((error as Error).message, outcome);
}

/** The most characters of each enumeration of the items at the end of a message. */
const maxItemsCharacters = 100;

const messageWithItems = ({ message, doubt }: Failure, itemIndexes: readonly number[]): string => {
	const said = truncate(message, maxMessageBytes);
	const text = doubt ? `${doubt} (${said})` : said;
	if (itemIndexes.length === 0) return text;
	return `${text} [${itemsInWords(itemIndexes, [], maxItemsCharacters)}]`;
};

/**
 * @returns why it failed, as nodes declare it since n8n 2.41, which decides by it when to poll again. What may be sent
 * again as it is, and may succeed then, has failed for a time.
 */
function causeOf({ code, doubt, details }: Failure): NodeError['failure'] {
	const { status, retryable, retryAfter: retryAfterMs } = details;
	if (code === 'keyRefused' || code === 'signInRefused') return { cause: 'credential-invalid' };
	// An item in doubt must not be sent again, however long n8n waits.
	if (!retryable || doubt) return undefined;
	if (status === 429) return { cause: 'rate-limited', retryAfterMs };
	const cause = code === 'quotaUsedUp' ? 'quota-exhausted' : 'temporarily-unavailable';
	return { cause, retryAfterMs };
}

/**
 * The error of a run that stops. It is built anew, so that nothing of the request (headers, keys) gets into the
 * execution data with it. It has no index of an item, which n8n would write behind the row that the message names.
 * @param itemIndexes the items that failed like this, in ascending order; none for a node without input items
 * @param report what became of the other items
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndexes: readonly number[] = [],
	report = '',
): NodeError {
	const message = messageWithItems(failure, itemIndexes);
	const { status } = failure.details;
	const { advice = '' } = failure.doubt ? failure.details : failure;
	const error =
		status === undefined
			? new NodeOperationError(node, message)
			: new NodeApiError(node, { message }, { message, httpCode: String(status) });
	// n8n's constructors replace a message that holds an error code of the operating system, such as EACCES, by a
	// sentence about files or connections. They find the code in any case and inside other words ("deviceAccess").
	error.message = message;
	error.description = [advice, report].filter((line) => line !== '').join('\n') || undefined;
	error.failure = causeOf(failure);
	// Error workflows get it.
	const { code, outcome, fault } = failure;
	Object.assign(error.context, { code, outcome, fault });
	return error;
}

/** A problem, with the item that has it. */
interface FoundProblem extends FieldProblem {
	itemIndex: number;
}

/** The most characters of each enumeration of values or items that have one problem. */
const maxListedCharacters = 80;

/** The most characters of the sentences of a message, so that it stays within some eight lines of n8n's panel. */
const maxSentencesCharacters = 450;

const itemsOf = (found: readonly FoundProblem[]): number[] => [
	...new Set(found.map(({ itemIndex }) => itemIndex)),
];

/** The problem of values that break one rule, or share one advice. */
function sentenceOf(found: readonly FoundProblem[]): string {
	const [{ itemIndex, advice, rule, text, value }] = found as [FoundProblem];
	const isSameText = found.every((one) => one.text === text);
	// Rows with the same text may lack different fields.
	const labels = labelNames(found)
		.map((label) => `'${label}'`)
		.join(isSameText ? ' or ' : ' and ');
	const items = itemsOf(found);
	if (advice !== undefined) {
		const { length } = items;
		const rows = length === 1 ? `row ${itemIndex + 1} is` : `${pluralize(length, 'row')} are`;
		return `${labels}: ${rows} like ${value}. ${advice}`;
	}
	if (value !== undefined && !isSameText) {
		const values = new Set(found.map((one) => `${one.value} (row ${one.itemIndex + 1})`));
		return `${labels} ${rule}: ${joinUpTo([...values], maxListedCharacters)}.`;
	}
	const rows = itemsInWords(items, [], maxListedCharacters / 2);
	return `${labels} ${isSameText ? text : rule} [${rows}].`.trimStart();
}

/**
 * The error of a run that sends nothing because some of its items do not fit.
 * @param failureByItem why each of these items does not fit, in ascending order; at least one
 * @param itemCount the number of all items
 * @param report what became of the items in earlier tries of the run; '' when no try sent anything
 */
export function toInvalidItemsError(
	node: INode,
	failureByItem: ReadonlyMap<number, Failure>,
	itemCount: number,
	report: string,
): NodeError {
	const items = [...failureByItem.keys()];
	const [first, ...others] = [...failureByItem.values()] as [Failure];
	const code = 'invalidValues';
	const nothingSent = `Nothing ${report === '' ? '' : 'more '}was sent`;
	const errorOf = (message: string, advice: string | undefined, named: readonly number[] = []) =>
		toNodeError(node, new Failure(message, 'notSent', { code, advice }), named, report);
	if (others.every(({ message }) => message === first.message)) {
		const advice = [`${nothingSent}.`, first.details.advice].filter(Boolean).join(' ');
		return errorOf(first.message, advice, itemCount === 1 ? [] : items);
	}
	const found = [...failureByItem].flatMap(([itemIndex, { details }]) =>
		details.problems!.map((one): FoundProblem => ({ ...one, itemIndex })),
	);
	// The most frequent problem comes first.
	const alike = [...groupedBy(found, ({ advice, rule, text }) => advice ?? rule ?? text).values()];
	alike.sort((one, other) => other.length - one.length);
	const areSeveral = found.length > items.length ? ', some more than one' : '';
	let message = `${nothingSent}: ${items.length} of ${itemCount} items have invalid values${areSeveral}.`;
	const maxCharacters = message.length + maxSentencesCharacters;
	for (const [at, ofRule] of alike.entries()) {
		const sentence = truncate(sentenceOf(ofRule), maxMessageBytes / 2);
		if (at > 0 && message.length + sentence.length > maxCharacters) {
			const more = items.length - itemsOf(alike.slice(0, at).flat()).length;
			message += ` And ${more > 0 ? `${pluralize(more, 'row')} more` : 'other problems of these rows'}.`;
			break;
		}
		message += ` ${sentence}`;
	}
	return errorOf(message, adviceCorrectValues);
}

/**
 * Makes the error items of an item. n8n recognizes by its shape that one belongs to the error output. All versions of n8n
 * recognize `error` beside nothing but `message`; the older ones recognize no other shape that has room for details.
 * @param itemCount the number of all items
 * @param results all results of the item; there may be thousands, so they are looked at once, not for each failure
 * @returns the fields of the error item for one of the failures among them
 */
export function errorFieldsOf(
	itemIndex: number,
	itemCount: number,
	results: readonly Result[],
): (failure: Failure) => IDataObject {
	const outcome = outcomeOfResults(results);
	// Sending the item again sends all of its paths again, those that were processed too.
	const mayResend = results.length === 1 || isSendable(results);
	return (failure) => {
		const { code, fault, details } = failure;
		const { serviceMessages = [], problems = [] } = details;
		const fields = labelNames(problems);
		const advice = [failure.advice, !mayResend && adviceOnlyFailedPaths];
		const known: IDataObject = {
			code,
			fault,
			outcome,
			retryable: mayResend && details.retryable === true,
			advice: advice.filter(Boolean).join(' ') || undefined,
			row: itemIndex + 1,
			fields: fields.length > 0 ? fields : undefined,
			key: details.key,
			tries: details.tries,
			httpStatus: details.status,
			serviceMessage: truncate(serviceMessages.join('\n'), maxServiceMessagesBytes) || undefined,
		};
		const error = Object.fromEntries(Object.entries(known).filter(([, one]) => one !== undefined));
		return { message: messageWithItems(failure, itemCount === 1 ? [] : [itemIndex]), error };
	};
}
