// Bulk patches: many items in one request, one result a path back to the item that asked for it.
import type { IDataObject } from 'n8n-workflow';

import type { BulkOperation } from '../area';
import { isUnchanged, listOf } from '../http/answer';
import { mayExist, Failure } from '../failure';
import { buildRequest } from '../request';
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
			last.length < Number(first.values.settings.batchSize) &&
			first.values.settings.etag === job.values.settings.etag;
		if (fits) last.push(job);
		else result.push([job]);
	}
	return result;
}

const pathsOf = (operation: BulkOperation, { values }: Job): string[] =>
	(values.body[operation.pathsField] as Array<{ path: string }>).map(({ path }) => path);

/** Result of one path: the service's entry, or why the path was not patched. */
type PathResult = IDataObject | Failure;

/**
 * Sends one batch.
 * @returns for each job, in order, its paths' results
 * @throws Failure when the request as a whole has no result
 */
export async function bulk(
	{ send }: Service,
	operation: BulkOperation,
	jobs: readonly Job[],
): Promise<PathResult[][]> {
	const body = jobs.map(({ values }) => values.body);
	const answer = await send(buildRequest(operation, jobs[0]!.values, body));
	if (isUnchanged(answer)) return jobs.map(() => [unchanged]);
	const entries = listOf(answer, operation.key);

	// Two items may name the same path: its results are dealt out in the order they came.
	const byPath = new Map<string, IDataObject[]>();
	for (const entry of entries as IDataObject[]) {
		const path = entry?.path as string;
		const known = byPath.get(path);
		if (known) known.push(entry);
		else byPath.set(path, [entry]);
	}
	const resultOf = (path: string): PathResult => {
		const entry = byPath.get(path)?.shift();
		const status = Number(entry?.[operation.statusField]);
		if (!entry || Number.isNaN(status)) {
			return new Failure(
				`The service accepted the request, but its answer does not say what became of the path "${path}"`,
				'unknown',
				{ status: answer.status, description: mayExist },
			);
		}
		if (status < 400) return entry;
		const words = `The service refused the path "${path}" with status ${status}`;
		return new Failure(words, 'refused', { status });
	};
	return jobs.map((job) => pathsOf(operation, job).map(resultOf));
}
