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

const processed = 'Already processed, do not send again';
const notProcessed = 'Not processed';

/**
 * How an item may have ended, best first: the words by which it is counted, and the beginning of the sentence that tells
 * what this means for sending it again. A read gives rows, and sends none.
 */
export const ends = {
	sent: { counted: 'sent', told: processed },
	alreadySent: { counted: 'already sent', told: processed },
	unreadable: { counted: 'sent, but the answer could not be read', told: processed },
	partly: { counted: 'partly processed', told: 'Partly processed' },
	inDoubt: {
		counted: 'in doubt',
		told: 'May or may not have been processed, look them up first',
	},
	refused: { counted: 'refused', told: notProcessed },
	notSent: { counted: 'not sent', told: notProcessed },
};

export type End = keyof typeof ends;

export const endNames = Object.keys(ends) as End[];

export function endOfResult(result: Result): End {
	if (!isFailure(result)) return 'sent';
	const { outcome } = result;
	if (outcome === 'done') return 'unreadable';
	return outcome === 'unknown' ? 'inDoubt' : outcome;
}

/**
 * How an item has ended. Its paths may have ended in different ways.
 * @param hasBegun whether this run has begun to send it
 */
export function endOf(results: readonly Result[] | undefined, hasBegun = true): End {
	if (results === undefined) return 'notSent';
	const found = new Set(results.map(endOfResult));
	if (new Set([...found].map((end) => ends[end].told)).size > 1) return 'partly';
	const end = endNames.find((one) => one !== 'sent' && found.has(one)) ?? 'sent';
	return ends[end].told === processed && !hasBegun ? 'alreadySent' : end;
}

/** Whether an item may be sent: it was not sent yet, or all of it failed and changed nothing. */
export const isSendable = (results: readonly Result[] | undefined): boolean =>
	ends[endOf(results)].told === notProcessed;

/** What became of an item, as far as its key is concerned: one that was processed in part is in doubt. */
export type KeyOutcome = 'processed' | 'inDoubt' | 'notProcessed';

export function keyOutcomeOf(results: readonly Result[] | undefined): KeyOutcome {
	if (isSendable(results)) return 'notProcessed';
	return ends[endOf(results)].told === processed ? 'processed' : 'inDoubt';
}
