// Reads and checks the values of all input items, and puts the problems that it finds into the ledger.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isCreating, type Operation } from '../area';
import type { ProblemsByItem } from '../failure';
import { layoutOf } from '../form/layout';
import type { Ledger } from '../items/ledger';
import { inTurns, timeZoneOf } from '../n8n';
import { objectOrEmpty, SavedForm } from '../values/formInputs';
import { inputHint } from '../values/inputHints';
import { readItem } from '../values/item';
import { mappingProblems } from '../values/record';
import type { Job } from './job';
import { kindOf } from './kinds';

/** @returns a function that reads one item, and throws if one of its expressions throws */
function itemReader(ctx: IExecuteFunctions, operation: Operation) {
	const items = ctx.getInputData();
	const layout = layoutOf(operation);
	const timeZone = timeZoneOf(ctx);
	const form = new SavedForm(ctx.getNode().parameters as IDataObject, isCreating(operation));
	return (itemIndex: number) =>
		readItem(layout, {
			parameter: (name) => ctx.getNodeParameter(name, itemIndex, null) as unknown,
			// The previous node may return items without fields, such as ones with only files.
			json: objectOrEmpty(items[itemIndex]!.json) as IDataObject,
			timeZone,
			form,
		});
}

/**
 * Reads all items before any is sent, because they are compared with each other: nothing may be sent twice, and a
 * broken mapping shows only across all of them. Once the run is stopped, no further item is read.
 * @param keyProblems finds problems with the keys of 'Send Once', by item index
 * @returns the jobs of valid items and of items with problems; empty if the run was stopped
 */
export async function readItems(
	operation: Operation,
	ledger: Ledger,
	keyProblems: (ctx: IExecuteFunctions, jobs: Job[]) => Promise<ProblemsByItem>,
): Promise<{ valid: Job[]; refused: Job[] }> {
	const { prepare, findRepeated } = kindOf(operation);
	const { ctx, items, sendable, stop } = ledger;
	const readItemAt = itemReader(ctx, operation);
	const jobs: Job[] = [];
	const isValid = ({ itemIndex }: Job) => items[itemIndex]!.problems!.length === 0;
	/** The expressions that have found nothing in any row so far: each may be a broken mapping. */
	let unresolved: Map<string, string> | undefined;
	for await (const itemIndex of inTurns(sendable)) {
		if (stop.aborted) return { valid: [], refused: [] };
		const state = items[itemIndex]!;
		try {
			const item = readItemAt(itemIndex);
			const { values, problems, inputHints } = item;
			const job: Job = { itemIndex, values, inputHints };
			const problem = problems.length === 0 && (await prepare?.(ctx, job));
			if (problem) problems.push(problem);
			unresolved ??= item.unresolved;
			for (const label of unresolved.keys())
				if (!item.unresolved.has(label)) unresolved.delete(label);
			const { settings, includedFields } = values;
			const { sendOnceKey: key, idField } = settings;
			const { path } = values.path;
			const request = path && operation.route.replace('{+path}', () => String(path));
			Object.assign(state, { key, idField, request, includedFields, problems });
			jobs.push(job);
		} catch (error) {
			state.problems = [{ label: '', text: (error as Error).message }];
		}
	}
	const repeated = findRepeated?.(operation, jobs.filter(isValid)) ?? [];
	for (const [itemIndex, problem] of repeated) items[itemIndex]!.problems!.push(problem);
	// Rows that are in the service already are not sent, so their values need not be valid.
	for (const { itemIndex, values } of jobs)
		if (values.settings.sendOnceLookedUp === 'allAreThere') items[itemIndex]!.problems = [];
	// A retry reads only the remaining rows, too few to prove a broken mapping.
	if (unresolved?.size && jobs.length > 1 && sendable.length === items.length) {
		const columns = ctx.getInputData().flatMap(({ json }) => Object.keys(json ?? {}));
		const broken = mappingProblems(unresolved, [...new Set(columns)]);
		for (const { itemIndex } of jobs) {
			const others = items[itemIndex]!.problems!.filter(({ label }) => !unresolved.has(label));
			items[itemIndex]!.problems = [...broken, ...others];
		}
	}
	for (const [itemIndex, problem] of await keyProblems(ctx, jobs))
		items[itemIndex]!.problems!.push(problem);
	const valid = jobs.filter(isValid);
	ledger.hint(inputHint(valid, sendable.length, timeZoneOf(ctx)));
	return { valid, refused: jobs.filter((job) => !isValid(job)) };
}
