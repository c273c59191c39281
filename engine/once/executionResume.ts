// A retry of an execution: n8n runs the node that failed again, for all of its items. Where a run ends with an
// error, what became of its items stays in the node's context, which n8n saves with the execution and hands to
// its retry: that goes on where the run ended. Where n8n itself died nothing was saved, and nothing is sent.
import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { Failure, type FailureDetails, type Outcome } from '../failure';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { isFailure, isSendable, type Result } from '../items/results';
import { unlessStopped } from '../n8n';
import { MarkStore } from './markStore';
import { storeFailed } from './sendOnceMessages';

/** A result as n8n saves it. */
type SavedResult = { json: IDataObject } | { failure: [string, Outcome, FailureDetails] };

/** What a run that has ended with an error leaves in its node's context. */
interface EndedRun {
	/** Tells this end from all others. */
	id: string;
	/** The hash of what a retry must have in common with the run. */
	hash: string;
	/** By item; null for an item that was not processed. */
	results: Array<SavedResult[] | null>;
}

/** The name of the entry in the node's context. */
const contextKey = 'agencyRecords';

/** Retries that went on where a run had ended: nodes behind it had not begun. The oldest are forgotten. */
const resumedExecutions = new Set<string>();
const maxResumed = 1000;

const saved = (result: Result): SavedResult =>
	isFailure(result)
		? { failure: [result.message, result.outcome, result.details] }
		: { json: result };

/** What an earlier run left of an item that it failed to send, or did not read the answer of. */
const leftInWords: Record<Outcome, string> = {
	unknown: 'left it in doubt',
	done: 'sent it, and could not read the answer',
	refused: 'has processed other paths of it',
	notSent: 'has processed other paths of it',
};

/** A result of the run that is retried. Its failure is old: no request is made for it now. */
const restored = (result: SavedResult): Result => {
	if (!('failure' in result)) return result.json;
	const [message, outcome, { code, status, path, key }] = result.failure;
	const answer = status === undefined ? 'no answer' : `status ${status}`;
	// The run before that one has sent it; the key is what a person knows the record by.
	const why =
		code === 'keyInDoubt' ? message : `an earlier run ${leftInWords[outcome]} (${answer})`;
	return new Failure(`Not sent again: ${why}`, outcome, {
		code: 'heldBack',
		advice:
			"Look the record up in the service. If it is not there, execute the workflow anew with this row alone, not as a retry. If the node has a key, add 'Send Once: Send Anyway' for that.",
		status,
		path,
		key,
	});
};

const adviceAfterDeath =
	"Look up in the service what is missing. 'Allow When Retried' sends all items again. With 'Send Once' n8n remembers what was sent, and a retry sends the rest.";

/** What n8n keeps for the node with the execution; nothing where it keeps nothing. */
function contextOf(ctx: IExecuteFunctions): IDataObject {
	try {
		return ctx.getContext('node');
	} catch {
		return {};
	}
}

/**
 * The hash of an operation, of which of the node's runs it is, as in a loop, and of the items as they are after n8n
 * has saved them. Item by item, since together they may be longer than a text can be; what JSON cannot hold (a value
 * that holds itself, a BigInt) is not there after n8n has saved it.
 */
function hashOfRun(ctx: IExecuteFunctions, operation: Operation): string {
	const { $runIndex } = ctx.getWorkflowDataProxy(0);
	const hash = createHash('sha256').update(`${operation.request}\n${$runIndex}\n`);
	for (const { json } of ctx.getInputData()) {
		try {
			hash.update(JSON.stringify(json));
		} catch {
			hash.update('\0');
		}
		hash.update('\n');
	}
	return hash.digest('base64');
}

/** One run of a node that writes, and the one before it that it may be the retry of. */
export class ExecutionResume {
	private readonly context: IDataObject;

	/** Whether it is known what was sent before. */
	knowsEarlierSends = true;

	/** Why n8n's store could not be used, if that is why nothing is known. */
	private storeProblem = '';

	private constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly ledger: Ledger,
	) {
		this.context = contextOf(ctx);
	}

	/** Enters in the ledger what became of the items in the run that is retried, if this is a retry. */
	static async open(
		ctx: IExecuteFunctions,
		operation: Operation,
		ledger: Ledger,
	): Promise<ExecutionResume> {
		const resume = new ExecutionResume(ctx, operation, ledger);
		const isRetry = ctx.getMode() === 'retry' && !resumedExecutions.has(ctx.getExecutionId());
		if (isRetry) resume.knowsEarlierSends = await resume.goesOn();
		return resume;
	}

	/** @returns whether it is known where the run has ended that is retried */
	private async goesOn(): Promise<boolean> {
		const ended = this.context[contextKey] as unknown as EndedRun | undefined;
		if (ended?.hash !== hashOfRun(this.ctx, this.operation)) return false;
		if (!(await this.claims(ended.id))) return false;
		this.ledger.restore(ended.results.map((results) => results?.map(restored)));
		resumedExecutions.add(this.ctx.getExecutionId());
		if (resumedExecutions.size > maxResumed) resumedExecutions.delete([...resumedExecutions][0]!);
		return true;
	}

	/** Whether no other retry has gone on from there: it may have died, and n8n would hand us the same again. */
	private async claims(end: string): Promise<boolean> {
		const mark = `retry\n${end}`;
		const { stop } = this.ledger;
		try {
			const claiming = new MarkStore(this.ctx).record([mark], stop);
			return (await unlessStopped(claiming, stop))?.has(mark) ?? false;
		} catch (error) {
			const { message, advice } = storeFailed(error);
			this.storeProblem = `${message}. ${advice} `;
			return false;
		}
	}

	/** Why nothing is sent. */
	obstacle({ sendOnceKey, allowWhenRetried }: Settings): Failure | undefined {
		if (this.knowsEarlierSends || sendOnceKey !== undefined || allowWhenRetried) return undefined;
		return new Failure(
			'n8n runs this execution again and does not say what its last run sent, so nothing was sent now',
			'unknown',
			{ code: 'retryUnknown', advice: this.storeProblem + adviceAfterDeath },
		);
	}

	/** To be called before anything is sent: a retry of a run that does not come to its end has nothing to go on from. */
	saveBegin(): void {
		delete this.context[contextKey];
	}

	/** To be called when the run ends with an error: it leaves what became of each item. */
	saveEnd(): void {
		if (!this.knowsEarlierSends) return;
		const { ctx, operation, ledger } = this;
		const ended: EndedRun = {
			id: randomUUID(),
			hash: hashOfRun(ctx, operation),
			results: ledger.results.map((ofItem) => (isSendable(ofItem) ? null : ofItem!.map(saved))),
		};
		this.context[contextKey] = ended as unknown as IDataObject;
	}
}
