// What n8n gets from the state of a run's items: output items, or the error that ends the run; and the hints.
import type { INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../area';
import { runEndedFailure, type Failure } from '../failure';
import { executeOnceHint, showHint } from '../n8n';
import { errorFieldsOf, invalidItem, toInvalidItemsError, toNodeError } from './errors';
import { isFailure, type Result } from './itemState';
import type { Ledger } from './ledger';
import { countsOf, reportOf, rowsHint, sameIdHint } from './report';

/** @returns the output items in the order of the input, each with its pairedItem */
export function outputItems({ ctx, items }: Ledger): INodeExecutionData[] {
	// n8n itself adds the fields of the input item there, and takes no item for an error that has them already.
	const isErrorOutput = ctx.getNode().onError === 'continueErrorOutput';
	return items.flatMap(({ checked, results: known, includedFields }, item) => {
		// An item without results was not sent, because the run ended before its turn.
		const results = checked ? [checked] : (known ?? [runEndedFailure()]);
		const errorFields = errorFieldsOf(item, items.length, results);
		return results.map((result) => {
			if (!isFailure(result)) return { json: result, pairedItem: { item } };
			const error = errorFields(result);
			// Spread first too, so that the error stands before the added fields.
			const json = isErrorOutput ? error : { ...error, ...includedFields, ...error };
			return { json, pairedItem: { item } };
		});
	});
}

/**
 * Enters the failures of the items whose values do not fit. To be called before anything is sent.
 * @throws NodeOperationError under "Stop", naming all of these items; then nothing is entered
 */
export function refuseInvalid(ledger: Ledger, operation: Operation): void {
	const { ctx, items, continueOnFail } = ledger;
	const failures = new Map<number, Failure>();
	for (const [itemIndex, { problems = [] }] of items.entries())
		if (problems.length > 0) failures.set(itemIndex, invalidItem(problems));
	if (failures.size > 0 && !continueOnFail) {
		// An earlier try of this run may have sent items. The error has to name them.
		const report = items.some(({ hasBegun }) => hasBegun) ? reportOf(operation, items) : '';
		const error = toInvalidItemsError(ctx.getNode(), failures, items.length, report);
		error.context.counts = countsOf(items);
		throw error;
	}
	for (const [itemIndex, failure] of failures) ledger.settle(itemIndex, [failure]);
}

/**
 * The items with the same failure: one that stopped the run may be that of many. Where it keeps all items from being
 * sent, it is also that of those whose turn had not come. None is named where there is only one item.
 */
function itemsWithSameFailure({ items }: Ledger, failure: Failure): number[] {
	if (items.length === 1) return [];
	const ofOthers = failure.isOfAllItems ? [failure] : [];
	const isSame = (result: Result) => isFailure(result) && result.message === failure.message;
	return [...items.keys()].filter((index) => (items[index]!.results ?? ofOthers).some(isSame));
}

/**
 * Ends the run: shows the hints, and gives the output or the error.
 * @returns the output
 * @throws under "Stop", the failure that ended the run, with a report of what became of all items
 */
export function conclude(ledger: Ledger, operation: Operation): INodeExecutionData[] {
	const { ctx, items, hints, continueOnFail, firstFailure } = ledger;
	// That of an earlier try of this run, whose item was not sent again, such as one in doubt.
	const earlier = items.flatMap(({ results = [] }) => results).find(isFailure);
	const failure = continueOnFail ? undefined : (firstFailure ?? earlier);
	// The report of an error says what became of the rows.
	if (!failure) ledger.hint(rowsHint(operation, items));
	ledger.hint(executeOnceHint(ctx));
	ledger.hint(sameIdHint(operation, items));
	for (const message of hints) showHint(ctx, message);
	if (!failure) return outputItems(ledger);
	const alike = itemsWithSameFailure(ledger, failure);
	const error = toNodeError(ctx.getNode(), failure, alike, reportOf(operation, items));
	error.context.counts = countsOf(items);
	throw error;
}
