// What became of a path of a bulk patch, by the reports on it in the service's answer.
import type { IDataObject } from 'n8n-workflow';

import { reportsFailure } from '../answer/bodyEvidence';
import { Failure, type Outcome } from '../failure';
import { truncate, type JsonObject } from '../http/json';
import type { Result } from '../items/results';
import { isRetryable } from '../send/retryPolicy';
import type { Answer } from '../send/exchange';

interface PathReport {
	path: string;
	/** Undefined when there is no report, or its status is no whole number. */
	status?: number;
	/** What the service sent of the path, if it sent anything. */
	report?: JsonObject;
}

interface ReportRule {
	/** What the report says, in the words of the table in docs/design.md. */
	when: string;
	matches: (report: PathReport) => boolean;
	verdict: 'success' | 'notModified' | Outcome;
	/** Of a failure. */
	message?: (report: PathReport) => string;
}

const isStatusIn =
	(hundred: number) =>
	({ status = 0 }: PathReport): boolean =>
		Math.floor(status / 100) === hundred;

/** The first rule that matches decides. */
export const reportRules: readonly ReportRule[] = [
	{
		when: 'No report, or one whose status is no whole number',
		matches: ({ status }) => status === undefined,
		verdict: 'unknown',
		message: ({ path }) =>
			`The service accepted the request, but its answer does not say what became of the path "${path}"`,
	},
	{ when: '304', matches: ({ status }) => status === 304, verdict: 'notModified' },
	{
		when: '2xx, but the report says that it failed',
		matches: (sent) => isStatusIn(2)(sent) && reportsFailure(sent.report!),
		verdict: 'unknown',
		message: ({ path, status, report }) =>
			`The service reported status ${status} on the path "${path}", but says that it failed: ${truncate(JSON.stringify(report))}`,
	},
	{
		when: '202',
		matches: ({ status }) => status === 202,
		verdict: 'unknown',
		message: ({ path, status }) =>
			`The service accepted the path "${path}", but has not carried it out yet (status ${status})`,
	},
	{ when: 'Any other 2xx', matches: isStatusIn(2), verdict: 'success' },
	{
		when: '4xx, except 408',
		matches: (sent) => isStatusIn(4)(sent) && sent.status !== 408,
		verdict: 'refused',
		message: ({ path, status }) => `The service refused the path "${path}" with status ${status}`,
	},
	{
		when: 'Any other status',
		matches: () => true,
		verdict: 'unknown',
		message: ({ path, status }) => `The service answered the path "${path}" with status ${status}`,
	},
];

/** Where an ID or a value is at fault; of any other refusal the error item says what became of the other paths. */
const adviceByPathStatus: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then send this path again.',
	404: 'Nothing was changed on this path. Check that the path is complete and that its ID is that of a record, then send this path again.',
};

/** The rule that decides about a report. */
const reportRuleFor = (report: PathReport): ReportRule =>
	reportRules.find(({ matches }) => matches(report))!;

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
	{ status: answerStatus, tries }: Answer,
): Result | undefined {
	const sent = reports.map((report): PathReport => {
		const status = Number.isInteger(report[statusField]) ? Number(report[statusField]) : undefined;
		return { path, status, report };
	});
	const first = sent.length < timesSent ? { path } : sent[0]!;
	const { verdict, message } = reportRuleFor(first);
	const details = { status: answerStatus, tries, path };
	if (first === sent[0] && sent.some((other) => reportRuleFor(other).verdict !== verdict)) {
		const contradiction = `The service reported different outcomes of the path "${path}"`;
		return new Failure(contradiction, 'unknown', details);
	}
	if (verdict === 'notModified') return undefined;
	if (verdict === 'success') return first.report as IDataObject;
	const { status = answerStatus } = first;
	const retryable = verdict === 'refused' && isRetryable('PATCH', { maybeSent: true, status });
	const advice = adviceByPathStatus[status];
	return new Failure(message!(first), verdict, { ...details, status, retryable, advice });
}
