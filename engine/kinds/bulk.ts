// Bulk patches: many items in one request, one result a path back to the item that asked for it.
import { isNotModified, answerList, requireSuccess } from '../answer/answer';
import type { BulkOperation } from '../area';
import { isObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import { buildRequest } from '../request/request';
import { pathOutcomes } from './pathOutcomes';
import {
	notModifiedMarker,
	notModifiedResults,
	withIncluded,
	type Job,
	type JobServices,
} from './job';

/**
 * Splits the jobs into the fewest requests: full batches, cut where the ETag changes, since a request has
 * only one.
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
 * @returns for each job, in order, its paths' results
 * @throws Failure when the request as a whole has no result
 */
export async function sendBulk(
	{ send, hint }: JobServices,
	operation: BulkOperation,
	jobs: readonly Job[],
): Promise<Result[][]> {
	const body = jobs.map(({ values }) => values.body);
	// The status of the whole says nothing of its paths: without their reports all are in doubt.
	const answer = requireSuccess(
		await send(buildRequest(operation, jobs[0]!.values, body)),
		'unknown',
	);
	if (isNotModified(answer)) return jobs.map(({ values }) => notModifiedResults(answer, values));
	const reports = answerList(answer, operation.resultsKey, 'unknown');
	const paths = jobs.map((job) => pathsOf(operation, job));
	const { fates, foreign } = pathOutcomes(reports, paths.flat(), operation.statusField, answer);
	if (foreign > 0) {
		hint(
			`The service's answer also names ${foreign === 1 ? '1 path that was' : `${foreign} paths that were`} not sent. Ask its owner what was patched.`,
		);
	}
	const resultsOf = ({ values }: Job, path: string): Result[] => {
		const fate = fates.get(path)!;
		if (fate === 'unchanged') return notModifiedMarker(values, { path });
		return [isFailure(fate) ? fate : withIncluded(fate, values)];
	};
	return jobs.map((job, at) => paths[at]!.flatMap((path) => resultsOf(job, path)));
}
