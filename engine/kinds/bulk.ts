// Bulk patches: one request sends many items, and the result of each path goes back to the item that asked for it.
import { parseReports, successIn } from '../answer/answerData';
import type { BulkOperation } from '../area';
import { groupedBy, joinUpTo } from '../http/format';
import { isObject } from '../http/json';
import { isFailure } from '../items/results';
import { buildRequest } from '../request/request';
import { maxHeavyRequests, outputOf, type Job, type Kind } from './job';
import { outcomeOfPath } from './reportRules';

export const bulk: Kind<BulkOperation> = {
	maxParallel: maxHeavyRequests,
	isBatched: true,

	async send({ send, hint, settle, operation, jobs, beforeSending }) {
		const [{ values }] = jobs as [Job];
		const body = jobs.map((job) => job.values.body);
		const answer = await send(buildRequest(operation, values, { body, beforeSending }));
		const success = successIn(answer, values.settings.etag);
		if (!success) {
			for (const job of jobs) settle(job.itemIndex, [outputOf(job.values, undefined)]);
			return;
		}
		const { pathsField, statusField } = operation;
		const pathsOf = (job: Job) =>
			(job.values.body[pathsField] as Array<{ path: string }>).map(({ path }) => path);
		const reports = groupedBy(
			parseReports(success, operation, hint).filter(isObject),
			({ path }) => path,
		);
		const pathsSent = groupedBy<string, unknown>(jobs.flatMap(pathsOf), (path) => path);
		const unsent = [...reports.keys()].filter((path) => !pathsSent.has(path)).length;
		if (unsent > 0) {
			hint(
				`The service's response also names ${unsent === 1 ? '1 path that was' : `${unsent} paths that were`} not sent. Ask the service owner what was patched.`,
			);
		}
		const repeated = [...pathsSent.values()].flatMap(([path, ...more]) =>
			more.length > 0 ? path! : [],
		);
		if (repeated.length > 0) {
			hint(
				`Several rows have the same path, so the last may have replaced what the others set: ${joinUpTo(repeated, 500)}. Give all values of a path in one row.`,
			);
		}
		for (const job of jobs) {
			const results = pathsOf(job).map((path) => {
				const timesSent = pathsSent.get(path)!.length;
				const reportsOnPath = reports.get(path) ?? [];
				const outcome = outcomeOfPath(path, timesSent, reportsOnPath, statusField, answer);
				return outcome && isFailure(outcome) ? outcome : outputOf(job.values, outcome, { path });
			});
			settle(job.itemIndex, results);
		}
	},
};
