// Turns the jobs of a run into tasks: jobs that are sent together, and the function of their kind that sends them.
import type { IDataObject } from 'n8n-workflow';

import type { BulkOperation, Operation } from '../area';
import type { Settings } from '../form/settings';
import type { Result } from '../items/results';
import { batches, sendBulk } from './bulk';
import { sendEmpty } from './empty';
import { sendItem } from './item';
import type { Job, JobServices } from './job';
import { readList } from './list/readList';
import { sendUpload } from './upload';

export interface Task {
	jobs: readonly Job[];
	/**
	 * Sends the jobs.
	 * @returns the results of each job, in the order of the jobs
	 * @throws Failure when none of them has a result
	 */
	run: (services: JobServices) => Promise<ReadonlyArray<readonly Result[]>>;
}

async function* oneTaskPerJob<OfKind extends Operation>(
	sendJob: (services: JobServices, operation: OfKind, job: Job) => Promise<IDataObject[]>,
	operation: OfKind,
	jobs: AsyncIterable<Job>,
): AsyncGenerator<Task> {
	for await (const job of jobs) {
		yield { jobs: [job], run: async (services) => [await sendJob(services, operation, job)] };
	}
}

async function* oneTaskPerBatch(
	operation: BulkOperation,
	jobs: AsyncIterable<Job>,
): AsyncGenerator<Task> {
	for await (const batch of batches(jobs)) {
		yield { jobs: batch, run: (services) => sendBulk(services, operation, batch) };
	}
}

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

/** @returns the tasks of a run, in the order of the items; each comes as soon as its jobs are there */
export function tasksOf(operation: Operation, jobs: AsyncIterable<Job>): AsyncIterable<Task> {
	switch (operation.kind) {
		case 'item':
			return oneTaskPerJob(sendItem, operation, jobs);
		case 'list':
			return oneTaskPerJob(readList, operation, jobs);
		case 'upload':
			return oneTaskPerJob(sendUpload, operation, jobs);
		case 'empty':
			return oneTaskPerJob(sendEmpty, operation, jobs);
		case 'bulk':
			return oneTaskPerBatch(operation, jobs);
	}
}
