// The kinds of operations, as tasks: jobs that travel together, and what doing them gives.
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../area';
import type { Result } from '../items/results';
import { batches, bulk } from './bulk';
import { empty } from './empty';
import { item } from './item';
import type { Job, Service } from './job';
import { list } from './list/list';
import { upload } from './upload';

export interface Task {
	jobs: readonly Job[];
	/** Sends them; gives the results of each, in order. Throws Failure when there is none for any. */
	run: (service: Service) => Promise<ReadonlyArray<readonly Result[]>>;
}

const oneByOne = <Chosen extends Operation>(
	send: (service: Service, operation: Chosen, job: Job) => Promise<IDataObject[]>,
	operation: Chosen,
	jobs: readonly Job[],
): Task[] =>
	jobs.map((job) => ({
		jobs: [job],
		run: async (service) => [await send(service, operation, job)],
	}));

/** @returns the tasks of a run, in the order of the items */
export function tasksOf(operation: Operation, jobs: readonly Job[]): Task[] {
	switch (operation.kind) {
		case 'item':
			return oneByOne(item, operation, jobs);
		case 'list':
			return oneByOne(list, operation, jobs);
		case 'upload':
			return oneByOne(upload, operation, jobs);
		case 'empty':
			return oneByOne(empty, operation, jobs);
		case 'bulk':
			return batches(jobs).map((batch) => ({
				jobs: batch,
				run: (service) => bulk(service, operation, batch),
			}));
	}
}
