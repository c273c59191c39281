// What all kinds of operations share: the input item that is ready to be sent, what a kind does with such items, and
// the parts of the output that do not depend on the kind.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Content } from '../response/evidence';
import type { StandIn } from '../response/judge';
import type { Operation } from '../area';
import type { FieldProblem, ProblemsByItem } from '../failure';
import type { Settings } from '../form/settings';
import type { Result } from '../items/itemState';
import type { BinaryFile } from '../request/binaryFile';
import type { ServiceRequest } from '../request/request';
import type { Send } from '../send/serviceAccess';
import type { InputHints } from '../values/inputHints';
import type { ItemValues } from '../values/item';

/** One input item whose values were read and checked. */
export interface Job {
	itemIndex: number;
	values: ItemValues;
	/** The file of an upload; undefined for all other kinds. */
	file?: BinaryFile;
}

/** The services that an operation needs to do its jobs. */
export interface JobServices {
	send: Send;
	/** The most pages of one list that may be requested at once, 1 or more. */
	maxParallelPages: number;
	/** Shows a hint beside the node's output. */
	hint: (message: string) => void;
	/** The most rows that one request of a list may ask for. */
	pageSize: number;
}

/** Jobs that are sent together, and what they are sent with. */
export interface Task<AnyOperation extends Operation = Operation>
	extends JobServices,
		Pick<ServiceRequest, 'beforeSending'> {
	operation: AnyOperation;
	jobs: readonly Job[];
	/** Enters the results of an item. */
	settle: (itemIndex: number, results: readonly Result[]) => void;
}

/** The work of one kind of operation. */
export interface Kind<AnyOperation extends Operation = Operation> {
	/** Describes what a response has to hold. */
	contentOf(this: void, operation: AnyOperation, settings: Settings): Content;
	/** The most requests of a run in progress at once, whatever 'Parallel Requests' allows. */
	maxParallel: number;
	/** Whether items are sent together, as many as 'Batch Size' says. */
	isBatched?: boolean;
	/** Finds what a job needs in addition to its values, or says why it is not there. */
	prepare?: (
		ctx: IExecuteFunctions,
		job: Job,
		inputHints: InputHints,
	) => Promise<FieldProblem | undefined>;
	/** Finds what no two jobs of a run may have in common. */
	findRepeated?(this: void, operation: AnyOperation, jobs: readonly Job[]): ProblemsByItem;
	/**
	 * Sends the jobs of a task, and settles them.
	 * @throws Failure when none of them has a result
	 */
	run(this: void, task: Task<AnyOperation>): Promise<void>;
}

/**
 * Puts jobs together that are sent together, in their order, also jobs of several groups. A batch also ends where the
 * ETag changes, since a request can carry only one.
 * @param groups of what is ready to be sent, each as soon as it is there
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
 * The most lists, uploads and bulk requests of a run in progress at once. Each of them takes memory, and a bulk
 * request also puts many items in doubt when the service dies.
 */
export const maxHeavyRequests = 32;

/**
 * The output for an item, with the fields that the setting 'Include' adds. Where the service's response has a field of
 * the same name, the response's value counts.
 * @param data or what stands for it
 * @param identifiers the IDs or the path by which an item without data names its record
 */
export function outputOf(
	{ settings: { etag }, path, includedFields }: ItemValues,
	data: IDataObject | StandIn,
	identifiers: IDataObject = path,
): IDataObject {
	if (data === 'notModified') return { [data]: true, ...identifiers, ...(etag && { etag }) };
	const output = typeof data === 'string' ? { [data]: true, ...identifiers } : data;
	// Spread first too, so that the answer's fields stand before the added ones.
	return { ...output, ...includedFields, ...output };
}
