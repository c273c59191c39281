// Turns failures into what n8n shows: the error of a run that stops, or the error items of a run that continues.
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Failure, type Outcome } from '../failure';
import { shortened } from '../http/json';
import type { FieldProblem } from '../values/fields';
import { itemsInWords } from './itemNames';
import { isSendable, type Result } from './results';

type NodeError = NodeApiError | NodeOperationError;

/** The most bytes of a message before the " …" and the item at its end; with these it has at most 2 kB. */
export const maxMessageBytes = 2000;

/** The most bytes of what the service said, all its lines together. */
export const maxServiceWordsBytes = 8000;

/** The most problems of invalid items that a message names; the items that have others are counted. */
export const maxProblemsNamed = 10;

const adviceOnlyFailedPaths =
	'Other paths of this item were processed, or may have been: send only the paths again that were not processed.';

const adviceCorrectValue = 'Correct the value, or the expression that gives it.';

/** The failure of an item whose values do not fit. It names all problems by the fields' labels on the form. */
export function invalidItem(problems: readonly FieldProblem[]): Failure {
	const message = problems
		.map(({ label, text }) => (label === '' ? text : `'${label}' ${text}`))
		.join('; ');
	return new Failure(message, 'notSent', {
		code: 'invalidValues',
		advice: `Nothing was sent for this item. ${adviceCorrectValue}`,
	});
}

/**
 * Turns anything that was thrown into a failure.
 * @param outcome what became of the item, unless the error is a failure and so says it itself
 */
export const asFailure = (error: unknown, outcome: Outcome): Failure =>
	error instanceof Failure ? error : new Failure((error as Error).message, outcome);

/** The most characters of each enumeration of the items at the end of a message. */
const maxItemsCharacters = 100;

const messageWithItems = (message: string, itemIndexes: readonly number[]): string => {
	const text = shortened(message, maxMessageBytes);
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
 * execution data with it.
 * @param itemIndexes the items that failed like this, in ascending order; none for a node without input items
 * @param report what became of the other items
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndexes: readonly number[] = [],
	report = '',
): NodeError {
	const [itemIndex] = itemIndexes;
	const message = messageWithItems(failure.message, itemIndexes);
	const { advice = '', serviceWords = [], status } = failure.details;
	const words =
		serviceWords.length > 1 ? shortened(serviceWords.join('\n'), maxServiceWordsBytes) : '';
	const error =
		status === undefined
			? new NodeOperationError(node, message, { itemIndex })
			: new NodeApiError(node, { message }, { message, itemIndex, httpCode: String(status) });
	return withWords(error, message, [words, advice, report]);
}

/** Items that do not fit for the same reason. */
interface EqualProblems {
	/** In ascending order. */
	itemIndexes: number[];
	failure: Failure;
}

function groupsOfEqualProblems(failureByItem: ReadonlyMap<number, Failure>): EqualProblems[] {
	const groups = new Map<string, EqualProblems>();
	for (const [itemIndex, failure] of failureByItem) {
		const group = groups.get(failure.message);
		if (group) group.itemIndexes.push(itemIndex);
		else groups.set(failure.message, { itemIndexes: [itemIndex], failure });
	}
	return [...groups.values()];
}

/** The most characters of each enumeration of the items that have one problem. */
const maxProblemItemsCharacters = 20;

/**
 * The error of a run that sends nothing because some of its items do not fit.
 * @param failureByItem why each of these items does not fit; at least one
 * @param itemCount the number of all items
 * @param report what became of the items in earlier tries of the run; '' when no try sent anything
 */
export function toInvalidItemsError(
	node: INode,
	failureByItem: ReadonlyMap<number, Failure>,
	itemCount: number,
	report: string,
): NodeError {
	const groups = groupsOfEqualProblems(failureByItem);
	const [{ itemIndexes, failure }] = groups as [EqualProblems];
	const nothingSent = `Nothing ${report === '' ? '' : 'more '}was sent`;
	if (groups.length === 1) {
		const { code, advice } = failure.details;
		const adviceForAll =
			code === 'invalidValues' ? `${nothingSent}. ${adviceCorrectValue}` : advice;
		const isOfAll = itemCount > 1 && itemIndexes.length === itemCount;
		const message = isOfAll ? `All ${itemCount} items: ${failure.message}` : failure.message;
		const forAll = new Failure(message, 'notSent', { code, advice: adviceForAll });
		return toNodeError(node, forAll, isOfAll ? [] : itemIndexes, report);
	}
	const named = groups.slice(0, maxProblemsNamed);
	const more = groups.slice(maxProblemsNamed).flatMap((group) => group.itemIndexes).length;
	const bytesPerProblem = Math.floor(maxMessageBytes / (named.length + 1));
	const sentences = [
		`${nothingSent}: ${failureByItem.size} of ${itemCount} items have values that are not valid.`,
		...named.map((group) => {
			const items = itemsInWords(group.itemIndexes, [], maxProblemItemsCharacters);
			const sentence = `${items.replace('row', 'Row')}: ${group.failure.message}`;
			return `${shortened(sentence, bytesPerProblem - 8)}.`;
		}),
		...(more > 0 ? [`And ${more} more.`] : []),
	];
	const message = sentences.join(' ');
	const error = new NodeOperationError(node, message, { itemIndex: itemIndexes[0] });
	const advice = 'Correct the values, or the expressions that give them.';
	return withWords(error, message, [advice, report]);
}

/**
 * The error item that a failed item becomes in a run that continues. n8n recognizes by its shape that it belongs to
 * the error output. All versions of n8n recognize `error` beside nothing but `message`; the older ones recognize no
 * other shape that has room for details.
 * @param results all results of the item, of which the failure is one
 */
export function errorItem(
	failure: Failure,
	itemIndex: number,
	results: readonly Result[] = [failure],
): INodeExecutionData {
	const { status, advice, serviceWords = [], retryable = false, tries } = failure.details;
	// Sending the item again sends all of its paths again, those that were processed too.
	const otherPathsChangedNothing = results.length === 1 || isSendable(results);
	const shownAdvice = [advice, otherPathsChangedNothing ? undefined : adviceOnlyFailedPaths]
		.filter((sentence) => sentence !== undefined)
		.join(' ');
	const error: IDataObject = {
		code: failure.code,
		outcome: failure.outcome,
		retryable: retryable && otherPathsChangedNothing,
		...(shownAdvice && { advice: shownAdvice }),
		...(tries !== undefined && { tries }),
		...(status !== undefined && { httpStatus: status }),
		...(serviceWords.length > 0 && {
			serviceMessage: shortened(serviceWords.join('\n'), maxServiceWordsBytes),
		}),
	};
	return {
		json: { message: messageWithItems(failure.message, [itemIndex]), error },
		pairedItem: { item: itemIndex },
	};
}
