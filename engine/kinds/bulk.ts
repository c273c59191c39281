// Bulk patches: one request sends many items, and the result of each path goes back to the item that asked for it.
import { isNotModified, reportsIn } from '../answer/answerData';
import type { BulkOperation } from '../area';
import { isObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import { buildRequest } from '../request/request';
import {
	notModifiedMarker,
	notModifiedResult,
	withIncluded,
	type Job,
	type JobServices,
} from './job';
import { pathOutcomes } from './pathOutcomes';

/**
 * Splits the jobs into as few requests as possible. A batch ends when it is full, and where the ETag changes, since
 * a request can carry only one.
 */
export async function* batches(jobs: AsyncIterable<Job>): AsyncGenerator<Job[]> {
	let batch: Job[] = [];
	for await (const job of jobs) {
		const [first = job] = batch;
		const { batchSize, etag } = first.values.settings;
		if (batch.length >= batchSize || job.values.settings.etag !== etag) {
			yield batch;
			batch = [];
		}
		batch.push(job);
	}
	if (batch.length > 0) yield batch;
}

const pathsOf = (operation: BulkOperation, { values }: Job): string[] =>
	[values.body[operation.pathsField]]
		.flat()
		.flatMap((entry) => (isObject(entry) && typeof entry.path === 'string' ? [entry.path] : []));

/**
 * Sends one batch.
 * @returns for each job, in order, the results of its paths
 * @throws Failure when the request as a whole failed
 */
export async function sendBulk(
	{ send, hint }: JobServices,
	operation: BulkOperation,
	jobs: readonly Job[],
): Promise<Result[][]> {
	const body = jobs.map(({ values }) => values.body);
	const answer = await send(buildRequest(operation, jobs[0]!.values, body));
	if (isNotModified(answer)) return jobs.map(({ values }) => [notModifiedResult(answer, values)]);
	const reports = reportsIn(answer, operation, hint);
	const pathsByJob = jobs.map((job) => pathsOf(operation, job));
	const { outcomes, unsentPaths } = pathOutcomes(
		reports,
		pathsByJob.flat(),
		operation.statusField,
		answer,
	);
	if (unsentPaths > 0) {
		hint(
			`The service's answer also names ${unsentPaths === 1 ? '1 path that was' : `${unsentPaths} paths that were`} not sent. Ask its owner what was patched.`,
		);
	}
	const resultOf = ({ values }: Job, path: string): Result => {
		const outcome = outcomes.get(path)!;
		if (outcome === 'notModified') return notModifiedMarker(values, { path });
		return isFailure(outcome) ? outcome : withIncluded(outcome, values);
	};
	return jobs.map((job, at) => pathsByJob[at]!.map((path) => resultOf(job, path)));
}
