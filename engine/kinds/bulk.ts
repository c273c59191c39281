// Bulk patches: many items in one request, one result a path back to the item that asked for it.
import type { IDataObject } from 'n8n-workflow';

import { isUnchanged, listOf, succeeded } from '../answer/answer';
import type { BulkOperation } from '../area';
import { mayExist, Failure } from '../failure';
import { isObject, type JsonObject } from '../http/json';
import type { Result } from '../items/results';
import { buildRequest } from '../request/request';
import { isRetryable, outcomeOf } from '../send/policy';
import { unchanged, type Job, type Service } from './job';

/**
 * Splits the jobs into the fewest requests: full batches, cut where the ETag changes, since a request has
 * only one.
 */
export function batches(jobs: readonly Job[]): Job[][] {
	const result: Job[][] = [];
	for (const job of jobs) {
		const last = result.at(-1);
		const first = last?.[0];
		const fits =
			last &&
			first &&
			last.length < first.values.settings.batchSize &&
			first.values.settings.etag === job.values.settings.etag;
		if (fits) last.push(job);
		else result.push([job]);
	}
	return result;
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
export async function bulk(
	{ send, hint }: Service,
	operation: BulkOperation,
	jobs: readonly Job[],
): Promise<Result[][]> {
	const body = jobs.map(({ values }) => values.body);
	const answer = succeeded(await send(buildRequest(operation, jobs[0]!.values, body)));
	if (isUnchanged(answer)) return jobs.map(({ values }) => unchanged(values));
	const entries = listOf(answer, operation.key);

	// Two items may name the same path: its results are dealt out in the order they came.
	const byPath = new Map<unknown, JsonObject[]>();
	for (const entry of entries.filter(isObject)) {
		const known = byPath.get(entry.path);
		if (known) known.push(entry);
		else byPath.set(entry.path, [entry]);
	}
	const { status, tries } = answer;
	const resultOf = (path: string): Result => {
		const entry = byPath.get(path)?.shift();
		const pathStatus = Number(entry?.[operation.statusField]);
		if (!entry || Number.isNaN(pathStatus)) {
			return new Failure(
				`The service accepted the request, but its answer does not say what became of the path "${path}"`,
				'unknown',
				{ status, tries, advice: mayExist },
			);
		}
		if (pathStatus < 400) return entry as IDataObject;
		const reached = { sent: true, status: pathStatus };
		const outcome = outcomeOf('PATCH', reached);
		return new Failure(
			`The service ${outcome === 'refused' ? 'refused' : 'failed at'} the path "${path}" with status ${pathStatus}`,
			outcome,
			{
				status: pathStatus,
				tries,
				retryable: isRetryable('PATCH', reached),
				...(outcome === 'unknown' && { advice: mayExist }),
			},
		);
	};
	const results = jobs.map((job) => pathsOf(operation, job).map(resultOf));
	const foreign = [...byPath.values()].flat().length;
	if (foreign > 0) {
		hint(
			`The service also reported on ${foreign === 1 ? '1 path that was' : `${foreign} paths that were`} not sent. Check with its owner what was patched.`,
		);
	}
	return results;
}
