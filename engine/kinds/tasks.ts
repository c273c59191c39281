// The kinds of operations, as tasks: jobs that travel together, and what doing them gives.
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
	/** Sends them; gives the results of each, in order. Throws Failure when there is none for any. */
	run: (service: JobServices) => Promise<ReadonlyArray<readonly Result[]>>;
}

async function* oneByOne<Chosen extends Operation>(
	send: (service: JobServices, operation: Chosen, job: Job) => Promise<IDataObject[]>,
	operation: Chosen,
	jobs: AsyncIterable<Job>,
): AsyncGenerator<Task> {
	for await (const job of jobs) {
		yield { jobs: [job], run: async (service) => [await send(service, operation, job)] };
	}
}

async function* inBatches(
	operation: BulkOperation,
	jobs: AsyncIterable<Job>,
): AsyncGenerator<Task> {
	for await (const batch of batches(jobs)) {
		yield { jobs: batch, run: (service) => sendBulk(service, operation, batch) };
	}
}

/**
 * Most requests of these kinds under way at once: each takes memory, and each of a bulk operation puts many items
 * in doubt when the service dies.
 */
export const maxHeavyRequests = 32;

/** @returns most requests of a run under way at once */
export const maxParallelOf = ({ kind }: Operation, { parallelRequests }: Settings): number =>
	kind === 'item' || kind === 'empty'
		? parallelRequests
		: Math.min(parallelRequests, maxHeavyRequests);

/** @returns the tasks of a run, in the order of the items, as soon as each has its jobs */
export function tasksOf(operation: Operation, jobs: AsyncIterable<Job>): AsyncIterable<Task> {
	switch (operation.kind) {
		case 'item':
			return oneByOne(sendItem, operation, jobs);
		case 'list':
			return oneByOne(readList, operation, jobs);
		case 'upload':
			return oneByOne(sendUpload, operation, jobs);
		case 'empty':
			return oneByOne(sendEmpty, operation, jobs);
		case 'bulk':
			return inBatches(operation, jobs);
	}
}
