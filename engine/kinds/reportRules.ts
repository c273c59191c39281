// What became of a path of a bulk patch, by the reports on it in the service's response.
import type { IDataObject } from 'n8n-workflow';

import { reportsFailure } from '../answer/bodyEvidence';
import { Failure, type Outcome } from '../failure';
import { truncate, type JsonObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import { isRetryable, outcomeOf } from '../send/retryPolicy';
import type { Answer } from '../send/try';

/** What the service reports on one path. */
interface PathReport {
	path: string;
	report: JsonObject;
	status: number;
}

interface ReportRule {
	/** What the report says, in the words of the table in docs/design.md. */
	when: string;
	matches: (sent: PathReport) => boolean;
	/** Undefined where it is that of a request with the same status. */
	verdict?: 'success' | 'notModified' | Outcome;
	/** Of a failure about which more is to be said than its status. */
	message?: (sent: PathReport) => string;
}

const isSuccess = ({ status }: PathReport): boolean => status >= 200 && status <= 299;

/** The first rule that matches decides what one report means. */
export const reportRules: readonly ReportRule[] = [
	{
		when: 'No report, or one whose status is not a whole number',
		matches: ({ status }) => !Number.isInteger(status),
		verdict: 'unknown',
		message: ({ path }) =>
			`The service accepted the request but reported no status for the path "${path}"`,
	},
	{ when: '304', matches: ({ status }) => status === 304, verdict: 'notModified' },
	{
		when: '2xx, but the report says it failed',
		matches: (sent) => isSuccess(sent) && reportsFailure(sent.report),
		verdict: 'unknown',
		message: ({ path, status, report }) =>
			`The service reported status ${status} on the path "${path}", but also a failure: ${truncate(JSON.stringify(report))}`,
	},
	{
		when: '202',
		matches: ({ status }) => status === 202,
		verdict: 'unknown',
		message: ({ path }) =>
			`The service accepted the path "${path}", but has not carried it out yet (status 202)`,
	},
	{ when: 'Any other 2xx', matches: isSuccess, verdict: 'success' },
	{ when: 'Any other status', matches: () => true },
];

/** Where an ID or a value is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByPathStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then resend this path.',
	404: "Nothing was changed on this path. Check that the path is complete and ends with a record's ID (not its number on paper), then resend this path.",
};

/** What one report makes of its path: a result or failure; undefined when the record was not modified. */
function resultOf(sent: PathReport, answer: Answer): Result | undefined {
	const { path, report, status } = sent;
	const { verdict, message } = reportRules.find(({ matches }) => matches(sent))!;
	if (verdict === 'notModified') return undefined;
	if (verdict === 'success') return report as IDataObject;
	const evidence = { method: 'PATCH', maybeSent: true, status } as const;
	const outcome = verdict ?? outcomeOf(evidence);
	const did = outcome === 'refused' ? 'refused' : 'answered';
	const words = message?.(sent) ?? `The service ${did} the path "${path}" with status ${status}`;
	return new Failure(words, outcome, {
		status: Number.isInteger(status) ? status : answer.status,
		tries: answer.tries,
		path,
		// The token was accepted with the request, so that a 401 is about the path.
		code: status === 401 ? 'refused' : undefined,
		retryable: status !== 401 && isRetryable(evidence),
		advice: adviceByPathStatus[status],
	});
}

/**
 * What became of a path: its result or failure; undefined when its record was not modified (304).
 * @param reports all on this path; where they contradict each other, nothing tells which of them is right
 * @param answer to the whole request
 */
export function outcomeOfPath(
	path: string,
	reports: readonly JsonObject[],
	statusField: string,
	answer: Answer,
): Result | undefined {
	const given = reports.length > 0 ? reports : [{}];
	const results = given.map((report) =>
		resultOf({ path, report, status: report[statusField] as number }, answer),
	);
	const outcomes = results.map((result) =>
		result && isFailure(result) ? result.outcome : typeof result,
	);
	if (new Set(outcomes).size === 1) return results[0];
	const statuses = reports
		.map(({ [statusField]: status }) => JSON.stringify(status ?? null))
		.join(', ');
	const words = `The service gave contradictory reports on the path "${path}": ${truncate(statuses)}`;
	return new Failure(words, 'unknown', { status: answer.status, tries: answer.tries, path });
}
