// Reads and checks the values of all input items, and enters the items whose values do not fit in the ledger.
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import type { FieldProblem } from '../failure';
import { layoutOf } from '../form/layout';
import { shortened } from '../http/json';
import { invalidItems } from '../items/errors';
import type { Ledger } from '../items/ledger';
import { findFile, type BinaryFile } from '../request/binaryFile';
import { objectOrEmpty, SavedForm } from '../values/formInputs';
import { readItem } from '../values/item';
import { inputHint, type InputRemarks } from '../values/inputRemarks';
import type { Job } from './job';
import { keyProblems } from './uniqueKeys';

/**
 * Milliseconds of reading items, most of it evaluating expressions, after which other work of this n8n process gets
 * its turn.
 */
const maxReadingTime = 50;

/**
 * Finds the file that an item uploads. It must be there before anything is sent: when it is not, that is added to the
 * problems.
 */
async function fileOf(
	ctx: IExecuteFunctions,
	{ itemIndex, values: { settings } }: Job,
	problems: FieldProblem[],
): Promise<BinaryFile | undefined> {
	const reference = settings.inputDataFieldName;
	const file = await findFile(ctx, reference, itemIndex);
	if (!('missing' in file)) return file;
	const rule = file.missing;
	const value = shortened(JSON.stringify(reference));
	const text = `is ${value}, but ${rule}`;
	problems.push({ label: 'Input Data Field Name', text, rule, value });
	return undefined;
}

/** An item that was read; its job is to be sent only if there are no problems. */
interface ReadJob {
	job: Job;
	problems: FieldProblem[];
	remarks: InputRemarks;
}

/** @returns reads one item, and throws what an expression throws */
function itemReader(ctx: IExecuteFunctions, operation: Operation, ledger: Ledger) {
	const layout = layoutOf(operation);
	const timeZone = ctx.getTimezone();
	const form = new SavedForm(ctx.getNode().parameters as IDataObject);
	return async (itemIndex: number, json: IDataObject): Promise<ReadJob> => {
		const { values, problems, remarks } = readItem(layout, {
			parameter: (name) => ctx.getNodeParameter(name, itemIndex, null) as unknown,
			json,
			timeZone,
			form,
		});
		const job: Job = { itemIndex, values };
		const { sendOnceKey } = values.settings;
		if (sendOnceKey !== undefined) ledger.keys.set(itemIndex, sendOnceKey);
		if (operation.kind === 'upload' && problems.length === 0) {
			job.file = await fileOf(ctx, job, problems);
		}
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
	// A node before this one may give items without fields, such as files alone.
	const items = ctx.getInputData().map(({ json }) => objectOrEmpty(json) as IDataObject);
	const read = itemReader(ctx, operation, ledger);
	const { sendable, continueOnFail, keys } = ledger;
	const heldBack: ReadJob[] = [];
	const remarksByItem = new Map<number, InputRemarks>();
	const errorByItem = new Map<number, unknown>();
	let readingTime = 0;
	for (const itemIndex of sendable) {
		const startedAt = performance.now();
		const result = await read(itemIndex, items[itemIndex]!).catch((error: unknown) => ({ error }));
		readingTime += performance.now() - startedAt;
		if (readingTime > maxReadingTime) {
			await sleep(0);
			readingTime = 0;
		}
		if ('error' in result) {
			errorByItem.set(itemIndex, result.error);
		} else if (continueOnFail && result.problems.length === 0 && !keys.has(itemIndex)) {
			remarksByItem.set(itemIndex, result.remarks);
			yield result.job;
		} else {
			heldBack.push(result);
		}
	}
	const problemOfKey = keyProblems(keys, items);
	for (const { job, problems } of heldBack) {
		const problem = problemOfKey.get(job.itemIndex);
		if (problem) problems.push(problem);
	}
	const valid = heldBack.filter(({ problems }) => problems.length === 0);
	const invalid = heldBack.filter(({ problems }) => problems.length > 0);
	const failures = invalidItems(
		new Map(invalid.map(({ job, problems }) => [job.itemIndex, problems])),
	);
	const inOrder = [...errorByItem, ...failures].sort(([one], [other]) => one - other);
	ledger.refuseInvalid(new Map(inOrder), operation);
	for (const { job, remarks } of valid) remarksByItem.set(job.itemIndex, remarks);
	const hint = inputHint(remarksByItem, sendable.length);
	if (hint !== undefined) ledger.hint(hint);
	yield* valid.map(({ job }) => job);
}
