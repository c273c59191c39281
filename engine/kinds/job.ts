// What all kinds of operations share: the input item that is ready to be sent, what a kind does with such items, and
// the parts of the output that do not depend on the kind.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isNotModified, requireSuccess } from '../answer/answerData';
import { unexpectedNotModified } from '../answer/answerFailures';
import type { Operation } from '../area';
import type { FieldProblem } from '../failure';
import type { ServiceConventions } from '../form/serviceConventions';
import type { Result } from '../items/results';
import type { BinaryFile } from '../request/binaryFile';
import type { ServiceRequest } from '../request/request';
import type { Answer, Send } from '../send/exchange';
import type { ItemValues } from '../values/item';

/** One input item whose values were read and checked. */
export interface Job {
	itemIndex: number;
	values: ItemValues;
	/** The file of an upload; undefined for all other kinds. */
	file?: BinaryFile;
}

/** What an operation needs to do its jobs. */
export interface JobServices {
	send: Send;
	/** The most pages of one list that may be requested at once, 1 or more. */
	maxParallelPages: number;
	/** Shows a hint beside the node's output. */
	hint: (message: string) => void;
	/** How the service does what the interface leaves open. */
	conventions: ServiceConventions;
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

/** How the operations of one kind are carried out. */
export interface Kind<AnyOperation extends Operation = Operation> {
	/** The most requests of a run in progress at once, whatever 'Parallel Requests' allows. */
	maxParallel: number;
	/** Finds what a job needs in addition to its values, or says why it is not there. */
	prepare?(this: void, ctx: IExecuteFunctions, job: Job): Promise<FieldProblem | undefined>;
	/** Puts jobs together that are sent together, in their order, each time as soon as they are there. */
	group(this: void, jobs: AsyncIterable<Job>): AsyncIterable<readonly Job[]>;
	/**
	 * Sends the jobs of a task, and settles them.
	 * @throws Failure when none of them has a result
	 */
	send(this: void, task: Task<AnyOperation>): Promise<void>;
}

/** Each job is sent alone. */
export async function* eachAlone(jobs: AsyncIterable<Job>): AsyncGenerator<readonly Job[]> {
	for await (const job of jobs) yield [job];
}

/**
 * The most lists, uploads and bulk requests of a run in progress at once. Each of them takes memory, and a bulk
 * request also puts many items in doubt when the service dies.
 */
export const maxHeavyRequests = 32;

/**
 * The result of a write, with the fields that the setting 'Include' adds. Where the service's answer has a field of
 * the same name, the answer's value counts.
 */
export const withIncluded = (result: IDataObject, { includedFields }: ItemValues): IDataObject => ({
	// Spread first too, so that the answer's fields stand before the added ones.
	...result,
	...includedFields,
	...result,
});

/**
 * The output for a record that was not modified.
 * @param identifiers the IDs or the path by which it names the record
 */
export const notModified = (
	{ settings, path }: ItemValues,
	identifiers: IDataObject = path,
): IDataObject => ({
	notModified: true,
	...identifiers,
	...(settings.etag && { etag: settings.etag }),
});

/**
 * @returns the answer, if it is a success; undefined if the record was not modified since the version whose ETag was
 * sent (304)
 * @throws Failure for any other answer
 */
export function successIn(
	answer: Answer,
	{ settings }: Pick<ItemValues, 'settings'>,
): Answer | undefined {
	if (!isNotModified(answer)) return requireSuccess(answer);
	if (!settings.etag) throw unexpectedNotModified(answer);
	return undefined;
}
