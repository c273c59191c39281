// Finds out what became of each path of a bulk patch, from the reports in the service's answer.
import type { IDataObject } from 'n8n-workflow';

import { saysNo } from '../answer/bodyEvidence';
import { Failure, type FailureDetails } from '../failure';
import { isObject, shortened, type JsonObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import type { Answer } from '../send/sendTypes';
import { isRetryable, outcomeOf } from '../send/retryPolicy';

/** What became of a path: its result or failure, or that its record was not modified (304). */
type PathOutcome = Result | 'notModified';

interface PathReport {
	path: string;
	/** Undefined when there is no report, or its status is no whole number. */
	status?: number;
	/** What the service sent of the path, if it sent anything. */
	report?: JsonObject;
}

interface ReportRule {
	/** What the report says, in the words of the table in docs/design.md. */
	said: string;
	appliesTo: (report: PathReport) => boolean;
	/** `asRequest`: as the retry policy judges a whole request that is answered with this status. */
	becomes: 'success' | 'notModified' | 'unknown' | 'asRequest';
	/** Without it, the message of a failure names the status. */
	message?: (report: PathReport) => string;
}

const isStatusIn =
	(hundred: number) =>
	({ status = 0 }: PathReport): boolean =>
		Math.floor(status / 100) === hundred;

/** What became of a path, by the report on it: the first rule that applies counts. */
export const reportRules: readonly ReportRule[] = [
	{
		said: 'No report, or one whose status is no whole number',
		appliesTo: ({ status }) => status === undefined,
		becomes: 'unknown',
		message: ({ path }) =>
			`The service accepted the request, but its answer does not say what became of the path "${path}"`,
	},
	{ said: '304', appliesTo: ({ status }) => status === 304, becomes: 'notModified' },
	{
		said: '2xx, but the report says that it failed',
		appliesTo: (sent) => isStatusIn(2)(sent) && saysNo(sent.report!),
		becomes: 'unknown',
		message: ({ path, status, report }) =>
			`The service reported status ${status} on the path "${path}", but says that it failed: ${shortened(JSON.stringify(report))}`,
	},
	{
		said: '202',
		appliesTo: ({ status }) => status === 202,
		becomes: 'unknown',
		message: ({ path, status }) =>
			`The service accepted the path "${path}", but has not carried it out yet (status ${status})`,
	},
	{ said: 'Any other 2xx', appliesTo: isStatusIn(2), becomes: 'success' },
	{ said: '4xx', appliesTo: isStatusIn(4), becomes: 'asRequest' },
	{ said: 'Any other status', appliesTo: () => true, becomes: 'unknown' },
];

/** Where an ID or a value is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByPathStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then send this path again.',
	404: 'Nothing was changed on this path. Check that the path is complete and that its ID is that of a record, then send this path again.',
};

/** @param details of the failure, if it is one */
function outcomeByReport(sent: PathReport, details: FailureDetails): PathOutcome {
	const { becomes, message } = reportRules.find(({ appliesTo }) => appliesTo(sent))!;
	if (becomes === 'notModified') return becomes;
	if (becomes === 'success') return sent.report as IDataObject;
	if (message) return new Failure(message(sent), 'unknown', details);
	const { path, status } = sent;
	const evidence = { maybeSent: true, status };
	const outcome = becomes === 'asRequest' ? outcomeOf('PATCH', evidence) : 'unknown';
	const isRefused = outcome === 'refused';
	return new Failure(
		`The service ${isRefused ? 'refused' : 'answered'} the path "${path}" with status ${status}`,
		outcome,
		{
			...details,
			status,
			retryable: isRefused && isRetryable('PATCH', evidence),
			advice: adviceByPathStatus[status!],
		},
	);
}

const outcomeInWord = (outcome: PathOutcome): string => {
	if (outcome === 'notModified') return outcome;
	return isFailure(outcome) ? outcome.outcome : 'processed';
};

/**
 * @param reports the entries of the answer
 * @param paths the paths that were sent. A path that several items sent is in it as often, since the interface
 * promises a report for each: if fewer come, or they contradict each other, the path is in doubt, since nothing tells
 * which report belongs to which item.
 * @returns the outcome of each path, and the number of paths that were reported on but not sent
 */
export function pathOutcomes(
	reports: readonly unknown[],
	paths: readonly string[],
	statusField: string,
	{ status: answerStatus, tries }: Pick<Answer, 'status' | 'tries'>,
): { outcomes: Map<string, PathOutcome>; unsentPaths: number } {
	const reportsByPath = new Map<unknown, JsonObject[]>(paths.map((path) => [path, []]));
	const unsentPaths = new Set<unknown>();
	for (const report of reports.filter(isObject)) {
		const reportsOnPath = reportsByPath.get(report.path);
		if (reportsOnPath) reportsOnPath.push(report);
		else unsentPaths.add(report.path);
	}
	const timesSent = new Map<string, number>();
	for (const path of paths) timesSent.set(path, (timesSent.get(path) ?? 0) + 1);
	const outcomes = new Map<string, PathOutcome>();
	for (const [path, times] of timesSent) {
		const details = { status: answerStatus, tries, path };
		const reported = reportsByPath.get(path)!.map((report) => {
			const sent = report[statusField];
			const status = Number.isInteger(sent) ? (sent as number) : undefined;
			return outcomeByReport({ path, status, report }, details);
		});
		const words = new Set(reported.map(outcomeInWord));
		if (reported.length < times) outcomes.set(path, outcomeByReport({ path }, details));
		else if (words.size === 1) outcomes.set(path, reported[0]!);
		else {
			const message = `The service reported different outcomes of the path "${path}"`;
			outcomes.set(path, new Failure(message, 'unknown', details));
		}
	}
	return { outcomes, unsentPaths: unsentPaths.size };
}
