// Which jobs are sent together, and how those of each kind are sent.
import type { IDataObject } from 'n8n-workflow';

import { isNotModified, nothingIn, recordIn } from '../answer/answerData';
import type { EmptyOperation, ItemOperation, Operation, UploadOperation } from '../area';
import type { Settings } from '../form/settings';
import type { Result } from '../items/results';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import { batches, sendBulk } from './bulk';
import { notModifiedResult, withIncluded, type Job, type JobServices } from './job';
import { readList } from './list/readList';

/**
 * The most lists, uploads and bulk requests of a run under way at once. Each of them takes memory, and a bulk
 * request also puts many items in doubt when the service dies.
 */
export const maxHeavyRequests = 32;

/** @returns the most requests of a run under way at once */
export const maxParallelOf = ({ kind }: Operation, { parallelRequests }: Settings): number =>
	kind === 'item' || kind === 'empty'
		? parallelRequests
		: Math.min(parallelRequests, maxHeavyRequests);

/** Jobs that are sent together. */
export type Task = readonly Job[];

/** @returns the tasks of a run, in the order of the items; each comes as soon as its jobs are there */
export async function* tasksOf(
	{ kind }: Operation,
	jobs: AsyncIterable<Job>,
): AsyncGenerator<Task> {
	if (kind === 'bulk') yield* batches(jobs);
	else for await (const job of jobs) yield [job];
}

/** Sends one item as one request, whose answer is one object. */
async function sendOne(
	{ send, hint }: JobServices,
	operation: ItemOperation | UploadOperation | EmptyOperation,
	{ values, file }: Job,
): Promise<IDataObject> {
	const { partName, additionalFields } = values.settings;
	const form = file && new Multipart(partName, file, additionalFields);
	const fields = 'body' in operation ? values.body : undefined;
	const sending = send(buildRequest(operation, values, form ?? fields));
	const answer = await sending.finally(() => form?.closeFile());
	if (isNotModified(answer)) return notModifiedResult(answer, values);
	const data =
		operation.kind === 'empty'
			? nothingIn(answer, operation, hint)
			: recordIn(answer, operation, hint);
	return withIncluded(data, values);
}

/**
 * Sends the jobs of a task.
 * @returns the results of each job, in the order of the jobs
 * @throws Failure when none of them has a result
 */
export async function sendTask(
	services: JobServices,
	operation: Operation,
	task: Task,
): Promise<ReadonlyArray<readonly Result[]>> {
	if (operation.kind === 'bulk') return await sendBulk(services, operation, task);
	const [job] = task as [Job];
	if (operation.kind === 'list') return [await readList(services, operation, job)];
	return [[await sendOne(services, operation, job)]];
}
