// Bulk patches: one request sends many items, and each path's result goes back to the item that contained the path.
import type { IDataObject } from 'n8n-workflow';

import { dataOf } from '../response/responseData';
import { reportsFailure } from '../response/bodyEvidence';
import type { Content, ServiceResponse } from '../response/evidence';
import { isStandIn, judge, type FinalResponse, type PathReports } from '../response/judge';
import { failureOf } from '../response/responseFailure';
import { integer, text, type BulkOperation } from '../area';
import { groupedBy } from '../http/format';
import { isObject, type JsonObject } from '../http/json';
import { buildRequest } from '../request/request';
import { maxHeavyRequests, outputOf, type Job, type Kind } from './job';
import { comparableRecord, repeatedRecords } from './repeatedNames';

/** The paths of a job, as sent. */
const pathsOf = ({ pathsField }: BulkOperation, { values }: Job): string[] =>
	(values.body![pathsField] as Array<{ path: string }>).map(({ path }) => path);

/**
 * The report on a path, turned into a response to a PATCH of that path alone.
 * @param response to the whole request
 * @param reports all reports on this path; without a status, or with different ones, the path's outcome is unknown
 */
function reportOnPath(response: ServiceResponse, reports: readonly JsonObject[]) {
	const { statusField } = response.operation as BulkOperation;
	const content: Content = { ...response.content, expected: 'path' };
	const [given, ...others] = new Set(reports.map((report) => report[statusField]));
	const isClear = others.length === 0 && Number.isInteger(given);
	const status = isClear ? Number(given) : response.status;
	const reportedFailure = isClear && !reports.some(reportsFailure) ? undefined : 'maybe';
	const found = { data: reports, reportedFailure } as const;
	const report = { ...response, content, path: '', text: '', status, found };
	return { ...report, verdict: judge(report) };
}

export const bulk: Kind<BulkOperation> = {
	maxParallel: maxHeavyRequests,
	isBatched: true,

	contentOf: ({ resultsKey, statusField }) => ({
		expected: 'reports',
		name: resultsKey === undefined ? 'a JSON list' : `the list '${resultsKey}'`,
		find(body, normalizer, response): PathReports | undefined {
			const reports = normalizer.listOf(body, resultsKey, [text('path'), integer(statusField)]);
			if (!Array.isArray(reports)) return undefined;
			const named = reports.filter(isObject).filter(({ path }) => typeof path === 'string');
			// No two sent paths are comparable, so a report may spell its path differently.
			const byPath = groupedBy(named, ({ path }) => comparableRecord(path as string));
			return new Map([...byPath].map(([path, onPath]) => [path, reportOnPath(response, onPath)]));
		},
	}),

	// Reports are by path, so nobody could tell which of two rows with the same path a report is about.
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
		const content = bulk.contentOf(operation, values.settings);
		const response = await send(buildRequest(operation, values, content, { body, beforeSending }));
		const reports = dataOf<PathReports>(response, hint);
		for (const job of jobs) {
			const results = pathsOf(operation, job).map((path) => {
				if (typeof reports === 'string') return outputOf(job.values, reports, { path });
				const reported = reports.get(comparableRecord(path)) ?? reportOnPath(response, []);
				const onPath: FinalResponse = { ...response, ...reported, path };
				const { caseName, outcome } = onPath.verdict;
				if (outcome !== 'sent') return failureOf(onPath);
				const [report] = reported.found?.data as [IDataObject];
				return outputOf(job.values, isStandIn(caseName) ? caseName : report, { path });
			});
			settle(job.itemIndex, results);
		}
	},
};
