// What became of a path of a bulk patch, by the reports on it in the service's response.
import type { IDataObject } from 'n8n-workflow';

import { reportsFailure } from '../answer/bodyEvidence';
import type { Answer, Evidence } from '../answer/evidence';
import { codeOf, isRetryable, judge } from '../answer/judge';
import { isSuccess, type StandIn } from '../answer/rules';
import { Failure } from '../failure';
import type { JsonObject } from '../http/json';

/** A report on a path, or what stands for it; or why there is none that shows a success. */
type PathResult = IDataObject | StandIn | Failure;

/** Where an ID or a value is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then resend this path.',
	404: "Nothing was changed on this path. Check that the path is complete and ends with a record's ID (not its number on paper), then resend this path.",
};

function wordsOf({ path, status, reportedFailure }: Evidence, did: string, report: JsonObject) {
	if (status === undefined)
		return `The service accepted the request but reported no status for the path "${path}"`;
	if (reportedFailure)
		return `The service reported status ${status} on the path "${path}", but also a failure: ${JSON.stringify(report)}`;
	return status === 202
		? `The service accepted the path "${path}", but has not carried it out yet (status 202)`
		: `The service ${did} the path "${path}" with status ${status}`;
}

/** Judges one report, as the response to a PATCH of its path alone. */
function judgeReport(
	path: string,
	report: JsonObject,
	given: unknown,
	{ operation, tries, status: ofAll }: Answer,
): PathResult {
	const status = Number.isInteger(given) ? Number(given) : undefined;
	const evidence: Evidence = {
		operation,
		method: 'PATCH',
		maybeSent: true,
		path,
		status,
		found: '',
		reportedFailure: isSuccess({ status }) && reportsFailure(report) ? 'maybe' : undefined,
	};
	const { outcome, rule } = judge(evidence);
	if (outcome === 'sent') return rule.standIn ?? (report as IDataObject);
	const did = outcome === 'refused' ? 'refused' : 'answered';
	return new Failure(wordsOf(evidence, did, report), outcome, {
		code: codeOf(evidence),
		status: status ?? ofAll,
		tries,
		path,
		retryable: isRetryable(evidence),
		advice: adviceByStatus[status ?? 0],
	});
}

/**
 * What became of a path.
 * @param reports all on this path; where they contradict each other, nothing tells which of them is right
 * @param answer to the whole request
 */
export function resultOfPath(
	path: string,
	reports: readonly JsonObject[],
	statusField: string,
	answer: Answer,
): PathResult {
	const given = reports.length > 0 ? reports : [{}];
	const results = given.map((report) => judgeReport(path, report, report[statusField], answer));
	const outcomes = results.map((result) =>
		result instanceof Failure ? result.outcome : typeof result,
	);
	if (new Set(outcomes).size === 1) return results[0]!;
	const { status, tries } = answer;
	const statuses = reports.map((report) => JSON.stringify(report[statusField] ?? null)).join(', ');
	const words = `The service gave contradictory reports on the path "${path}": ${statuses}`;
	return new Failure(words, 'inDoubt', { code: 'unreadableAnswer', status, tries, path });
}
