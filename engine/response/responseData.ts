// Takes the data out of the service's response, or throws the failure that says why there is none. What a response has to
// hold is described by the kinds of operations; judge.ts judges what came.
import { isDocumented } from '../area';
import { getIgnoringCase, holdsLostDigits, isWebPage, parseJsonBesideText } from '../http/json';
import { failureReportedIn } from './bodyEvidence';
import {
	is,
	type FinalResponse,
	type Evidence,
	type PathReports,
	type ServiceResponse,
} from './evidence';
import { isStandIn, judge, type StandIn } from './judge';
import { deviationHints, Normalizer } from './normalize';
import { failureOf } from './words';

/**
 * Whether a size that the service gives may be that of a file of so many bytes. The API spec names no unit: it may be kB or
 * KiB, rounded either way, or the size of more than the file, such as its Base64 or the whole request.
 */
const isSizeOf = (size: number, bytes: number): boolean =>
	size >= bytes || (size > 0 && [1000, 1024].some((unit) => Math.abs(size - bytes / unit) < 1));

/**
 * What a response has to hold so that none of its values is read as another one, and so that it is about the whole file:
 * PHP drops one that is larger than its limit, and the program goes on without it.
 * @returns undefined when it does
 */
function expectedFirstOf(response: ServiceResponse, body: unknown): string | undefined {
	const { isNotUtf8, operation, sentBytes } = response;
	if (isNotUtf8) return 'text in UTF-8';
	const size = 'sizeField' in operation && getIgnoringCase(body, operation.sizeField);
	if (sentBytes !== undefined && /^\d+$/.test(String(size)) && !isSizeOf(Number(size), sentBytes))
		return `a file of ${sentBytes} bytes, as was sent, not ${String(size)}`;
	const numbers = `numbers up to ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
	return holdsLostDigits(body) ? numbers : undefined;
}

/** What the body of a success shows: its data, if it holds them, in what they differ from the API spec, or a failure. */
function findIn(response: ServiceResponse) {
	const { content, text, cut } = response;
	const { body, otherText } = cut || isWebPage(text) ? {} : parseJsonBesideText(text);
	const reportedFailure = failureReportedIn(body, response, otherText);
	const normalizer = new Normalizer();
	const expectedFirst = expectedFirstOf(response, body);
	const isDoubtful = reportedFailure ?? expectedFirst;
	const data = isDoubtful ? undefined : content.find(body, normalizer, response);
	const expected = expectedFirst ?? content.name;
	return { data, deviations: normalizer.deviations, reportedFailure, expected, otherText };
}

/** Adds what the body of a success shows, unless that has been done. */
export const withParsedBody = <Shown extends Evidence>(shown: Shown): Shown =>
	shown.status === undefined || shown.found || !is.success(shown)
		? shown
		: { ...shown, found: findIn(shown) };

const notFoundHint =
	"Items with 'notFound': the first try may have removed the record, or the ID is wrong. Check the IDs.";

/**
 * Takes the data out of a response: the record, its ID, the reports on the paths of a bulk patch, or a page of a list; or
 * what stands for them.
 * @param hint is given a sentence for each deviation
 * @throws Failure when the response does not prove a success
 */
export function dataOf<Data>(
	response: FinalResponse,
	hint: (message: string) => void,
): Data | StandIn {
	const judged = withParsedBody(response);
	const { came, outcome } = judge(judged);
	if (outcome !== 'sent') throw failureOf(judged);
	if (came === 'notFound') hint(notFoundHint);
	if (isStandIn(came)) return came;
	const { operation, status, found = {} } = judged;
	const deviations = new Set(found.deviations);
	// That there are no rows may be what the status says.
	const { successStatus = status } = operation;
	if (status !== successStatus && !deviations.has('noRows')) deviations.add('otherForm');
	if (found.otherText !== undefined) deviations.add('otherText');
	if (!isDocumented(operation)) deviations.delete('otherForm');
	for (const deviation of deviations) hint(deviationHints[deviation]);
	return found.data as Data;
}

/**
 * Whether a response leaves open what was done of a write, whatever an earlier try of it has left, and not for a fault of
 * that request alone, as a 500 may. A bulk patch is open if each path that it reports on is, or it reports on none.
 */
export function leavesInDoubt(evidence: Evidence): boolean {
	const { content, found } = evidence;
	const reports =
		content.expected === 'reports' ? (found?.data as PathReports | undefined) : undefined;
	const isOpen = (part: Evidence) =>
		part.status !== 500 && judge({ ...part, inDoubt: false }).outcome === 'inDoubt';
	return !is.read(evidence) && [...(reports?.values() ?? [evidence])].every(isOpen);
}
