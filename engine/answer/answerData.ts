// Takes the data out of the service's response, or throws the failure that says why there is none. What a response has to
// hold is described by the kinds of operations; judge.ts judges what came.
import { isDocumented } from '../area';
import { getIgnoringCase, holdsLostDigits, isWebPage, parseJsonBesideText } from '../http/json';
import { failureReportedIn } from './bodyEvidence';
import { is, type Answer, type Evidence, type PathReports } from './evidence';
import { isStandIn, judge, outcomeOf, type StandIn } from './judge';
import { deviationHints, Normalizer } from './normalize';
import { failureOf } from './words';

/**
 * What a response has to hold so that none of its values is read as another one, and so that it is about the whole file:
 * PHP drops one that is larger than its limit, and the program goes on without it.
 * @returns undefined when it does
 */
function expectedFirstOf(evidence: Evidence, body: unknown): string | undefined {
	const { isNotUtf8, operation, sentBytes } = evidence;
	if (isNotUtf8) return 'text in UTF-8';
	const size = 'sizeField' in operation && getIgnoringCase(body, operation.sizeField);
	if (sentBytes !== undefined && /^\d+$/.test(String(size)) && Number(size) !== sentBytes)
		return `a file of ${sentBytes} bytes, as was sent, not ${String(size)}`;
	const numbers = `numbers up to ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
	return holdsLostDigits(body) ? numbers : undefined;
}

/**
 * Adds what the body of a success shows, unless that has been done: its data, if it holds them, in what they differ from
 * the API spec, and what makes them doubtful.
 */
export function withContent<Shown extends Evidence>(shown: Shown): Shown {
	const { content, text: sent = '', cut } = shown;
	if (shown.deviations || !is.success(shown)) return shown;
	const { body, otherText } = cut || isWebPage(sent) ? {} : parseJsonBesideText(sent);
	const reportedFailure = failureReportedIn(body, shown, otherText);
	const normalizer = new Normalizer();
	const expectedFirst = expectedFirstOf(shown, body);
	const data = reportedFailure || expectedFirst ? undefined : content.find(body, normalizer, shown);
	const expected = expectedFirst ?? content.name;
	const { deviations } = normalizer;
	return { ...shown, data, deviations, reportedFailure, expected, otherText };
}

const notFoundHint =
	"Items with 'notFound': the first try may have removed the record, or the ID is wrong. Check the IDs.";

/**
 * Takes the data out of a response: the record, its ID, the reports on the paths of a bulk patch, or a page of a list; or
 * what stands for them.
 * @param hint is given a sentence for each deviation
 * @throws Failure when the response does not prove a success
 */
export function dataOf<Data>(answer: Answer, hint: (message: string) => void): Data | StandIn {
	const judged = withContent(answer);
	const { came, outcome } = judge(judged);
	if (outcome !== 'sent') throw failureOf(judged);
	if (came === 'notFound') hint(notFoundHint);
	if (isStandIn(came)) return came;
	const { operation, status, otherText, data } = judged;
	const deviations = new Set(judged.deviations);
	// That there are no rows may be what the status says.
	const { successStatus = status } = operation;
	if (status !== successStatus && !deviations.has('noRows')) deviations.add('otherForm');
	if (otherText !== undefined) deviations.add('otherText');
	if (!isDocumented(operation)) deviations.delete('otherForm');
	for (const deviation of deviations) hint(deviationHints[deviation]);
	return data as Data;
}

/**
 * Whether a response leaves open what was done of a write, whatever an earlier try of it has left, and not for a fault of
 * that request alone, as a 500 may. A bulk patch is open if each path that it reports on is, or it reports on none.
 */
export function leavesOpen(evidence: Evidence): boolean {
	const { content, data } = evidence;
	const isOfPaths = content.expected === 'reports' && data !== undefined;
	const parts = isOfPaths ? [...(data as PathReports).values()] : [evidence];
	return (
		!is.read(evidence) &&
		parts.every(
			(part) => part.status !== 500 && outcomeOf({ ...part, inDoubt: false }) === 'inDoubt',
		)
	);
}
