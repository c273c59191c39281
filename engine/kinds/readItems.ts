// Reads and checks the values of all input items, and enters the items whose values do not fit in the ledger.
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import type { FieldProblem } from '../failure';
import { layoutOf } from '../form/layout';
import { invalidItems } from '../items/errors';
import type { Ledger } from '../items/ledger';
import { objectOrEmpty, SavedForm } from '../values/formInputs';
import { inputHint, type InputRemarks } from '../values/inputRemarks';
import { readItem } from '../values/item';
import type { Job } from './job';
import { kindOf } from './kinds';
import { keyProblems } from './uniqueKeys';

/**
 * Milliseconds of reading items, most of it evaluating expressions, after which other work of this n8n process gets
 * its turn.
 */
const maxReadingTime = 50;

/** An item that was read; its job is to be sent only if there are no problems. */
interface ReadJob {
	job: Job;
	problems: FieldProblem[];
	remarks: InputRemarks;
}

/** @returns reads one item, and throws what an expression throws */
function itemReader(ctx: IExecuteFunctions, operation: Operation, ledger: Ledger) {
	const items = ctx.getInputData();
	const layout = layoutOf(operation);
	const { prepare } = kindOf(operation);
	const timeZone = ctx.getTimezone();
	const form = new SavedForm(ctx.getNode().parameters as IDataObject);
	return async (itemIndex: number): Promise<ReadJob> => {
		const { values, problems, remarks } = readItem(layout, {
			parameter: (name) => ctx.getNodeParameter(name, itemIndex, null) as unknown,
			// A node before this one may give items without fields, such as files alone.
			json: objectOrEmpty(items[itemIndex]!.json) as IDataObject,
			timeZone,
			form,
		});
		const job: Job = { itemIndex, values };
		const { sendOnceKey } = values.settings;
		if (sendOnceKey !== undefined) ledger.keys.set(itemIndex, sendOnceKey);
		const problem = problems.length === 0 && (await prepare?.(ctx, job));
		if (problem) problems.push(problem);
		return { job, problems, remarks };
	};
}

/**
 * Reads the items, and gives a job for each valid one. Under "Stop" the jobs come when all items have been read, so
 * that nothing is sent if one of them is invalid. Under "Continue", where items are independent, each item is
 * read only when its job is asked for; but keys are compared with all others first.
 * @throws NodeOperationError under "Stop", naming the invalid items
 */
export async function* readItems(
	ctx: IExecuteFunctions,
	operation: Operation,
	ledger: Ledger,
): AsyncGenerator<Job, void> {
	const read = itemReader(ctx, operation, ledger);
	const { itemIndexes, sendable, continueOnFail, keys } = ledger;
	const heldBack: ReadJob[] = [];
	const remarksByItem = new Map<number, InputRemarks>();
	const errorByItem = new Map<number, unknown>();
	let readingTime = 0;
	for (const itemIndex of sendable) {
		const startedAt = performance.now();
		const result = await read(itemIndex).catch((error: unknown) => ({ error }));
		readingTime += performance.now() - startedAt;
		if (readingTime > maxReadingTime) {
			await sleep(0);
			readingTime = 0;
		}
		if ('error' in result) errorByItem.set(itemIndex, result.error);
		else if (continueOnFail && result.problems.length === 0 && !keys.has(itemIndex)) {
			remarksByItem.set(itemIndex, result.remarks);
			yield result.job;
		} else heldBack.push(result);
	}
	const problemOfKey = keyProblems(keys, itemIndexes.length);
	const problemsByItem = new Map<number, FieldProblem[]>();
	const valid: Job[] = [];
	for (const { job, problems, remarks } of heldBack) {
		const { itemIndex } = job;
		problems.push(...(problemOfKey.get(itemIndex) ?? []));
		if (problems.length > 0) problemsByItem.set(itemIndex, problems);
		else {
			remarksByItem.set(itemIndex, remarks);
			valid.push(job);
		}
	}
	const failures = [...errorByItem, ...invalidItems(problemsByItem)];
	ledger.refuseInvalid(new Map(failures.sort(([one], [other]) => one - other)), operation);
	const hint = inputHint(remarksByItem, sendable.length);
	if (hint !== undefined) ledger.hint(hint);
	yield* valid;
}
