// A retry of an execution: n8n runs the node that failed again, for all of its items. Where a run ends with an
// error, what became of its items stays in the node's context, which n8n saves with the execution and hands to
// its retry: that goes on where the run ended. Where n8n itself died nothing was saved, and nothing is sent.
import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { Failure, type Outcome } from '../failure';
import type { Settings } from '../form/settings';
import type { Ledger } from '../items/ledger';
import { isFailure, isSendable, type Result } from '../items/results';
import { unlessStopped } from '../n8n';
import { MarkStore } from './markStore';

/** A result as n8n saves it. */
type SavedResult =
	| { json: IDataObject }
	| { failure: Pick<Failure, 'message' | 'outcome' | 'details'> };

/** What a run leaves in its node's context; without `ended` it was not at its end. */
interface SavedRun {
	/** Which of the node's runs, as in a loop. */
	run: number;
	ended?: {
		/** Tells this end from all others. */
		id: string;
		operation: string;
		items: string;
		/** Null for an item that was not processed. */
		results: Array<SavedResult[] | null>;
	};
}

const contextKey = 'agencyRecords';

/** Most executions that are remembered. */
const maxResumedKept = 1000;

/** Retries that went on where a run had ended: nodes behind it had not begun. The oldest are forgotten. */
const resumedExecutions = new Set<string>();

function rememberResumed(execution: string): void {
	resumedExecutions.add(execution);
	if (resumedExecutions.size > maxResumedKept) resumedExecutions.delete([...resumedExecutions][0]!);
}

const saved = (result: Result): SavedResult => {
	if (!isFailure(result)) return { json: result };
	const { message, outcome, details } = result;
	return { failure: { message, outcome, details } };
};

/** What an earlier run left of an item that it failed to send, or did not read the answer of. */
const leftInWords: Record<Outcome, string> = {
	unknown: 'left it in doubt',
	done: 'sent it, and could not read the answer',
	refused: 'has processed other paths of it',
	notSent: 'has processed other paths of it',
};

const adviceHeldBack =
	"Look the record up in the service. If it is not there, start the workflow anew with this row alone, which is no retry; with a key, add 'Send Once: Send Anyway' to the node for it.";

/** A result of the run that is retried. Its failure is old: no request is made for it now. */
const restored = (result: SavedResult): Result => {
	if (!('failure' in result)) return result.json;
	const { message, outcome, details } = result.failure;
	const { code, status, path } = details;
	const answer = status === undefined ? 'no answer' : `status ${status}`;
	// The run before that one has sent it; the key is what a person knows the record by.
	const why =
		code === 'keyInDoubt' ? message : `an earlier run ${leftInWords[outcome]} (${answer})`;
	return new Failure(`Not sent again: ${why}`, outcome, {
		code: 'heldBack',
		advice: adviceHeldBack,
		status,
		path,
	});
};

const earlierSendsUnknown = (): Failure =>
	new Failure(
		'n8n runs this execution again and does not say what its last run sent, so nothing was sent now',
		'unknown',
		{
			code: 'retryUnknown',
			advice:
				"Look up in the service what is missing. 'Allow When Retried' sends all items again. With 'Send Once' n8n remembers what was sent, and a retry sends the rest.",
		},
	);

/** What n8n keeps for the node with the execution; nothing where it keeps nothing. */
function contextOf(ctx: IExecuteFunctions): IDataObject {
	try {
		return ctx.getContext('node');
	} catch {
		return {};
	}
}

/**
 * The hash of the items as they are after n8n has saved them. Item by item, since together they may be longer than a
 * text can be; what JSON cannot hold (a value that holds itself, a BigInt) is not there after n8n has saved it.
 */
function hashOfItems(ctx: IExecuteFunctions): string {
	const hash = createHash('sha256');
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

	private readonly execution: string;

	private readonly run: number;

	/** Whether it is known what was sent before. */
	knowsEarlierSends = true;

	private constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly request: string,
		private readonly ledger: Ledger,
	) {
		this.context = contextOf(ctx);
		this.execution = ctx.getExecutionId();
		this.run = ctx.getWorkflowDataProxy(0).$runIndex as number;
	}

	/** Enters in the ledger what became of the items in the run that is retried, if this is a retry. */
	static async open(
		ctx: IExecuteFunctions,
		{ request }: Operation,
		ledger: Ledger,
	): Promise<ExecutionResume> {
		const retry = new ExecutionResume(ctx, request, ledger);
		if (ctx.getMode() === 'retry') retry.knowsEarlierSends = await retry.resume();
		return retry;
	}

	/** @returns whether it is known what was sent before */
	private async resume(): Promise<boolean> {
		if (resumedExecutions.has(this.execution)) return true;
		const left = this.context[contextKey] as unknown as SavedRun | undefined;
		const ended = left?.run === this.run ? left.ended : undefined;
		if (ended?.operation !== this.request || ended.items !== hashOfItems(this.ctx)) return false;
		if (!(await this.claims(ended.id))) return false;
		this.ledger.restore(ended.results.map((results) => results?.map(restored)));
		rememberResumed(this.execution);
		return true;
	}

	/** Whether no other retry has gone on from there: it may have died, and n8n would hand us the same again. */
	private async claims(end: string): Promise<boolean> {
		const mark = `retry\n${end}`;
		const { stop } = this.ledger;
		try {
			const claiming = new MarkStore(this.ctx).write({ record: [mark] }, stop);
			return (await unlessStopped(claiming, stop))?.has(mark) ?? false;
		} catch {
			return false;
		}
	}

	/** Why nothing is sent. */
	obstacle({ sendOnceKey, allowWhenRetried }: Settings): Failure | undefined {
		const isSafe = this.knowsEarlierSends || sendOnceKey !== undefined || allowWhenRetried;
		return isSafe ? undefined : earlierSendsUnknown();
	}

	private save(left: SavedRun): void {
		this.context[contextKey] = left as unknown as IDataObject;
	}

	/** To be called before anything is sent. */
	saveBegin(): void {
		this.save({ run: this.run });
	}

	/** To be called when the run ends with an error: it leaves what became of each item. */
	saveEnd(): void {
		if (!this.knowsEarlierSends) return;
		const results = this.ledger.itemIndexes.map((itemIndex) => this.ledger.resultsOf(itemIndex));
		this.save({
			run: this.run,
			ended: {
				id: randomUUID(),
				operation: this.request,
				items: hashOfItems(this.ctx),
				results: results.map((ofItem) => (isSendable(ofItem) ? null : ofItem!.map(saved))),
			},
		});
	}
}
