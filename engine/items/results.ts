// The results of each input item, and what they say of the item as a whole. They are shared by all tries of one run:
// n8n's "Retry On Fail" runs the whole node again for all items, and no record may be created twice because of it.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Failure } from '../failure';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** The results by input item; undefined for an item that has not been sent. */
export type Results = Array<readonly Result[] | undefined>;

/** What all tries of one run share. */
interface RunRecord {
	readonly results: Results;
	/** Items that the run has begun to send. */
	readonly begun: Set<number>;
}

/** By an object that all tries of a run share, and no other run. */
const recordsByRun = new WeakMap<object, RunRecord>();

/**
 * The object that all tries of one run share, and no other run. On the canvas it is the execute data. Where the node
 * serves an AI agent as a tool, the execute data is the agent's, and only the item belongs to the one call.
 */
function sharedByTries(ctx: IExecuteFunctions): object | undefined {
	const executeData = ctx.getExecuteData();
	const isOwn = executeData.node.name === ctx.getNode().name;
	return isOwn ? executeData : ctx.getInputData()[0]?.json;
}

/** The record of this run. When n8n runs the node again, it holds that of the earlier tries. */
export function runRecordOf(ctx: IExecuteFunctions): RunRecord {
	const shared = (ctx.getNode().retryOnFail && sharedByTries(ctx)) || {};
	const record = recordsByRun.get(shared) ?? {
		results: ctx.getInputData().map(() => undefined),
		begun: new Set(),
	};
	recordsByRun.set(shared, record);
	return record;
}

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

/** What became of a record, as far as sending it again is concerned. */
export type RecordOutcome = 'processed' | 'inDoubt' | 'notProcessed';

/** What became of an item: of one with several paths, these may have had different outcomes. */
export type ItemOutcome = RecordOutcome | 'partly';

/** What one result says. A record whose answer could not be read was processed all the same. */
export function resultOutcomeOf(result: Result): RecordOutcome {
	if (!isFailure(result) || result.outcome === 'done') return 'processed';
	return result.outcome === 'unknown' ? 'inDoubt' : 'notProcessed';
}

export function itemOutcomeOf(results: readonly Result[] | undefined): ItemOutcome {
	if (results === undefined) return 'notProcessed';
	const [outcome = 'processed', ...others] = new Set(results.map(resultOutcomeOf));
	return others.length > 0 ? 'partly' : outcome;
}

/** Whether an item may be sent: it was not sent yet, or all of it failed and changed nothing. */
export const isSendable = (results: readonly Result[] | undefined): boolean =>
	itemOutcomeOf(results) === 'notProcessed';
