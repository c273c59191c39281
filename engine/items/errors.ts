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
	'Other paths of this item were processed, or may have been: send again only the paths that were not processed.';

const nothingSentForItem = 'Nothing was sent for this item';

const adviceCorrectValue = 'Correct the value, or the expression that gives it.';

const problemInWords = ({ label }: FieldProblem, text: string): string =>
	label === '' ? text : `'${label}' ${text}`;

/** The failure of an item whose values do not fit. It names all problems by the fields' labels on the form. */
export function invalidItem(problems: readonly FieldProblem[]): Failure {
	const message = problems.map((problem) => problemInWords(problem, problem.text)).join('; ');
	const rules = problems.map((problem) => problemInWords(problem, problem.rule ?? problem.text));
	// Other problems say themselves what to do.
	const isAboutValues = problems.some(({ rule }) => rule !== undefined);
	return new Failure(message, 'notSent', {
		code: 'invalidValues',
		advice: `${nothingSentForItem}.${isAboutValues ? ` ${adviceCorrectValue}` : ''}`,
		alike: rules.join('; '),
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
	const message = messageWithItems(failure.message, itemIndexes);
	const { advice = '' } = failure;
	const { serviceWords = [], status } = failure.details;
	const words =
		serviceWords.length > 1 ? shortened(serviceWords.join('\n'), maxServiceWordsBytes) : '';
	const error =
		status === undefined
			? new NodeOperationError(node, message)
			: new NodeApiError(node, { message }, { message, httpCode: String(status) });
	return withWords(error, message, [words, advice, report]);
}

/** Items that do not fit for the same reason. */
interface LikeProblems {
	/** In ascending order. */
	itemIndexes: number[];
	/** Of the first of them. */
	failure: Failure;
	/** '' when it has the words of all; else says that it has those of the first. */
	suchAs: string;
}

function groupsOfLikeProblems(failureByItem: ReadonlyMap<number, Failure>): LikeProblems[] {
	const groups = new Map<string, LikeProblems>();
	for (const [itemIndex, failure] of failureByItem) {
		const key = failure.details.alike ?? failure.message;
		const group = groups.get(key);
		if (!group) {
			groups.set(key, { itemIndexes: [itemIndex], failure, suchAs: '' });
		} else {
			group.itemIndexes.push(itemIndex);
			if (group.failure.message !== failure.message)
				group.suchAs = `, such as row ${group.itemIndexes[0]! + 1}`;
		}
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
	const groups = groupsOfLikeProblems(failureByItem);
	const [{ itemIndexes, failure, suchAs }] = groups as [LikeProblems];
	const nothingSent = `Nothing ${report === '' ? '' : 'more '}was sent`;
	if (groups.length === 1 && suchAs === '') {
		const { advice } = failure.details;
		const adviceForAll = advice?.replace(nothingSentForItem, nothingSent);
		const forAll = new Failure(failure.message, 'notSent', { advice: adviceForAll });
		return toNodeError(node, forAll, itemIndexes, report);
	}
	const named = groups.slice(0, maxProblemsNamed);
	const more = groups.slice(maxProblemsNamed).flatMap((group) => group.itemIndexes).length;
	const bytesPerProblem = Math.floor(maxMessageBytes / (named.length + 1));
	const sentences = [
		`${nothingSent}: ${failureByItem.size} of ${itemCount} items have values that are not valid.`,
		...named.map((group) => {
			const rows = itemsInWords(group.itemIndexes, [], maxProblemItemsCharacters);
			const sentence = `${rows.replace('row', 'Row')}${group.suchAs}: ${group.failure.message}`;
			return `${shortened(sentence, bytesPerProblem - 8)}.`;
		}),
		...(more > 0 ? [`And ${more} more.`] : []),
	];
	const message = sentences.join(' ');
	const error = new NodeOperationError(node, message);
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
	const { status, serviceWords = [], retryable = false, tries, key } = failure.details;
	// Sending the item again sends all of its paths again, those that were processed too.
	const otherPathsChangedNothing = results.length === 1 || isSendable(results);
	const shownAdvice = [failure.advice, otherPathsChangedNothing ? undefined : adviceOnlyFailedPaths]
		.filter((sentence) => sentence !== undefined)
		.join(' ');
	const error: IDataObject = {
		code: failure.code,
		outcome: failure.outcome,
		retryable: retryable && otherPathsChangedNothing,
		...(shownAdvice && { advice: shownAdvice }),
		...(key !== undefined && { key }),
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
