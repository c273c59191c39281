// What became of each input item. n8n's "Retry On Fail" runs the whole node again for all items; what the
// tries of one run share is kept here, so that no record is created twice because of it.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Failure } from '../failure';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** By input item; undefined for an item that has not been sent. */
export type Results = Array<readonly Result[] | undefined>;

const resultsByRun = new WeakMap<object, Results>();

/**
 * The object that all tries of one run share, and no other run does. On the canvas it is the execute data;
 * of a node that serves an AI agent as a tool that is the agent's, and only the item is the call's own.
 */
function runOf(ctx: IExecuteFunctions): object | undefined {
	const executeData = ctx.getExecuteData();
	return executeData.node.name === ctx.getNode().name ? executeData : ctx.getInputData()[0]?.json;
}

/** The results of this run; when n8n runs the node again, those of the earlier tries are in it. */
export function resultsOfRun(ctx: IExecuteFunctions): Results {
	const run = ctx.getNode().retryOnFail ? runOf(ctx) : undefined;
	const known = run && resultsByRun.get(run);
	if (known) return known;
	const results: Results = ctx.getInputData().map(() => undefined);
	if (run) resultsByRun.set(run, results);
	return results;
}

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

/** Whether the record may be there, although the item failed. */
export const isInDoubt = (result: Result): boolean =>
	isFailure(result) && (result.outcome === 'unknown' || result.outcome === 'done');

const changedNothing = (result: Result): boolean => isFailure(result) && !isInDoubt(result);

/** Whether an item may be sent: it was not, or all of it failed and changed nothing. */
export const isOpen = (results: readonly Result[] | undefined): boolean =>
	results === undefined || (results.length > 0 && results.every(changedNothing));
