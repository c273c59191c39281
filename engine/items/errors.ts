// Failures → what n8n shows: the error of a stopped run, or the error item of a run that continues.
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Failure, type Outcome } from '../failure';
import type { Problem } from '../values/fields';

type NodeError = NodeApiError | NodeOperationError;

/** All problems of one item in one message, by the fields' names on the form. */
export function invalid(problems: readonly Problem[]): Failure {
	const message = problems.map(({ label, text }) => `'${label}' ${text}`).join('; ');
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

/**
 * The error of a stopped run. Built anew, so that nothing of the request (headers, keys) travels with it
 * into execution data.
 * @param report what became of the other items
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex: number,
	report = '',
): NodeError {
	const message = `${failure.message} [item ${itemIndex}]`;
	const { advice = '', said = [], status } = failure.more;
	const lines = [...(said.length > 1 ? said : []), advice, report].filter((line) => line !== '');
	const description = lines.join('\n');
	return status === undefined
		? new NodeOperationError(node, message, { description, itemIndex })
		: new NodeApiError(
				node,
				{ message },
				{ message, description, itemIndex, httpCode: String(status) },
			);
}

/**
 * The item that a failed item becomes when the run continues. n8n sends it to the error output by its
 * shape: `error` beside nothing but `details`.
 */
export function errorItem(failure: Failure, itemIndex: number): INodeExecutionData {
	const { status, advice, said = [], retryable = false, tries } = failure.more;
	const details: IDataObject = {
		outcome: failure.outcome,
		retryable,
		...(advice && { advice }),
		...(tries !== undefined && { tries }),
		...(status !== undefined && { httpStatus: status }),
		...(said.length > 0 && { serviceMessage: said.join('\n') }),
	};
	return {
		json: { error: `${failure.message} [item ${itemIndex}]`, details },
		pairedItem: { item: itemIndex },
	};
}
