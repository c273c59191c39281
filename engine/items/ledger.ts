// What becomes of each input item of one run, and what n8n is told of it: items, errors, hints.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../area';
import { runEndedBefore, withWordsChanged, type Failure, type Outcome } from '../failure';
import { showHint } from '../n8n';
import { asFailure, errorItem, toInvalidItemsError, toNodeError } from './errors';
import { reportOf } from './report';
import {
	itemOutcomeOf,
	isFailure,
	isSendable,
	resultsOfRun,
	type ItemOutcome,
	type Result,
	type Results,
} from './results';

export class Ledger {
	private readonly results: Results;

	private readonly hints = new Set<string>();

	private redact = (text: string): string => text;

	/** Under "Stop" the first failure ends the run. */
	private readonly halt = new AbortController();

	/** That failure. */
	private firstFailure?: { itemIndex: number; failure: Failure };

	/** No request starts after it. */
	readonly stop: AbortSignal;

	/** @param continueOnFail whether failed items become error items (n8n's setting "On Error") */
	constructor(
		private readonly ctx: IExecuteFunctions,
		readonly continueOnFail: boolean,
	) {
		this.results = resultsOfRun(ctx);
		const cancelled = ctx.getExecutionCancelSignal();
		this.stop = AbortSignal.any([this.halt.signal, ...(cancelled ? [cancelled] : [])]);
	}

	/** Indexes of all items. */
	get itemIndexes(): number[] {
		return [...this.results.keys()];
	}

	/** Indexes of the items to be sent: not of those that an earlier try of this run has settled. */
	get sendable(): number[] {
		return this.itemIndexes.filter((itemIndex) => isSendable(this.results[itemIndex]));
	}

	/** @param safe takes the credential's secrets out of a text: each failure passes through it */
	redactWith(safe: (text: string) => string): void {
		this.redact = safe;
	}

	/** Enters what became of the items in the run that is retried; undefined for those that were not processed. */
	restore(results: Results): void {
		results.forEach((ofItem, itemIndex) => (this.results[itemIndex] = ofItem));
	}

	/** Of an item, so far. */
	resultsOf(itemIndex: number): readonly Result[] | undefined {
		return this.results[itemIndex];
	}

	/** What became of an item, so far. */
	outcomeOf(itemIndex: number): ItemOutcome {
		return itemOutcomeOf(this.results[itemIndex]);
	}

	/** Why nothing of this run can be sent, if an earlier try of it has found that out. */
	get obstacle(): Failure | undefined {
		return this.results
			.flatMap((ofItem) => ofItem ?? [])
			.filter(isFailure)
			.find(({ details }) => details.endsRun);
	}

	/** Enters what became of an item. */
	settle(itemIndex: number, given: readonly Result[]): void {
		const results = given.map((result) =>
			isFailure(result) ? withWordsChanged(result, this.redact) : result,
		);
		this.results[itemIndex] = results;
		const failure = results.find(isFailure);
		if (this.continueOnFail || !failure) return;
		this.firstFailure ??= { itemIndex, failure };
		this.halt.abort();
	}

	/** Enters a failure of all these items. */
	fail(itemIndexes: readonly number[], error: unknown, outcome: Outcome): void {
		for (const itemIndex of itemIndexes) this.settle(itemIndex, [asFailure(error, outcome)]);
	}

	/**
	 * Enters the items that were found not to fit; to be called before anything is sent.
	 * @param errors by item
	 * @param operation undefined when it is the operation that does not fit
	 * @throws NodeOperationError under "Stop", naming all of them: the run stays untouched
	 */
	refuseInvalid(errors: ReadonlyMap<number, unknown>, operation?: Operation): void {
		if (errors.size === 0) return;
		const failures = new Map<number, Failure>();
		for (const [itemIndex, error] of errors) failures.set(itemIndex, asFailure(error, 'notSent'));
		if (!this.continueOnFail) {
			// What an earlier try of this run has sent.
			const isUntouched = this.results.every((ofItem) => ofItem === undefined);
			const report = operation && !isUntouched ? reportOf(operation, this.results) : '';
			throw toInvalidItemsError(this.ctx.getNode(), failures, this.itemIndexes.length, report);
		}
		for (const [itemIndex, failure] of failures) this.settle(itemIndex, [failure]);
	}

	/** Shows a text beside the node's output, once. */
	hint(message: string): void {
		this.hints.add(message);
	}

	/** An item that the end of the run has overtaken was not sent. */
	private outputOf(itemIndex: number): INodeExecutionData[] {
		const results = this.results[itemIndex] ?? [runEndedBefore()];
		return results.map((result) =>
			isFailure(result)
				? errorItem(result, itemIndex, results)
				: { json: result, pairedItem: { item: itemIndex } },
		);
	}

	/** Output items in input order, each with pairedItem. */
	get output(): INodeExecutionData[] {
		return this.itemIndexes.flatMap((itemIndex) => this.outputOf(itemIndex));
	}

	/**
	 * Closes the run.
	 * @returns the output
	 * @throws under "Stop", the failure that stopped the run, with what became of all items
	 */
	finish(operation: Operation): INodeExecutionData[] {
		for (const message of this.hints) showHint(this.ctx, message);
		const stopper = this.firstFailure ?? this.leftInDoubt();
		if (!this.continueOnFail && stopper) {
			const report = reportOf(operation, this.results);
			throw toNodeError(this.ctx.getNode(), stopper.failure, stopper.itemIndex, report);
		}
		return this.output;
	}

	/** A failure of an earlier try of this run, whose item was not sent again. */
	private leftInDoubt(): Ledger['firstFailure'] {
		for (const itemIndex of this.itemIndexes) {
			const failure = this.results[itemIndex]?.find(isFailure);
			if (failure) return { itemIndex, failure };
		}
		return undefined;
	}
}
