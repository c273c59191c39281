// What became of each input item. n8n's "Retry On Fail" runs the whole node again for all items; what the
// tries of one run share is kept here, so that no record is created twice because of it.
import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { Failure } from '../failure';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** By input item; undefined for an item that has not been sent. */
export type Results = Array<readonly Result[] | undefined>;

/** By an object that the tries of a run share; where runs share it too, by what tells them apart. */
const resultsByRun = new WeakMap<object, Map<string, Results>>();

/**
 * What all tries of one run share, and no other run does. On the canvas it is the execute data. Of a node
 * that serves an AI agent as a tool that is the agent's, and only the item is the call's own. An n8n that
 * gives no execute data still hands the same items to all tries, but to other nodes and later rounds of a
 * loop as well: the execution, the node and the count of its runs tell those apart.
 */
function keyOfRun(ctx: IExecuteFunctions): [shared: object, run: string] | undefined {
	const { name } = ctx.getNode();
	const executeData: IExecuteData | undefined = ctx.getExecuteData?.();
	if (executeData?.node.name === name) return [executeData, ''];
	const item = ctx.getInputData()[0]?.json;
	if (!item) return undefined;
	if (executeData) return [item, ''];
	const { $runIndex } = ctx.getWorkflowDataProxy(0);
	return [item, JSON.stringify([ctx.getExecutionId(), name, $runIndex])];
}

/** The results of this run; when n8n runs the node again, those of the earlier tries are in it. */
export function resultsOfRun(ctx: IExecuteFunctions): Results {
	const results: Results = ctx.getInputData().map(() => undefined);
	const shared = ctx.getNode().retryOnFail ? keyOfRun(ctx) : undefined;
	if (!shared) return results;
	const [object, run] = shared;
	const runs = resultsByRun.get(object) ?? new Map<string, Results>();
	const known = runs.get(run);
	if (known) return known;
	resultsByRun.set(object, runs.set(run, results));
	return results;
}

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

/** Whether the record may be there, although the item failed. */
export const isInDoubt = (result: Result): boolean =>
	isFailure(result) && (result.outcome === 'unknown' || result.outcome === 'done');

const changedNothing = (result: Result): boolean => isFailure(result) && !isInDoubt(result);

/** Whether an item may be sent: it was not, or all of it failed and changed nothing. */
export const isSendable = (results: readonly Result[] | undefined): boolean =>
	results === undefined || (results.length > 0 && results.every(changedNothing));

/** What became of an item as a whole. */
export type ItemOutcome = 'processed' | 'notProcessed' | 'inDoubt';

/** Of an item with several paths that fared differently, nothing can be said of the whole. */
export function itemOutcomeOf(results: readonly Result[] | undefined): ItemOutcome {
	if (isSendable(results)) return 'notProcessed';
	const isDone = (result: Result) => !isFailure(result) || result.outcome === 'done';
	return results!.every(isDone) ? 'processed' : 'inDoubt';
}
