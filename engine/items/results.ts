// The results of each input item, and what they say of the item as a whole. They are shared by all tries of one run:
// n8n's "Retry On Fail" runs the whole node again for all items, and no record may be created twice because of it.
import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { Failure } from '../failure';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** The results by input item; undefined for an item that has not been sent. */
export type Results = Array<readonly Result[] | undefined>;

/** By an object that all tries of a run share, and by a text that tells apart the runs that share it too. */
const resultsByRun = new WeakMap<object, Map<string, Results>>();

/**
 * The key under which all tries of one run, and no other run, find their results: an object, and a text where the
 * object does not suffice.
 * - On the canvas the object is the execute data.
 * - Where the node serves an AI agent as a tool, the execute data is the agent's, and only the item belongs to the
 *   one call.
 * - An n8n that gives no execute data still hands the same items to all tries, but also to other nodes and to later
 *   rounds of a loop: the execution, the node and the count of its runs tell those apart.
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

/** The results of this run. When n8n runs the node again, they hold those of the earlier tries. */
export function resultsOfRun(ctx: IExecuteFunctions): Results {
	const results: Results = ctx.getInputData().map(() => undefined);
	const key = ctx.getNode().retryOnFail ? keyOfRun(ctx) : undefined;
	if (!key) return results;
	const [shared, run] = key;
	const resultsByText = resultsByRun.get(shared) ?? new Map<string, Results>();
	const earlierResults = resultsByText.get(run);
	if (earlierResults) return earlierResults;
	resultsByRun.set(shared, resultsByText.set(run, results));
	return results;
}

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

/** What became of the record of an item, or of one path of it, as far as sending it again is concerned. */
export type ItemOutcome = 'processed' | 'inDoubt' | 'notProcessed';

/** What one result says. A record whose answer could not be read was processed all the same. */
export function resultOutcomeOf(result: Result): ItemOutcome {
	if (!isFailure(result) || result.outcome === 'done') return 'processed';
	return result.outcome === 'unknown' ? 'inDoubt' : 'notProcessed';
}

/** Whether an item has several paths whose outcomes differ. */
export const isPartly = (results: readonly Result[] = []): boolean =>
	new Set(results.map(resultOutcomeOf)).size > 1;

/** An item whose paths had different outcomes is in doubt as a whole, since no one word is true of all of them. */
export function itemOutcomeOf(results: readonly Result[] | undefined): ItemOutcome {
	if (results === undefined) return 'notProcessed';
	const [first] = results;
	if (first === undefined) return 'processed';
	return isPartly(results) ? 'inDoubt' : resultOutcomeOf(first);
}

/** Whether an item may be sent: it was not sent yet, or all of it failed and changed nothing. */
export const isSendable = (results: readonly Result[] | undefined): boolean =>
	itemOutcomeOf(results) === 'notProcessed';
