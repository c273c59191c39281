// What becomes of each input item of one run, and what n8n is told of it: items, errors, hints.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../area';
import { ended, type Outcome } from '../failure';
import { asFailure, errorItem, toNodeError } from './errors';
import { reportOf } from './report';
import { isFailure, isOpen, resultsOfRun, type Result, type Results } from './results';

export class Ledger {
	private readonly results: Results;

	private readonly hints = new Set<string>();

	/** Under "Stop" the first failure ends the run. */
	private readonly halt = new AbortController();

	/** No request starts after it. */
	readonly stop: AbortSignal;

	/** @param continueOnFail whether failed items become error items (n8n's setting "On Error") */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly continueOnFail: boolean,
	) {
		this.results = resultsOfRun(ctx);
		const cancelled = ctx.getExecutionCancelSignal();
		this.stop = AbortSignal.any([this.halt.signal, ...(cancelled ? [cancelled] : [])]);
	}

	/** Indexes of all items. */
	get all(): number[] {
		return [...this.results.keys()];
	}

	/** Indexes of the items to be sent: not of those that an earlier try of this run has settled. */
	get open(): number[] {
		return this.all.filter((itemIndex) => isOpen(this.results[itemIndex]));
	}

	/** Enters what became of an item. */
	settle(itemIndex: number, results: readonly Result[]): void {
		this.results[itemIndex] = results;
		if (!this.continueOnFail && results.some(isFailure)) this.halt.abort();
	}

	/** Enters a failure of all these items. */
	fail(itemIndexes: readonly number[], error: unknown, outcome: Outcome): void {
		for (const itemIndex of itemIndexes) this.settle(itemIndex, [asFailure(error, outcome)]);
	}

	/**
	 * Enters an item that was not sent.
	 * @throws NodeOperationError under "Stop"; to be called before anything is sent, so that one bad item stops
	 * the run untouched
	 */
	refuse(itemIndex: number, error: unknown): void {
		const failure = asFailure(error, 'notSent');
		if (!this.continueOnFail) throw toNodeError(this.ctx.getNode(), failure, itemIndex);
		this.settle(itemIndex, [failure]);
	}

	/** Shows a text beside the node's output, once. */
	hint(message: string): void {
		this.hints.add(message);
	}

	/** An item that the end of the run has overtaken was not sent. */
	private outputOf(itemIndex: number): INodeExecutionData[] {
		const results = this.results[itemIndex] ?? [ended()];
		return results.map((result) =>
			isFailure(result)
				? errorItem(result, itemIndex)
				: { json: result, pairedItem: { item: itemIndex } },
		);
	}

	/** Output items in input order, each with pairedItem. */
	get output(): INodeExecutionData[] {
		return this.all.flatMap((itemIndex) => this.outputOf(itemIndex));
	}

	/**
	 * Closes the run.
	 * @returns the output
	 * @throws under "Stop", the failure of the first item that failed, with what became of the others
	 */
	close(operation: Operation): INodeExecutionData[] {
		for (const message of this.hints) {
			this.ctx.addExecutionHints({ message, location: 'outputPane' });
		}
		const firstFailed = this.all.find((itemIndex) => this.results[itemIndex]?.some(isFailure));
		if (!this.continueOnFail && firstFailed !== undefined) {
			const failure = this.results[firstFailed]!.find(isFailure)!;
			const report = reportOf(operation, this.results);
			throw toNodeError(this.ctx.getNode(), failure, firstFailed, report);
		}
		return this.output;
	}
}
