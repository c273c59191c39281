// Turns the state of a run's items into n8n's output: output items and hints, or the error that ends the run.
import type { INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../area';
import { runEndedFailure, type Failure } from '../failure';
import { inTurns, showHint } from '../n8n';
import { errorItemOf, invalidItem, namedRows, toInvalidItemsError, toNodeError } from './errors';
import { isFailure, type Result } from './itemState';
import type { Ledger } from './ledger';
import { countsOf, reportOf, rowsHint } from './report';

/** @returns the output items in the order of the input, each with its pairedItem */
export async function outputItems({ ctx, items }: Ledger): Promise<INodeExecutionData[]> {
	// n8n adds the input item's fields to error items there, and does not recognize an error item that already has
	// them.
	const isErrorOutput = ctx.getNode().onError === 'continueErrorOutput';
	const output: INodeExecutionData[] = [];
	for await (const item of inTurns(items.keys())) {
		const { checked, results: known, includedFields } = items[item]!;
		// An item without results was not sent: the run ended before its turn.
		const results = checked ? [checked] : (known ?? [runEndedFailure()]);
		const errorItem = errorItemOf(item, items, results);
		for (const result of results) {
			const json = isFailure(result) ? errorItem(result) : result;
			// Spread first as well, so that the error comes before the added fields.
			const isWhole = !isFailure(result) || isErrorOutput;
			output.push({
				json: isWhole ? json : { ...json, ...includedFields, ...json },
				pairedItem: { item },
			});
		}
	}
	return output;
}

/**
 * Settles the items with invalid values as failed. Call this before anything is sent.
 * @throws NodeOperationError under "Stop", naming all of these items; then none is settled
 */
export async function refuseInvalid(ledger: Ledger, operation: Operation): Promise<void> {
	const { ctx, items, continueOnFail } = ledger;
	const failures = new Map<number, Failure>();
	for (const [itemIndex, { problems = [] }] of items.entries())
		if (problems.length > 0) failures.set(itemIndex, invalidItem(problems));
	if (failures.size > 0 && !continueOnFail) {
		// An earlier try of this run may have sent items, which the error has to report.
		const report = items.some(({ hasStarted }) => hasStarted) ? reportOf(operation, items) : '';
		const error = toInvalidItemsError(ctx.getNode(), failures, items, report);
		error.context.counts = countsOf(items);
		throw error;
	}
	for await (const [itemIndex, failure] of inTurns(failures)) ledger.settle(itemIndex, [failure]);
}

/**
 * The items with the same failure as the one that stopped the run. A failure that keeps all items from being sent also
 * applies to those whose turn had not come.
 */
function itemsWithSameFailure({ items }: Ledger, failure: Failure): number[] {
	const ifUnsent = failure.isOfAllItems ? [failure] : [];
	const isSame = (result: Result) => isFailure(result) && result.message === failure.message;
	return [...items.keys()].filter((index) => (items[index]!.results ?? ifUnsent).some(isSame));
}

/**
 * Ends the run: shows the hints, then returns the output or throws the error.
 * @throws under "Stop", the failure that ended the run, with a report on all items
 */
export async function conclude(ledger: Ledger, operation: Operation) {
	const { ctx, items, hints, continueOnFail, firstFailure } = ledger;
	// A failure from an earlier try of this run, such as of an item in doubt, which was not resent.
	const earlier = items.flatMap(({ results = [] }) => results).find(isFailure);
	const failure = continueOnFail ? undefined : (firstFailure ?? earlier);
	// The error's report already says what happened to the rows.
	if (!failure) ledger.hint(rowsHint(operation, items));
	for (const message of hints) showHint(ctx, message);
	if (!failure) return await outputItems(ledger);
	const rows = namedRows(items, itemsWithSameFailure(ledger, failure));
	const error = toNodeError(ctx.getNode(), failure, rows, reportOf(operation, items));
	error.context.counts = countsOf(items);
	throw error;
}
