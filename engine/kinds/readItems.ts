// The form → values: every item read and checked, and what is wrong with it entered in the ledger.
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { layoutOf, type Layout } from '../form/layout';
import { invalidItem } from '../items/errors';
import type { Ledger } from '../items/ledger';
import { ConstantGroups } from '../values/group';
import { namesOfInputItem, readItem } from '../values/item';
import { inputHint, type InputRemarks } from '../values/inputRemarks';
import type { Job } from './job';
import { UniqueKeys } from './uniqueKeys';
import { fileOf } from './upload';

/** Milliseconds of reading items (mostly: evaluating expressions) before others in this n8n get their turn. */
const maxReadingTime = 50;

/** What reading one item gives: a job, or why it does not fit. */
type ReadResult = { job: Job; remarks: InputRemarks } | { misfit: unknown };

function itemReader(
	ctx: IExecuteFunctions,
	operation: Operation,
	form: Layout,
): (itemIndex: number) => Promise<ReadResult> {
	const items = ctx.getInputData();
	const timeZone = ctx.getTimezone();
	const constantGroups = new ConstantGroups(ctx.getNode().parameters as IDataObject);
	const keys = new UniqueKeys();
	return async (itemIndex) => {
		try {
			const { values, problems, remarks } = readItem(form, {
				parameter: (name) => ctx.getNodeParameter(name, itemIndex, null) as unknown,
				json: items[itemIndex]!.json,
				timeZone,
				constantGroups,
			});
			const job: Job = { itemIndex, values };
			keys.check(job, problems);
			if (operation.kind === 'upload' && problems.length === 0) {
				job.file = await fileOf(ctx, job, problems);
			}
			return problems.length > 0 ? { misfit: invalidItem(problems) } : { job, remarks };
		} catch (misfit) {
			return { misfit };
		}
	};
}

/**
 * Reads the items, and gives those that are sound: under "Stop" when all are read, so that nothing is sent when
 * one does not fit; under "Continue", where items are independent, each as soon as it is asked for.
 * @throws NodeOperationError under "Stop" naming those that are not sound
 */
export async function* readItems(
	ctx: IExecuteFunctions,
	operation: Operation,
	ledger: Ledger,
): AsyncGenerator<Job, void> {
	const form = layoutOf(operation);
	const read = itemReader(ctx, operation, form);
	const { sendable, continueOnFail } = ledger;
	const heldBack: Job[] = [];
	const remarks: InputRemarks[] = [];
	const misfits = new Map<number, unknown>();
	let spent = 0;
	for (const itemIndex of sendable) {
		const began = performance.now();
		const found = await read(itemIndex);
		spent += performance.now() - began;
		if (spent > maxReadingTime) {
			await sleep(0);
			spent = 0;
		}
		if ('misfit' in found) {
			misfits.set(itemIndex, found.misfit);
			continue;
		}
		remarks.push(found.remarks);
		if (continueOnFail) yield found.job;
		else heldBack.push(found.job);
	}
	ledger.refuseInvalid(misfits, operation);
	const hint = inputHint(remarks, sendable.length, namesOfInputItem(form));
	if (hint !== undefined) ledger.hint(hint);
	yield* heldBack;
}
