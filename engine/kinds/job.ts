// Shared by all kinds of operations: an input item that is ready to be sent, the interface of a kind, and the parts of
// the output that do not depend on the kind.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Content } from '../response/evidence';
import type { StandIn } from '../response/judge';
import type { Operation } from '../area';
import type { FieldProblem, ProblemsByItem } from '../failure';
import type { Settings } from '../form/settings';
import { isEmpty } from '../http/json';
import type { Result } from '../items/itemState';
import type { BinaryFile } from '../request/binaryFile';
import { addressOf, type ServiceRequest } from '../request/request';
import type { Send } from '../send/serviceAccess';
import type { InputHints } from '../values/inputHints';
import type { ItemValues } from '../values/item';

/** One input item with its checked values, and the hints about them. */
export interface Job {
	itemIndex: number;
	values: ItemValues;
	inputHints: InputHints;
	/** Whether not all of its values are known: some are not valid. */
	isIncomplete?: boolean;
	/** Why it cannot have its key. */
	keyProblem?: FieldProblem;
	/** The file of an upload; undefined for all other kinds. */
	file?: BinaryFile;
}

/** The services that an operation needs to run its jobs. */
export interface JobServices {
	send: Send;
	/** The maximum number of pages of one list to request at once; at least 1. */
	maxParallelPages: number;
	/** Shows a hint next to the node's output; see Ledger.hint(). */
	hint: (message: string, loss?: string) => void;
	/** The maximum number of rows that one request for a list may ask for. */
	pageSize: number;
}

/** Jobs that are sent together, and the services to send them with. */
export interface Task<AnyOperation extends Operation = Operation>
	extends JobServices,
		Pick<ServiceRequest, 'beforeSending'> {
	operation: AnyOperation;
	jobs: readonly Job[];
	/** Sets the results of an item. */
	settle: (itemIndex: number, results: readonly Result[]) => void;
}

/** The work of one kind of operation. */
export interface Kind<AnyOperation extends Operation = Operation> {
	/** Describes what a successful response must contain. */
	contentOf(this: void, operation: AnyOperation, settings: Settings): Content;
	/** The maximum number of a run's parallel requests, even if 'Parallel Requests' allows more. */
	maxParallel: number;
	/** Whether items are sent together, up to 'Batch Size' per request. */
	isBatched?: boolean;
	/** Adds what a job needs besides its values; returns a problem if that is missing. */
	prepare?(this: void, ctx: IExecuteFunctions, job: Job): Promise<FieldProblem | undefined>;
	/** Finds jobs that name the same record, or the same path. */
	findRepeated?(this: void, operation: AnyOperation, jobs: readonly Job[]): ProblemsByItem;
	/**
	 * Sends the jobs of a task and settles them.
	 * @throws Failure if none of them has a result
	 */
	run(this: void, task: Task<AnyOperation>): Promise<void>;
}

/**
 * Batches jobs in order, across groups. A batch also ends where the ETag changes, since a request can carry only one.
 * @param groups of jobs ready to be sent, each as soon as it is available
 */
export async function* inBatches(
	groups: Iterable<readonly Job[]> | AsyncIterable<readonly Job[]>,
	{ isBatched }: Kind,
): AsyncGenerator<Array<readonly Job[]>> {
	const batch: Job[] = [];
	for await (const jobs of groups) {
		const full: Array<readonly Job[]> = [];
		for (const job of jobs) {
			const { etag, batchSize } = job.values.settings;
			const [first = job] = batch;
			if (first.values.settings.etag !== etag) full.push(batch.splice(0));
			batch.push(job);
			if (!isBatched || batch.length >= batchSize) full.push(batch.splice(0));
		}
		yield full;
	}
	if (batch.length > 0) yield [batch];
}

/**
 * The maximum number of a run's parallel requests for lists, uploads or bulk patches. Each takes memory, and a bulk
 * request also leaves many items in doubt if the service dies.
 */
export const maxHeavyRequests = 32;

/** The request that would be sent for one item; for a bulk patch, with the item's part of the body. */
export function requestOf(operation: Operation, { values, file }: Job): IDataObject {
	const { path, body, settings } = values;
	const address = addressOf(operation, path);
	if (!file) return { ...address, ...(body && { body }) };
	const { name, type, size } = file;
	const { partName, additionalFields: fields } = settings;
	const others = isEmpty(fields) ? {} : { fields };
	return { ...address, file: { partName, name, type, size }, ...others };
}

/**
 * The output for an item, with the fields that the setting 'Include' adds. If names clash, the response's value wins.
 * @param data the response's data, or the stand-in for missing data
 * @param identifiers the IDs or the path that identify the record if there is no data
 */
export function outputOf(
	{ settings: { etag }, path, includedFields }: ItemValues,
	data: IDataObject | StandIn,
	identifiers: IDataObject = path,
): IDataObject {
	if (data === 'notModified') return { [data]: true, ...identifiers, ...(etag && { etag }) };
	const output = typeof data === 'string' ? { [data]: true, ...identifiers } : data;
	// Spread first as well, so that the response's fields come before the added ones.
	return { ...output, ...includedFields, ...output };
}
