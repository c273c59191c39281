// Keeps what becomes of each input item of a run, and gives n8n what follows from it: output items, errors, hints.
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isWriting, type Operation } from '../area';
import { Failure, runEndedFailure } from '../failure';
import { showHint } from '../n8n';
import type { Outcome } from '../outcome';
import { asFailure, errorFields, toInvalidItemsError, toNodeError } from './errors';
import { reportOf, rowsByOutcome, rowsHint, type Rows } from './report';
import { isFailure, isSendable, type Result, type Results } from './results';

const cancelledUnderWay = new Failure('The execution was cancelled', 'inDoubt', {
	code: 'noAnswer',
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
	/** The results of each item so far; all tries of the run share them. */
	readonly results: Results;

	/** The hints next to the node's output so far. */
	readonly hints = new Set<string>();

	/** Takes the credential's secrets out of a text; the words of each failure pass through it. */
	redact = (text: string): string => text;

	/** Aborted under "Stop" by the first failure, which ends the run. */
	private readonly stopOnFailure = new AbortController();

	/** Under "Stop" the failure that ended the run. */
	private firstFailure?: Failure;

	/** The key of each item that was read, on a node with 'Send Once'. */
	readonly keys = new Map<number, string>();

	/** The fields that the setting 'Include' adds to the output of each item that was read. */
	readonly includedFields: Map<number, IDataObject>;

	/** Items that this try of the run, or an earlier one, has begun to send. */
	readonly begun: Set<number>;

	/** By item, the output of those that are only checked: they have no results, since nothing becomes of them. */
	readonly checked = new Map<number, IDataObject>();

	/** Items whose results are provisional: they count if the run ends now, and are replaced once more is known. */
	private readonly open = new Set<number>();

	/** Aborted when the run ends early, by a failure or because the execution is cancelled: no request starts then. */
	readonly stop: AbortSignal;

	/** @param continueOnFail whether failed items become error items (n8n's setting "On Error") */
	constructor(
		private readonly ctx: IExecuteFunctions,
		readonly continueOnFail: boolean,
	) {
		const shared = (ctx.getNode().retryOnFail && sharedByTries(ctx)) || this;
		const earlier = ledgers.get(shared);
		ledgers.set(shared, this);
		this.results = earlier?.results ?? ctx.getInputData().map(() => undefined);
		this.includedFields = earlier?.includedFields ?? new Map<number, IDataObject>();
		this.begun = earlier?.begun ?? new Set();
		const cancelled = ctx.getExecutionCancelSignal();
		this.stop = AbortSignal.any([this.stopOnFailure.signal, ...(cancelled ? [cancelled] : [])]);
	}

	/** The indexes of all items. */
	get itemIndexes(): number[] {
		return [...this.results.keys()];
	}

	/** The indexes of the items to be sent: those that an earlier try of this run has settled are not sent again. */
	get sendable(): number[] {
		return this.itemIndexes.filter((itemIndex) => isSendable(this.results[itemIndex]));
	}

	/** The number of settled items. */
	get settledCount(): number {
		const settled = this.results.filter((itemResults) => itemResults).length - this.open.size;
		return settled + this.checked.size;
	}

	/** To be called when items are about to be sent. */
	markStarted(itemIndexes: readonly number[], operation: Operation): void {
		for (const itemIndex of itemIndexes) {
			this.begun.add(itemIndex);
			// A read changes nothing.
			if (isWriting(operation)) this.setOpen(itemIndex, cancelledUnderWay);
		}
	}

	/** Enters what becomes of an item if the run ends now, until more is known. */
	setOpen(itemIndex: number, failure: Failure): void {
		this.results[itemIndex] = [failure];
		this.open.add(itemIndex);
	}

	/** Enters what became of an item. */
	settle(itemIndex: number, itemResults: readonly Result[]): void {
		this.open.delete(itemIndex);
		const key = this.keys.get(itemIndex);
		const redacted = itemResults.map((result) =>
			isFailure(result) ? result.mapTexts(this.redact, key) : result,
		);
		this.results[itemIndex] = redacted;
		const failure = redacted.find(isFailure);
		if (this.continueOnFail || !failure) return;
		this.firstFailure ??= failure;
		this.stopOnFailure.abort();
	}

	/** Enters the same failure for several items. */
	fail(itemIndexes: readonly number[], error: unknown, outcome: Outcome): void {
		for (const itemIndex of itemIndexes) this.settle(itemIndex, [asFailure(error, outcome)]);
	}

	/**
	 * Enters the failures of the items whose values do not fit. To be called before anything is sent.
	 * @param errorByItem why each of them does not fit
	 * @throws NodeOperationError under "Stop", naming all of these items; then nothing is entered
	 */
	refuseInvalid(errorByItem: ReadonlyMap<number, unknown>, operation: Operation): void {
		if (errorByItem.size === 0) return;
		const failures = new Map(
			[...errorByItem].map(([itemIndex, error]) => [itemIndex, asFailure(error, 'notSent')]),
		);
		if (!this.continueOnFail) {
			// An earlier try of this run may have sent items. The error has to name them.
			const report = this.begun.size === 0 ? '' : this.reportOf(operation);
			throw toInvalidItemsError(this.ctx.getNode(), failures, this.itemIndexes.length, report);
		}
		for (const [itemIndex, failure] of failures) this.settle(itemIndex, [failure]);
	}

	/** Shows a text beside the node's output; the same text is shown once. */
	hint(message: string): void {
		this.hints.add(message);
	}

	/** The output items in the order of the input, each with its pairedItem. */
	get output(): INodeExecutionData[] {
		return this.results.flatMap((itemResults, item) => {
			// An item without results was not sent, because the run ended before its turn.
			const checked = this.checked.get(item);
			const results = checked ? [checked] : (itemResults ?? [runEndedFailure()]);
			return results.map((result) => ({
				json: isFailure(result) ? this.errorJson(result, item, results) : result,
				pairedItem: { item },
			}));
		});
	}

	/** n8n itself adds the fields of the input item on the error output, and takes no item for it that has them already. */
	private errorJson(failure: Failure, itemIndex: number, results: readonly Result[]): IDataObject {
		const fields = errorFields(failure, itemIndex, this.results.length, results);
		if (this.ctx.getNode().onError === 'continueErrorOutput') return fields;
		// Spread first too, so that the error stands before the added fields.
		return { ...fields, ...this.includedFields.get(itemIndex), ...fields };
	}

	/**
	 * Ends the run: shows the hints, and gives the output or the error.
	 * @returns the output
	 * @throws under "Stop", the failure that ended the run, with a report of what became of all items
	 */
	finish(operation: Operation): INodeExecutionData[] {
		// That of an earlier try of this run, whose item was not sent again, such as one in doubt.
		const earlier = this.results.flatMap((itemResults) => itemResults ?? []).find(isFailure);
		const failure = this.continueOnFail ? undefined : (this.firstFailure ?? earlier);
		// The report of an error says what became of the rows.
		const ofRows = failure ? undefined : rowsHint(operation, this.rows, this.keys.size > 0);
		if (ofRows !== undefined) this.hint(ofRows);
		for (const message of this.hints) showHint(this.ctx, message);
		if (!failure) return this.output;
		const items = this.itemsWithSameFailure(failure);
		throw toNodeError(this.ctx.getNode(), failure, items, this.reportOf(operation));
	}

	/**
	 * The items with the same failure: one that stopped the run may be that of many. Where it keeps all items from being
	 * sent, it is also that of those whose turn had not come. None is named where there is only one item.
	 */
	private itemsWithSameFailure(failure: Failure): number[] {
		if (this.results.length === 1) return [];
		const ofOthers = failure.isOfAllItems ? [failure] : [];
		return this.itemIndexes.filter((itemIndex) =>
			(this.results[itemIndex] ?? ofOthers).some(
				(result) => isFailure(result) && result.message === failure.message,
			),
		);
	}

	/** The items by how they have ended, if the run ends now. */
	get rows(): Rows {
		return rowsByOutcome(this.results, this);
	}

	/** The outcomes of all items, if the run ends now. */
	reportOf(operation: Operation, reader?: 'log'): string {
		return reportOf(operation, this.rows, this.results, reader);
	}
}
