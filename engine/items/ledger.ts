// Keeps the state of each input item of a run, and ends the run at the first failure where it is to stop there.
import type { IExecuteFunctions } from 'n8n-workflow';

import { isWriting, type Operation } from '../area';
import { Failure } from '../failure';
import type { Outcome } from '../outcome';
import { asFailure } from './errors';
import { isFailure, isSendable, type ItemState, type Result } from './itemState';

const cancelledInFlight = new Failure('The execution was cancelled', 'inDoubt', {
	code: 'noResponse',
});

/**
 * The object that all tries of one run share, and no other run. On the canvas it is the execute data. Where the node
 * serves an AI agent as a tool, the execute data is the agent's, and only the item belongs to the one call.
 */
function sharedByTries(ctx: IExecuteFunctions): object | undefined {
	const executeData = ctx.getExecuteData();
	const isOwn = executeData.node.name === ctx.getNode().name;
	return isOwn ? executeData : ctx.getInputData()[0]?.json;
}

/**
 * By that object, the ledger of the run's latest try. n8n's "Retry On Fail" runs the whole node again for all items,
 * and no record may be created twice because of it.
 */
const ledgers = new WeakMap<object, Ledger>();

export class Ledger {
	/** The state of each item, in the order of the input. */
	readonly items: readonly ItemState[];

	/** The hints next to the node's output so far. */
	readonly hints = new Set<string>();

	/** Takes the credential's secrets out of a text; the words of each failure pass through it. */
	redact = (text: string): string => text;

	/** Aborted under "Stop" by the first failure, which ends the run. */
	private readonly stopOnFailure = new AbortController();

	/** Under "Stop" the failure that ended the run. */
	firstFailure?: Failure;

	/** The account that the run uses, in words, once it is known. */
	account?: string;

	/** Why items without a key must not be sent: it is not known what the run that is retried has sent. */
	unknownSends?: Failure;

	/** Aborted when the execution is cancelled. */
	readonly cancelled = this.ctx.getExecutionCancelSignal();

	/** Aborted when the run ends early, by a failure or because the execution is cancelled: no request starts then. */
	readonly stop = AbortSignal.any([this.stopOnFailure.signal, this.cancelled ?? []].flat());

	/** @param continueOnFail whether failed items become error items (n8n's setting "On Error") */
	constructor(
		readonly ctx: IExecuteFunctions,
		readonly continueOnFail: boolean,
	) {
		const shared = (ctx.getNode().retryOnFail && sharedByTries(ctx)) || this;
		const earlier = ledgers.get(shared)?.items ?? ctx.getInputData().map((): ItemState => ({}));
		ledgers.set(shared, this);
		// What the items give is read anew in each try, but for those that are settled.
		this.items = earlier.map(({ results, hasBegun, idField, request, includedFields }) => {
			return { results, hasBegun, idField, request, includedFields };
		});
	}

	/** The indexes of the items to be sent: those that an earlier try of this run has settled are not sent again. */
	get sendable(): number[] {
		return [...this.items.keys()].filter((index) => isSendable(this.items[index]!.results));
	}

	/** To be called when items are about to be sent. */
	markStarted(itemIndexes: readonly number[], operation: Operation): void {
		for (const itemIndex of itemIndexes) {
			this.items[itemIndex]!.hasBegun = true;
			// A read changes nothing.
			if (isWriting(operation)) this.setOpen(itemIndex, cancelledInFlight);
		}
	}

	/** Enters what becomes of an item if the run ends now, until more is known. */
	setOpen(itemIndex: number, failure: Failure): void {
		Object.assign(this.items[itemIndex]!, { results: [failure], isOpen: true });
	}

	/** Enters what became of an item. */
	settle(itemIndex: number, itemResults: readonly Result[]): void {
		const item = this.items[itemIndex]!;
		const results = itemResults.map((result) =>
			isFailure(result) ? result.mapTexts(this.redact, item.key, item.request) : result,
		);
		Object.assign(item, { results, isOpen: false });
		const failure = results.find(isFailure);
		if (this.continueOnFail || !failure) return;
		this.firstFailure ??= failure;
		this.stopOnFailure.abort();
	}

	/** Enters the same failure for several items. */
	fail(itemIndexes: readonly number[], error: unknown, outcome: Outcome): void {
		for (const itemIndex of itemIndexes) this.settle(itemIndex, [asFailure(error, outcome)]);
	}

	/** Shows a text beside the node's output, where there is one; the same text is shown once. */
	hint(message: string | undefined): void {
		if (message !== undefined) this.hints.add(message);
	}
}
