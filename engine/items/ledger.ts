// Tracks the state of each input item of a run and, under "Stop", ends the run at the first failure.
import type { IExecuteFunctions } from 'n8n-workflow';

import { isWriting, type Operation } from '../area';
import { Failure } from '../failure';
import { executeOnceHint, inTurns } from '../n8n';
import type { Outcome } from '../outcome';
import { asFailure } from './errors';
import { isFailure, isSendable, type ItemState, type Result } from './itemState';

const noResponse = { code: 'noResponse' } as const;
const cancelledInFlight = new Failure('The execution was cancelled', 'inDoubt', noResponse);

/**
 * An object that all tries of one run share, and no other run has. It is the execute data, unless the node is an AI
 * agent's tool: then the execute data belongs to the agent, and only the item belongs to this call (n8n 2.41).
 */
function sharedByTries(ctx: IExecuteFunctions): object | undefined {
	const executeData = ctx.getExecuteData();
	const isOwn = executeData.node.name === ctx.getNode().name;
	return isOwn ? executeData : ctx.getInputData()[0]?.json;
}

/**
 * The ledger of each run's latest try, by the object that its tries share. n8n's "Retry On Fail" reruns the whole node
 * for all items (WorkflowExecute in n8n-core), which must not create any record twice.
 */
const ledgers = new WeakMap<object, Ledger>();

export class Ledger {
	/** The state of each item, in the order of the input. */
	readonly items: readonly ItemState[];

	/** The hints to show next to the node's output. */
	readonly hints = new Set<string>();

	/** What the hints tell of records that are or may be missing, in a few words each, for those who see no hints. */
	readonly losses = new Set<string>();

	/** Removes the credential's secrets from a text; applied to every text of a failure. */
	redact = (text: string): string => text;

	/** Under "Stop", aborted by the first failure, which ends the run. */
	private readonly stopOnFailure = new AbortController();

	/** Under "Stop", the failure that ended the run. */
	firstFailure?: Failure;

	/** The description of the account that the run uses, once it is known. */
	account?: string;

	/** Why items without a key must not be sent: nobody knows what the run being retried has sent. */
	unknownSends?: Failure;

	/** The fingerprints that tries of this run recorded in n8n's store, with their keys. */
	readonly ownFingerprints: Map<string, Set<object>>;

	/** Aborted when the execution is cancelled. */
	readonly cancelled = this.ctx.getExecutionCancelSignal();

	/** Aborted when a failure or a cancelled execution ends the run early: no further request starts. */
	readonly stop = AbortSignal.any([this.stopOnFailure.signal, this.cancelled ?? []].flat());

	/** @param continueOnFail whether failed items become error items (n8n's setting "On Error") */
	constructor(
		readonly ctx: IExecuteFunctions,
		readonly continueOnFail: boolean,
	) {
		const shared = (ctx.getNode().retryOnFail && sharedByTries(ctx)) || this;
		const lastTry = ledgers.get(shared);
		this.ownFingerprints = lastTry?.ownFingerprints ?? new Map<string, Set<object>>();
		const earlier = lastTry?.items ?? ctx.getInputData().map((): ItemState => ({}));
		ledgers.set(shared, this);
		// Each try reads the items' values again, so only what concerns settled items is kept.
		this.items = earlier.map((item) => ({ ...item, checked: undefined, problems: undefined }));
		this.hint(executeOnceHint(ctx), "'Execute Once' left rows out");
	}

	/** The indexes of the items to send: not those that an earlier try of this run has settled. */
	get sendable(): number[] {
		return [...this.items.keys()].filter((index) => isSendable(this.items[index]!.results));
	}

	/** Call this just before items are sent. */
	markStarted(itemIndexes: readonly number[], operation: Operation): void {
		for (const itemIndex of itemIndexes) {
			this.items[itemIndex]!.hasStarted = true;
			// A read changes nothing.
			if (isWriting(operation)) this.setInterim(itemIndex, cancelledInFlight);
		}
	}

	/** Sets an item's interim result: it counts if the run ends now, and settle() replaces it. */
	setInterim(itemIndex: number, failure: Failure): void {
		Object.assign(this.items[itemIndex]!, { results: [failure], isInterim: true });
	}

	/** Sets an item's final results; under "Stop", a failure among them ends the run. */
	settle(itemIndex: number, itemResults: readonly Result[]): void {
		const item = this.items[itemIndex]!;
		const results = itemResults.map((result) =>
			isFailure(result) ? result.mapTexts(this.redact, item.key, item.request) : result,
		);
		Object.assign(item, { results, isInterim: false });
		const failure = results.find(isFailure);
		if (this.continueOnFail || !failure) return;
		this.firstFailure ??= failure;
		this.stopOnFailure.abort();
	}

	/** Settles several items with the same failure. */
	async fail(indexes: Iterable<number>, error: unknown, outcome: Outcome): Promise<void> {
		for await (const index of inTurns(indexes)) this.settle(index, [asFailure(error, outcome)]);
	}

	/**
	 * Adds a hint next to the node's output; the same text is shown once.
	 * @param loss the same in a few words without values, if records are or may be missing: the log has it, and it is kept
	 * with the execution
	 */
	hint(message?: string, loss?: string): void {
		if (message === undefined) return;
		this.hints.add(message);
		if (loss !== undefined) this.losses.add(loss);
	}
}
