// A retry of an execution: n8n runs the failed node again, for all of its items. If a run ends with an error, the
// outcomes of its items stay in the node's context, which n8n saves with the execution and passes to the retry. So the
// retry resumes where the run ended. If n8n itself died, nothing was saved, and nothing is sent.
import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { Failure, type FailureDetails } from '../failure';
import { orUndefined } from '../http/json';
import type { Ledger } from '../items/ledger';
import { isFailure, isSendable, type Result } from '../items/itemState';
import { executionContextOf, unlessStopped } from '../n8n';
import { outcomes, type Outcome } from '../outcome';
import { MarkStore } from './markStore';
import { storeFailed } from './sendOnceMessages';

/** A result as n8n saves it: of a failure, the arguments of its constructor. */
type SavedResult = IDataObject | [string, Outcome, FailureDetails];

/** The data that a run leaves in its node's context when it ends with an error. */
interface EndedRun {
	/** Unique to this end of a run. */
	id: string;
	/** The hash of the data that a retry must share with the run. */
	hash: string;
	/** By item; null if it was not processed. */
	results: Array<SavedResult[] | null>;
}

/** The entry in the context of the node. */
type Context = { agencyRecords?: EndedRun };

/** The entry that all nodes of an execution share: the ID of the retry that resumed where a run had ended. */
type SharedResume = { agencyRecordsResumed?: string };

const adviceOnRetry =
	"Look the record up in the service. If it is not there, start a new execution (not a retry) with only this row. If the node has a key, say so with 'Send Once: Looked-Up Rows'.";

/** A result as the retry shows it. A failure is old by then: the retry makes no request for it. */
function saved(result: Result): SavedResult {
	if (!isFailure(result)) return result;
	const { message, outcome, code, details } = result;
	const { status, path, key } = details;
	const shown = status === undefined ? 'no response' : `status ${status}`;
	const before = `Not resent: in an earlier run, it was ${outcomes[outcome].label} (${shown})`;
	const said = code === 'otherRun' ? message : before;
	return [said, outcome, { code: 'otherRun', advice: adviceOnRetry, status, path, key }];
}

const restored = (one: SavedResult): Result => (Array.isArray(one) ? new Failure(...one) : one);

const adviceAfterDeath =
	"Look up in the service what is missing, and start a new execution for that (for all items, if an earlier node failed before this one started). With 'Send Once', n8n remembers what was sent, and a retry sends the rest.";

/**
 * The hash of the operation, the index of the node's run (a loop has several), and the items as n8n saves them. Items
 * are hashed one by one, since together they may exceed the maximum length of a string. Values that JSON cannot hold
 * (circular ones, a BigInt) are lost when n8n saves the item.
 */
function hashOfRun(ctx: IExecuteFunctions, operation: Operation): string {
	const { runIndex } = executionContextOf(ctx);
	const hash = createHash('sha256').update(`${operation.route}\n${runIndex}\n`);
	for (const { json } of ctx.getInputData()) {
		hash.update(orUndefined(() => JSON.stringify(json)) ?? '\0').update('\n');
	}
	return hash.digest('base64');
}

const contextOf = (ctx: IExecuteFunctions) => executionContextOf<Context>(ctx).context;

const sharedOf = (ctx: IExecuteFunctions) => executionContextOf<SharedResume>(ctx, 'flow').context;

/**
 * The failure of items without a key: none of them is sent.
 * @param storeProblem why n8n's store could not be used, if that is the reason
 */
const unknownSends = (storeProblem = ''): Failure =>
	new Failure(
		'n8n is retrying this execution but does not say what its last run sent, so nothing was sent',
		'inDoubt',
		{ code: 'otherRun', advice: storeProblem + adviceAfterDeath },
	);

/** Whether a retry has not resumed yet. */
const isToResume = (ctx: IExecuteFunctions): boolean =>
	ctx.getMode() === 'retry' && sharedOf(ctx).agencyRecordsResumed !== ctx.getExecutionId();

/**
 * In a retry, puts the outcomes from the retried run into the ledger; or why items without a key must not be sent: nobody
 * knows which of them the retried run sent.
 */
export function restoreEnd(operation: Operation, ledger: Ledger): void {
	const { ctx, items } = ledger;
	if (!isToResume(ctx)) return;
	const { agencyRecords: ended } = contextOf(ctx);
	if (ended?.hash === hashOfRun(ctx, operation))
		ended.results.forEach((ofItem, n) => (items[n]!.results = ofItem?.map(restored)));
	else ledger.unknownSends = unknownSends();
}

/**
 * Called before anything is sent. Only one retry can resume where the run ended, and if it does not reach its own end, no
 * other can resume after it: another one may have resumed there and died, so that nobody knows what it sent.
 */
export async function claimResume(ledger: Ledger): Promise<void> {
	const { ctx, stop } = ledger;
	if (ledger.unknownSends) return;
	const context = contextOf(ctx);
	const { agencyRecords: ended } = context;
	if (ended && isToResume(ctx)) {
		const mark = `retry\n${ended.id}`;
		try {
			const added = await unlessStopped(new MarkStore(ctx, stop).record([mark]), stop);
			if (!added?.has(mark)) return void (ledger.unknownSends = unknownSends());
		} catch (error) {
			const { message, advice } = storeFailed(error);
			return void (ledger.unknownSends = unknownSends(`${message}. ${advice} `));
		}
		sharedOf(ctx).agencyRecordsResumed = ctx.getExecutionId();
	}
	delete context.agencyRecords;
}

/**
 * Called when a run that knows the outcomes before it ends with an error: saves the outcome of each item. A run that sent
 * nothing leaves the earlier end in place.
 */
export function saveEnd(operation: Operation, { ctx, items }: Ledger): void {
	contextOf(ctx).agencyRecords ??= {
		id: randomUUID(),
		hash: hashOfRun(ctx, operation),
		results: items.map(({ results }) => (isSendable(results) ? null : results!.map(saved))),
	};
}
