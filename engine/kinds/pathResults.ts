// The outcome of a path of a bulk patch, from the reports on it in the service's response.
import type { IDataObject } from 'n8n-workflow';

import { evidenceOfPath } from '../answer/bodyEvidence';
import type { Answer } from '../answer/evidence';
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
	const said = reports.length > 0 ? JSON.stringify(reports) : 'nothing';
	const message =
		outcome === 'refused'
			? `The service refused the path "${path}" with status ${status}`
			: `It is unclear what became of the path "${path}": the service reported ${said}`;
	return new Failure(message, outcome, {
		code: codeOf(evidence),
		status: status ?? ofAll,
		tries,
		path,
		retryable: isRetryable(evidence),
		advice: adviceByStatus[status ?? 0],
	});
}
