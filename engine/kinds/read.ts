// The form → values: every item read and checked, and what is wrong with it entered in the ledger.
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { layout, type Layout } from '../form/layout';
import { invalid } from '../items/errors';
import type { Ledger } from '../items/ledger';
import { Constants } from '../values/group';
import { namesOfInputItem, readItem } from '../values/item';
import { leftOutHint, type LeftOut } from '../values/leftOut';
import type { Job } from './job';
import { fileOf } from './upload';

/** Milliseconds of reading items (mostly: evaluating expressions) before others in this n8n get their turn. */
const longestSlice = 50;

/** @returns reads one item; what it returns throws Failure naming all that is wrong with the item */
function reader(
	ctx: IExecuteFunctions,
	operation: Operation,
	form: Layout,
): (itemIndex: number) => Promise<{ job: Job; leftOut: LeftOut }> {
	const items = ctx.getInputData();
	const zone = ctx.getTimezone();
	const constants = new Constants(ctx.getNode().parameters as IDataObject);
	return async (itemIndex) => {
		const { values, problems, leftOut } = readItem(form, {
			parameter: (name) => ctx.getNodeParameter(name, itemIndex, null) as unknown,
			json: items[itemIndex]!.json,
			zone,
			constants,
		});
		const job: Job = { itemIndex, values };
		if (operation.kind === 'upload' && problems.length === 0) {
			job.file = await fileOf(ctx, job, problems);
		}
		if (problems.length > 0) throw invalid(problems);
		return { job, leftOut };
	};
}

/**
 * Reads all items before any is sent.
 * @returns the items that are sound
 * @throws NodeOperationError under "Stop" naming those that are not
 */
export async function readItems(
	ctx: IExecuteFunctions,
	operation: Operation,
	ledger: Ledger,
): Promise<Job[]> {
	const form = layout(operation);
	const read = reader(ctx, operation, form);
	const jobs: Job[] = [];
	const leftOut: LeftOut[] = [];
	const { open } = ledger;
	const misfits = new Map<number, unknown>();
	let since = performance.now();
	for (const itemIndex of open) {
		if (performance.now() - since > longestSlice) {
			await sleep(0);
			since = performance.now();
		}
		try {
			const { job, leftOut: ofItem } = await read(itemIndex);
			jobs.push(job);
			leftOut.push(ofItem);
		} catch (error) {
			misfits.set(itemIndex, error);
		}
	}
	ledger.refuse(misfits, operation);
	const hint = leftOutHint(leftOut, open.length, namesOfInputItem(form));
	if (hint !== undefined) ledger.hint(hint);
	return jobs;
}
