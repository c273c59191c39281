// Reads and checks the values of all input items, and enters the items whose values do not fit in the ledger.
import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../area';
import { layoutOf } from '../form/layout';
import { shortened } from '../http/json';
import { invalidItem } from '../items/errors';
import type { Ledger } from '../items/ledger';
import { findFile, type BinaryFile } from '../request/binaryFile';
import type { FieldProblem } from '../values/fields';
import { ConstantGroups, objectOrEmpty } from '../values/formInputs';
import { readItem } from '../values/item';
import { inputHint, type InputRemarks } from '../values/inputRemarks';
import type { Job } from './job';
import { UniqueKeys } from './uniqueKeys';

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
	const text = `is ${shortened(JSON.stringify(reference))}, but ${rule}`;
	problems.push({ label: 'Input Data Field Name', text, rule });
	return undefined;
}

/** @returns reads one item, and throws the failure of one whose values do not fit */
function itemReader(ctx: IExecuteFunctions, operation: Operation, ledger: Ledger) {
	const items = ctx.getInputData();
	const layout = layoutOf(operation);
	const timeZone = ctx.getTimezone();
	const constantGroups = new ConstantGroups(ctx.getNode().parameters as IDataObject);
	const keys = new UniqueKeys();
	return async (itemIndex: number): Promise<{ job: Job; remarks: InputRemarks }> => {
		// A node before this one may give items without fields, such as files alone.
		const json = objectOrEmpty(items[itemIndex]!.json) as IDataObject;
		const { values, problems, remarks } = readItem(layout, {
			parameter: (name) => ctx.getNodeParameter(name, itemIndex, null) as unknown,
			json,
			timeZone,
			constantGroups,
		});
		const job: Job = { itemIndex, values };
		const { sendOnceKey } = values.settings;
		if (sendOnceKey !== undefined) ledger.keys.set(itemIndex, sendOnceKey);
		keys.check(job, json, problems);
		if (operation.kind === 'upload' && problems.length === 0) {
			job.file = await fileOf(ctx, job, problems);
		}
		if (problems.length > 0) throw invalidItem(problems);
		return { job, remarks };
	};
}

/**
 * Reads the items, and gives a job for each valid one. Under "Stop" the jobs come when all items have been read, so
 * that nothing is sent if one of them is invalid. Under "Continue", where items are independent, each item is
 * read only when its job is asked for.
 * @throws NodeOperationError under "Stop", naming the invalid items
 */
export async function* readItems(
	ctx: IExecuteFunctions,
	operation: Operation,
	ledger: Ledger,
): AsyncGenerator<Job, void> {
	const read = itemReader(ctx, operation, ledger);
	const { sendable, continueOnFail } = ledger;
	const heldBackJobs: Job[] = [];
	const remarks: InputRemarks[] = [];
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
		if ('error' in result) {
			errorByItem.set(itemIndex, result.error);
			continue;
		}
		remarks.push(result.remarks);
		if (continueOnFail) yield result.job;
		else heldBackJobs.push(result.job);
	}
	ledger.refuseInvalid(errorByItem, operation);
	const hint = inputHint(remarks, sendable.length);
	if (hint !== undefined) ledger.hint(hint);
	yield* heldBackJobs;
}
