// The results of each input item, and what they say of the item as a whole. They are shared by all tries of one run:
// n8n's "Retry On Fail" runs the whole node again for all items, and no record may be created twice because of it.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Failure } from '../failure';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** The results by input item; undefined for an item that has not been sent. */
export type Results = Array<readonly Result[] | undefined>;

/** By an object that all tries of a run share, and no other run. */
const resultsByRun = new WeakMap<object, Results>();

/**
 * The object that all tries of one run share, and no other run. On the canvas it is the execute data. Where the node
 * serves an AI agent as a tool, the execute data is the agent's, and only the item belongs to the one call.
 */
function sharedByTries(ctx: IExecuteFunctions): object | undefined {
	const executeData = ctx.getExecuteData();
	const isOwn = executeData.node.name === ctx.getNode().name;
	return isOwn ? executeData : ctx.getInputData()[0]?.json;
}

/** The results of this run. When n8n runs the node again, they hold those of the earlier tries. */
export function resultsOfRun(ctx: IExecuteFunctions): Results {
	const newResults: Results = ctx.getInputData().map(() => undefined);
	const shared = ctx.getNode().retryOnFail ? sharedByTries(ctx) : undefined;
	if (!shared) return newResults;
	const results = resultsByRun.get(shared) ?? newResults;
	resultsByRun.set(shared, results);
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
