// Failures → what n8n shows: the error of a stopped run, or the error item of a run that continues.
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
import { isSendable, type Result } from './results';

type NodeError = NodeApiError | NodeOperationError;

/** Bytes of a message, but for its end: " …" and the item. With these it has at most 2 kB. */
export const maxMessageBytes = 2000;

/** Bytes of what the service said, all its lines together. */
export const maxServiceWordsBytes = 8000;

/** Bad items that are named; the others are counted. */
export const maxItemsNamed = 10;

const adviceOnlyFailedPaths =
	'Other paths of this item were processed, or may have been: send only the paths again that were not processed.';

/** All problems of one item in one message, by the fields' names on the form. */
export function invalidItem(problems: readonly FieldProblem[]): Failure {
	const message = problems
		.map(({ label, text }) => (label === '' ? text : `'${label}' ${text}`))
		.join('; ');
	return new Failure(message, 'notSent', {
		advice: 'Nothing was sent for this item. Correct the value, or the expression that gives it.',
	});
}

/**
 * Anything thrown as a failure.
 * @param outcome what became of the item when the error itself does not say so
 */
export const asFailure = (error: unknown, outcome: Outcome): Failure =>
	error instanceof Failure ? error : new Failure((error as Error).message, outcome);

const messageWithItem = ({ message }: Failure, itemIndex?: number): string => {
	const short = shortened(message, maxMessageBytes);
	return itemIndex === undefined ? short : `${short} [item ${itemIndex}]`;
};

/**
 * Sets what a person reads. n8n's constructors replace a message that holds a system's code, such as EACCES,
 * in any case and inside other words ("deviceAccess"), by a sentence about files or connections.
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
 * The error of a stopped run. Built anew, so that nothing of the request (headers, keys) travels with it
 * into execution data.
 * @param itemIndex of the item that failed; undefined where a node has none
 * @param report what became of the other items
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex?: number,
	report = '',
): NodeError {
	const message = messageWithItem(failure, itemIndex);
	const { advice = '', serviceWords = [], status } = failure.details;
	const words =
		serviceWords.length > 1 ? shortened(serviceWords.join('\n'), maxServiceWordsBytes) : '';
	const error =
		status === undefined
			? new NodeOperationError(node, message, { itemIndex })
			: new NodeApiError(node, { message }, { message, itemIndex, httpCode: String(status) });
	return withWords(error, message, [words, advice, report]);
}

/**
 * The error of a run that sends nothing, since items do not fit.
 * @param misfits why, by item; at least one
 * @param count of all items
 * @param report what became of the items in earlier tries of the run; '' when nothing was sent in any
 */
export function toInvalidItemsError(
	node: INode,
	misfits: ReadonlyMap<number, Failure>,
	count: number,
	report: string,
): NodeError {
	const [[itemIndex, first]] = [...misfits] as [[number, Failure]];
	const reasons = new Set(misfits.values());
	if (reasons.size === 1) return toNodeError(node, first, itemIndex, report);
	const named = [...misfits].slice(0, maxItemsNamed);
	const each = Math.floor(maxMessageBytes / (named.length + 1));
	const sentences = [
		`Nothing ${report === '' ? '' : 'more '}was sent: ${misfits.size} of ${count} items have values that are not valid.`,
		...named.map(([index, { message }]) => `Item ${index}: ${shortened(message, each - 20)}.`),
		...(misfits.size > named.length ? [`And ${misfits.size - named.length} more.`] : []),
	];
	const message = sentences.join(' ');
	const error = new NodeOperationError(node, message, { itemIndex });
	const advice = 'Correct the values, or the expressions that give them.';
	return withWords(error, message, [advice, report]);
}

/**
 * The item that a failed item becomes when the run continues. n8n sends it to the error output by its
 * shape: all its versions know `error` beside nothing but `message`, the older ones no other that has room for
 * details.
 * @param results all of the item, of which the failure is one
 */
export function errorItem(
	failure: Failure,
	itemIndex: number,
	results: readonly Result[] = [failure],
): INodeExecutionData {
	const { status, advice, serviceWords = [], retryable = false, tries } = failure.details;
	// Sending the item again would send its other paths again as well.
	const isWhole = results.length === 1 || isSendable(results);
	const toDo = advice ?? (isWhole ? undefined : adviceOnlyFailedPaths);
	const error: IDataObject = {
		outcome: failure.outcome,
		retryable: retryable && isWhole,
		...(toDo && { advice: toDo }),
		...(tries !== undefined && { tries }),
		...(status !== undefined && { httpStatus: status }),
		...(serviceWords.length > 0 && {
			serviceMessage: shortened(serviceWords.join('\n'), maxServiceWordsBytes),
		}),
	};
	return {
		json: { message: messageWithItem(failure, itemIndex), error },
		pairedItem: { item: itemIndex },
	};
}
