// Bulk patches: one request sends many items, and the result of each path goes back to the item that asked for it.
import { dataOf, standInOf } from '../answer/answerData';
import type { BulkOperation } from '../area';
import { Failure } from '../failure';
import { groupedBy } from '../http/format';
import type { JsonObject } from '../http/json';
import { buildRequest } from '../request/request';
import { maxHeavyRequests, outputOf, type Job, type Kind } from './job';
import { resultOfPath } from './pathResults';
import { comparableRecord, repeatedRecords } from './repeatedNames';

/** The paths of a job, as they are sent. */
const pathsOf = ({ pathsField }: BulkOperation, { values }: Job): string[] =>
	(values.body![pathsField] as Array<{ path: string }>).map(({ path }) => path);

export const bulk: Kind<BulkOperation> = {
	maxParallel: maxHeavyRequests,
	isBatched: true,

	// The service also reports by path, so nobody could tell which row a report is about.
	findRepeated(operation, jobs) {
		const named = jobs.flatMap((job) =>
			pathsOf(operation, job).map((path) => [job.itemIndex, path] as const),
		);
		const field = operation.body.find(({ name }) => name === operation.pathsField)!;
		return repeatedRecords(named, field.label);
	},

	async run({ send, hint, settle, operation, jobs, beforeSending }) {
		const [{ values }] = jobs as [Job];
		const body = jobs.map((job) => job.values.body!);
		const answer = await send(buildRequest(operation, values, { body, beforeSending }));
		const standIn = standInOf(answer);
		// No two paths that were sent look alike, so a report may spell its path in another way.
		const given = standIn ? [] : dataOf<JsonObject[]>(answer, hint);
		const reports = groupedBy(given, ({ path }) => comparableRecord(String(path)));
		for (const job of jobs) {
			const results = pathsOf(operation, job).map((path) => {
				const reportsOnPath = reports.get(comparableRecord(path)) ?? [];
				const result = standIn ?? resultOfPath(path, reportsOnPath, answer);
				return result instanceof Failure ? result : outputOf(job.values, result, { path });
			});
			settle(job.itemIndex, results);
		}
	},
};
