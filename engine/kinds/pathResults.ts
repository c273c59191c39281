// The outcome of a path of a bulk patch, from the reports on it in the service's response.
import type { IDataObject } from 'n8n-workflow';

import { evidenceOfPath } from '../answer/bodyEvidence';
import type { Answer, Evidence } from '../answer/evidence';
import { codeOf, isRetryable, judge } from '../answer/judge';
import type { StandIn } from '../answer/rules';
import { Failure } from '../failure';
import type { JsonObject } from '../http/json';

/** A report on a path, or what stands for it; or why there is none that shows a success. */
type PathResult = IDataObject | StandIn | Failure;

/** Where an ID, a value or a version is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then resend this path.',
	404: "Nothing was changed on this path. Check that it is complete and has the record's ID in the service (not its number on paper), then resend it.",
	409: 'Nothing was changed on this path. If a version was given, it is out of date: resend the path with the current one.',
};

function messageOf(evidence: Evidence, did: string, reports: readonly JsonObject[]): string {
	const { path, status, reportedFailure } = evidence;
	const said = JSON.stringify(reports);
	if (status === undefined)
		return reports.length > 1
			? `The service gave contradictory reports on the path "${path}": ${said}`
			: `The service accepted the request but reported no status for the path "${path}"`;
	if (reportedFailure)
		return `The service reported status ${status} on the path "${path}", but also a failure: ${said}`;
	return status === 202
		? `The service accepted the path "${path}", but has not carried it out yet (status 202)`
		: `The service ${did} the path "${path}" with status ${status}`;
}

/**
 * Judges what is reported on a path.
 * @param reports all on this path
 * @param answer to the whole request
 */
export function resultOfPath(
	path: string,
	reports: readonly JsonObject[],
	{ operation, tries, status: ofAll }: Answer,
): PathResult {
	const evidence = evidenceOfPath(operation, path, reports);
	const { status } = evidence;
	const { outcome, rule } = judge(evidence);
	if (outcome === 'sent') return rule.standIn ?? (reports[0] as IDataObject);
	const did = outcome === 'refused' ? 'refused' : 'answered';
	return new Failure(messageOf(evidence, did, reports), outcome, {
		code: codeOf(evidence),
		status: status ?? ofAll,
		tries,
		path,
		retryable: isRetryable(evidence),
		advice: adviceByStatus[status ?? 0],
	});
}
