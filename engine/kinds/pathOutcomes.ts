// Finds out what became of each path of a bulk patch, from the reports in the service's answer.
import type { IDataObject } from 'n8n-workflow';

import { judgeReport } from '../answer/answerPolicy';
import { saysNo } from '../answer/bodyEvidence';
import { Failure, adviceLookUp } from '../failure';
import { isObject, shortened, type JsonObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import type { Answer } from '../send/sendTypes';
import { isRetryable, outcomeOf } from '../send/retryPolicy';

/** What became of a path: its result or failure, or that its record was not modified (304). */
export type PathOutcome = Result | 'notModified';

/** The parts of a bulk answer that go into the failure of a path. */
type BulkAnswer = Pick<Answer, 'status' | 'tries'>;

const pathInDoubt = ({ status, tries }: BulkAnswer, path: string, message: string): Failure =>
	new Failure(message, 'unknown', { status, tries, path, advice: adviceLookUp });

const unreportedPath = (answer: BulkAnswer, path: string): Failure =>
	pathInDoubt(
		answer,
		path,
		`The service accepted the request, but its answer does not say what became of the path "${path}"`,
	);

/** Where an ID or a value is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByPathStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then send this path again.',
	404: 'Nothing was changed on this path. Check that the ID in it is that of a record, then send this path again.',
};

/** What one report says of its path. */
function pathOutcomeOf(
	report: JsonObject,
	statusField: string,
	answer: BulkAnswer,
	path: string,
): PathOutcome {
	const sent = report[statusField];
	const status = typeof sent === 'number' && Number.isInteger(sent) ? sent : undefined;
	const verdict = judgeReport({ status, saysNo: saysNo(report) });
	if (status === undefined) return unreportedPath(answer, path);
	if (verdict === 'notModified') return verdict;
	if (verdict === 'success') return report as IDataObject;
	if (status >= 200 && status < 300) {
		const message = saysNo(report)
			? `The service reported status ${status} on the path "${path}", but says that it failed: ${shortened(JSON.stringify(report))}`
			: `The service accepted the path "${path}", but has not carried it out yet (status ${status})`;
		return pathInDoubt(answer, path, message);
	}
	const evidence = { maybeSent: true, status };
	const outcome = verdict === 'asRequest' ? outcomeOf('PATCH', evidence) : verdict;
	const isRefused = outcome === 'refused';
	return new Failure(
		`The service ${isRefused ? 'refused' : 'answered'} the path "${path}" with status ${status}`,
		outcome,
		{
			status,
			tries: answer.tries,
			path,
			retryable: isRefused && isRetryable('PATCH', evidence),
			advice: isRefused ? adviceByPathStatus[status] : adviceLookUp,
		},
	);
}

const isPathSuccess = (outcome: PathOutcome): boolean =>
	outcome !== 'notModified' && !isFailure(outcome);

/** @returns a number that is higher the worse the outcome is */
function severity(outcome: PathOutcome): number {
	if (outcome === 'notModified') return 0;
	if (!isFailure(outcome)) return 1;
	if (outcome.outcome !== 'refused') return 4;
	return outcome.details.retryable ? 2 : 3;
}

/**
 * The outcome of a path on which several reports came: the worst of them, since nothing tells which report belongs
 * to which item. A refusal beside a success leaves open whose patch was made, so that the path is in doubt.
 * @param outcomes at least one
 */
function worstOf(outcomes: readonly PathOutcome[], answer: BulkAnswer, path: string): PathOutcome {
	const worst = outcomes.reduce((worstYet, outcome) =>
		severity(outcome) > severity(worstYet) ? outcome : worstYet,
	);
	const isRefused = worst !== 'notModified' && isFailure(worst) && worst.outcome === 'refused';
	if (!isRefused || !outcomes.some(isPathSuccess)) return worst;
	return pathInDoubt(answer, path, `The service both accepted and refused the path "${path}"`);
}

/**
 * @param reports the entries of the answer
 * @param paths the paths that were sent. A path that several items sent is in it as often, since the interface
 * promises a report for each: if fewer come, the path is in doubt.
 * @returns the outcome of each path, and the number of paths that were reported on but not sent
 */
export function pathOutcomes(
	reports: readonly unknown[],
	paths: readonly string[],
	statusField: string,
	answer: BulkAnswer,
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
		const reported = (reportsByPath.get(path) ?? []).map((report) =>
			pathOutcomeOf(report, statusField, answer, path),
		);
		if (reported.length < times) reported.push(unreportedPath(answer, path));
		outcomes.set(path, worstOf(reported, answer, path));
	}
	return { outcomes, unsentPaths: unsentPaths.size };
}
