// What became of a path of a bulk patch, by the reports on it in the service's answer.
import type { IDataObject } from 'n8n-workflow';

import { reportsFailure } from '../answer/bodyEvidence';
import { Failure, type Outcome } from '../failure';
import { truncate, type JsonObject } from '../http/json';
import type { Result } from '../items/results';
import { isRetryable } from '../send/retryPolicy';
import type { Answer } from '../send/exchange';

/** What the service reports on one path, which several items may name. */
interface PathReports {
	path: string;
	reports: readonly JsonObject[];
	/** Of each report; none when there are fewer reports than the path was sent. */
	statuses: readonly number[];
}

interface ReportRule {
	/** What the reports say, in the words of the table in docs/design.md. */
	when: string;
	matches: (sent: PathReports) => boolean;
	verdict: 'success' | 'notModified' | Outcome;
	/** Of a failure about which more is to be said than its status. */
	message?: (sent: PathReports) => string;
}

const areAll =
	(low: number, high: number) =>
	({ statuses }: PathReports): boolean =>
		statuses.every((status) => status >= low && status <= high);

const areSuccesses = areAll(200, 299);

/** The first rule that matches decides. Reports that contradict each other match none but the last. */
export const reportRules: readonly ReportRule[] = [
	{
		when: 'No report, or one whose status is no whole number',
		matches: ({ statuses }) => statuses.length === 0 || !statuses.every(Number.isInteger),
		verdict: 'unknown',
		message: ({ path }) =>
			`The service accepted the request, but its answer does not say what became of the path "${path}"`,
	},
	{ when: '304', matches: areAll(304, 304), verdict: 'notModified' },
	{
		when: '2xx, but the report says that it failed',
		matches: (sent) => areSuccesses(sent) && sent.reports.some(reportsFailure),
		verdict: 'unknown',
		message: ({ path, statuses, reports }) =>
			`The service reported status ${statuses[0]} on the path "${path}", but says that it failed: ${truncate(JSON.stringify(reports.find(reportsFailure)))}`,
	},
	{
		when: '202',
		matches: (sent) => areSuccesses(sent) && sent.statuses.includes(202),
		verdict: 'unknown',
		message: ({ path }) =>
			`The service accepted the path "${path}", but has not carried it out yet (status 202)`,
	},
	{ when: 'Any other 2xx', matches: areSuccesses, verdict: 'success' },
	{
		when: '4xx, except 408',
		matches: (sent) => areAll(400, 499)(sent) && !sent.statuses.includes(408),
		verdict: 'refused',
	},
	{
		when: 'Any other status, or reports that contradict each other',
		matches: () => true,
		verdict: 'unknown',
	},
];

/** Where an ID or a value is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByPathStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then send this path again.',
	404: 'Nothing was changed on this path. Check that the path is complete and that its ID is that of a record, then send this path again.',
};

/**
 * What became of a path: its result or failure; undefined when its record was not modified (304).
 * @param timesSent how many items named the path. The interface promises a report for each: if fewer come, or they
 * contradict each other, the path is in doubt, since nothing tells which report is about which item.
 * @param answer to the whole request
 */
export function outcomeOfPath(
	path: string,
	timesSent: number,
	reports: readonly JsonObject[],
	statusField: string,
	answer: Answer,
): Result | undefined {
	const areEnough = reports.length >= timesSent;
	const statuses = areEnough ? reports.map((report) => report[statusField] as number) : [];
	const sent = { path, reports, statuses };
	const { verdict, message } = reportRules.find(({ matches }) => matches(sent))!;
	if (verdict === 'notModified') return undefined;
	if (verdict === 'success') return reports[0] as IDataObject;
	const different = [...new Set(statuses)];
	// Where reports contradict each other, no status of theirs is that of the path.
	const isKnown =
		verdict === 'refused' || (different.length === 1 && Number.isInteger(different[0]));
	const status = isKnown ? different[0]! : answer.status;
	const refused = verdict === 'refused' && {
		retryable: statuses.every((one) =>
			isRetryable({ method: 'PATCH', maybeSent: true, status: one }),
		),
		advice: adviceByPathStatus[status],
	};
	const did = `${refused ? 'refused' : 'answered'} the path "${path}"`;
	const words = `The service ${did} with status ${different.join(' and ')}`;
	const details = { status, tries: answer.tries, path, ...refused };
	return new Failure(message?.(sent) ?? words, verdict, details);
}
