// Finds out what became of each path of a bulk patch, from the reports in the service's answer.
import type { IDataObject } from 'n8n-workflow';

import { judgeReport } from '../answer/answerPolicy';
import { saysNo } from '../answer/bodyEvidence';
import { Failure, type FailureDetails } from '../failure';
import { isObject, shortened, type JsonObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import type { Answer } from '../send/sendTypes';
import { isRetryable, outcomeOf } from '../send/retryPolicy';

/** What became of a path: its result or failure, or that its record was not modified (304). */
type PathOutcome = Result | 'notModified';

const inDoubt = (message: string, details: FailureDetails): Failure =>
	new Failure(message, 'unknown', details);

/** Where an ID or a value is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByPathStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then send this path again.',
	404: 'Nothing was changed on this path. Check that the path is complete and that its ID is that of a record, then send this path again.',
};

/**
 * What one report says of its path.
 * @param details of the failure, if it is one
 */
function outcomeByReport(
	report: JsonObject,
	statusField: string,
	details: FailureDetails & { path: string },
): PathOutcome {
	const { path } = details;
	const sent = report[statusField];
	const status = typeof sent === 'number' && Number.isInteger(sent) ? sent : undefined;
	const verdict = judgeReport({ status, saysNo: saysNo(report) });
	if (verdict === 'notModified') return verdict;
	if (verdict === 'success') return report as IDataObject;
	if (status === undefined) return withoutReport(details);
	if (status >= 200 && status < 300) {
		const message = saysNo(report)
			? `The service reported status ${status} on the path "${path}", but says that it failed: ${shortened(JSON.stringify(report))}`
			: `The service accepted the path "${path}", but has not carried it out yet (status ${status})`;
		return inDoubt(message, details);
	}
	const evidence = { maybeSent: true, status };
	const isRefused = verdict === 'asRequest' && outcomeOf('PATCH', evidence) === 'refused';
	const message = `The service ${isRefused ? 'refused' : 'answered'} the path "${path}" with status ${status}`;
	if (!isRefused) return inDoubt(message, { ...details, status });
	const retryable = isRetryable('PATCH', evidence);
	const advice = adviceByPathStatus[status];
	return new Failure(message, 'refused', { ...details, status, retryable, advice });
}

const withoutReport = (details: FailureDetails & { path: string }): Failure =>
	inDoubt(
		`The service accepted the request, but its answer does not say what became of the path "${details.path}"`,
		details,
	);

function outcomeInWord(outcome: PathOutcome): string {
	if (outcome === 'notModified') return outcome;
	return isFailure(outcome) ? outcome.outcome : 'processed';
}

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
	{ status, tries }: Pick<Answer, 'status' | 'tries'>,
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
		const details = { status, tries, path };
		const reported = reportsByPath
			.get(path)!
			.map((report) => outcomeByReport(report, statusField, details));
		const words = new Set(reported.map(outcomeInWord));
		if (reported.length < times) outcomes.set(path, withoutReport(details));
		else if (words.size === 1) outcomes.set(path, reported[0]!);
		else {
			const message = `The service reported different outcomes of the path "${path}"`;
			outcomes.set(path, inDoubt(message, details));
		}
	}
	return { outcomes, unsentPaths: unsentPaths.size };
}
