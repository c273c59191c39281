// Turns failures into what n8n shows: the error of a run that stops, or the error items of a run that continues.
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { SignInError } from '../auth/signInError';
import { Failure, type FieldProblem, type Outcome } from '../failure';
import { pluralize, joinUpTo, groupedBy } from '../http/format';
import { truncate } from '../http/json';
import { itemsInWords } from './itemNames';
import { isSendable, type Result } from './results';

type NodeError = NodeApiError | NodeOperationError;

/** The most bytes of a message before the " …" and the item at its end; with these it has at most 2 kB. */
export const maxMessageBytes = 2000;

/** The most bytes of what the service said, all its lines together. */
export const maxServiceWordsBytes = 8000;

const adviceOnlyFailedPaths =
	'Other paths of this item were processed, or may have been: send again only the paths that were not processed.';

const nothingSentForItem = 'Nothing was sent for this item';

const adviceCorrectValue = 'Correct the value, or the expression that gives it.';

const quotedList = (words: readonly string[], conjunction: string): string =>
	words.map((word) => `'${word}'`).join(` ${conjunction} `);

/** The labels of the fields, each once. */
const labelNames = (problems: readonly FieldProblem[]): string[] => [
	...new Set(problems.flatMap(({ label }) => (label === '' ? [] : [label]))),
];

/** The values of 'Dates in Rows' with which most of the dates that were refused can be read. */
function bestDatesInRows(problems: readonly FieldProblem[]): string[] {
	const all = problems.flatMap(({ datesInRows = [] }) => datesInRows);
	const groups = [...groupedBy(all, (value) => value)];
	const most = Math.max(...groups.map(([, { length }]) => length));
	return groups.filter(([, { length }]) => length === most).map(([value]) => value);
}

/** Each names all problems by the fields' labels on the form. */
function invalidItem(problems: readonly FieldProblem[]): Failure {
	const message = problems
		.map(({ label, text }) => (label === '' ? text : `'${label}' ${text}`))
		.join('; ');
	const advised = problems.find(({ advice }) => advice !== undefined);
	// Problems without a rule say themselves what to do.
	const toCorrect = problems.some(({ advice, rule }) => advice === undefined && rule !== undefined);
	const advice = [
		`${nothingSentForItem}.`,
		...(advised ? [`${advised.advice}.`] : []),
		...(toCorrect ? [adviceCorrectValue] : []),
	].join(' ');
	return new Failure(message, 'notSent', { code: 'invalidValues', advice, problems });
}

/**
 * The failures of items whose values do not fit.
 * @param problemsByItem of a run
 */
export function invalidItems(
	problemsByItem: ReadonlyMap<number, readonly FieldProblem[]>,
): Map<number, Failure> {
	const best = bestDatesInRows([...problemsByItem.values()].flat());
	const withAdvice = (problem: FieldProblem): FieldProblem => {
		const values = best.filter((value) => problem.datesInRows?.includes(value));
		const advice = `Set 'Dates in Rows' to ${quotedList(values, 'or')} under 'Options'`;
		return values.length > 0 ? { ...problem, advice } : problem;
	};
	return new Map(
		[...problemsByItem].map(([item, problems]) => [item, invalidItem(problems.map(withAdvice))]),
	);
}

/**
 * Turns anything that was thrown into a failure.
 * @param outcome what became of the item, unless the error is a failure and so says it itself
 */
export function asFailure(error: unknown, outcome: Outcome): Failure {
	if (error instanceof Failure) return error;
	const code = error instanceof SignInError ? error.reason : undefined;
	return new Failure((error as Error).message, outcome, { code });
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
 * Sets the texts that a person reads, after the error was constructed. n8n's constructors replace a message that
 * holds an error code of the operating system, such as EACCES, by a sentence about files or connections. They find
 * the code in any case and inside other words ("deviceAccess").
 */
function withWords<Error extends NodeError>(
	error: Error,
	message: string,
	lines: readonly string[],
): Error {
	error.message = message;
	error.description = lines.filter((line) => line !== '').join('\n') || undefined;
	return error;
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
	const { serviceWords = [], status } = failure.details;
	const { advice = '' } = failure.doubt ? failure.details : failure;
	const words =
		serviceWords.length > 1 ? truncate(serviceWords.join('\n'), maxServiceWordsBytes) : '';
	const error =
		status === undefined
			? new NodeOperationError(node, message)
			: new NodeApiError(node, { message }, { message, httpCode: String(status) });
	return withWords(error, message, [words, advice, report]);
}

/** A problem and the item that has it. */
interface Found {
	itemIndex: number;
	problem: FieldProblem;
}

/** The most characters of each enumeration of values or items that have one problem. */
const maxListedCharacters = 80;

/** The most characters of the sentences of a message, so that it stays within some eight lines of n8n's panel. */
const maxSentencesCharacters = 440;

const quotedLabels = (found: readonly Found[]): string =>
	quotedList(labelNames(found.map(({ problem }) => problem)), 'and');

const itemsOf = (found: readonly Found[]): number[] => [
	...new Set(found.map(({ itemIndex }) => itemIndex)),
];

const valuesByRow = (found: readonly Found[]): string =>
	joinUpTo(
		[...new Set(found.map(({ itemIndex, problem }) => `row ${itemIndex + 1} ${problem.value}`))],
		maxListedCharacters,
	);

/** What is wrong with values that break one rule, in one sentence or two. */
function ruleInWords(found: readonly Found[]): string {
	const [{ problem }] = found as [Found];
	const byAdvice = groupedBy(found, (one) => one.problem.advice);
	const others = byAdvice.get(undefined) ?? [];
	if (others.length < found.length) {
		byAdvice.delete(undefined);
		const advised = [...byAdvice.values()].map((alike) => {
			const [{ problem: first, itemIndex }] = alike as [Found];
			const rows = itemsOf(alike).length;
			const count = rows === 1 ? `row ${itemIndex + 1} is` : `${pluralize(rows, 'row')} are`;
			return `${quotedLabels(alike)}: ${count} like ${first.value}. ${first.advice}.`;
		});
		if (others.length > 0) advised.push(`Others: ${valuesByRow(others)}.`);
		return advised.join(' ');
	}
	const isSameText = found.every((one) => one.problem.text === problem.text);
	const words = isSameText ? problem.text : (problem.rule ?? problem.text);
	if (problem.value !== undefined && !isSameText)
		return `${quotedLabels(found)} ${words}: ${valuesByRow(found)}.`;
	const rows = itemsInWords(itemsOf(found), [], maxListedCharacters / 2);
	return `${quotedLabels(found)} ${words} [${rows}].`.trimStart();
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
	const [{ message: firstMessage, details }] = [...failureByItem.values()] as [Failure];
	const nothingSent = `Nothing ${report === '' ? '' : 'more '}was sent`;
	if ([...failureByItem.values()].every(({ message }) => message === firstMessage)) {
		const advice = details.advice?.replace(nothingSentForItem, nothingSent);
		const forAll = new Failure(firstMessage, 'notSent', { advice });
		return toNodeError(node, forAll, itemCount === 1 ? [] : [...failureByItem.keys()], report);
	}
	const found: Found[] = [...failureByItem].flatMap(([itemIndex, failure]) =>
		(failure.details.problems ?? [{ label: '', text: failure.message }]).map((problem) => ({
			itemIndex,
			problem,
		})),
	);
	const rules = [...groupedBy(found, ({ problem }) => problem.rule ?? problem.text).values()];
	const sentences = [
		`${nothingSent}: ${failureByItem.size} of ${itemCount} items have values that are not valid.`,
	];
	let characters = 0;
	for (const [at, rule] of rules.entries()) {
		const sentence = truncate(ruleInWords(rule), maxMessageBytes / 2);
		characters += sentence.length;
		if (at > 0 && characters > maxSentencesCharacters) {
			sentences.push(`And ${pluralize(itemsOf(rules.slice(at).flat()).length, 'row')} more.`);
			break;
		}
		sentences.push(sentence);
	}
	const message = sentences.join(' ');
	const error = new NodeOperationError(node, message);
	const advice = 'Correct the values, or the expressions that give them.';
	return withWords(error, message, [advice, report]);
}

/**
 * The error item that a failed item becomes in a run that continues. n8n recognizes by its shape that it belongs to
 * the error output. All versions of n8n recognize `error` beside nothing but `message`; the older ones recognize no
 * other shape that has room for details.
 * @param itemCount the number of all items
 * @param results all results of the item, of which the failure is one
 */
export function errorItem(
	failure: Failure,
	itemIndex: number,
	itemCount: number,
	results: readonly Result[] = [failure],
): INodeExecutionData {
	const { code, outcome, details } = failure;
	const { serviceWords = [], problems = [] } = details;
	const fields = labelNames(problems);
	// Sending the item again sends all of its paths again, those that were processed too.
	const mayResend = results.length === 1 || isSendable(results);
	const advice = [failure.advice, ...(mayResend ? [] : [adviceOnlyFailedPaths])];
	const known: IDataObject = {
		code,
		outcome,
		retryable: mayResend && details.retryable === true,
		advice: advice.filter(Boolean).join(' ') || undefined,
		row: itemIndex + 1,
		fields: fields.length > 0 ? fields : undefined,
		key: details.key,
		tries: details.tries,
		httpStatus: details.status,
		serviceMessage: truncate(serviceWords.join('\n'), maxServiceWordsBytes) || undefined,
	};
	const isKnown = ([, value]: [string, unknown]): boolean => value !== undefined;
	const error = Object.fromEntries(Object.entries(known).filter(isKnown));
	return {
		json: { message: messageWithItems(failure, itemCount === 1 ? [] : [itemIndex]), error },
		pairedItem: { item: itemIndex },
	};
}
