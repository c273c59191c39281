// Extracts the data from the service's response, or throws the failure that explains why it has none. The kinds of
// operations describe what a response must hold; judge.ts judges it.
import { isDocumented } from '../area';
import { getIgnoringCase, holdsLostDigits, isWebPage, parseJsonBesideText } from '../http/json';
import { failureReportedIn } from './bodyEvidence';
import { is, type Evidence, type ServiceResponse } from './evidence';
import { isStandIn, judge, type FinalResponse, type Judged } from './judge';
import { deviationHints, Normalizer } from './normalize';
import { failureOf } from './responseFailure';

/**
 * Whether the size in a response may be that of a file with this many bytes. The API spec names no unit: it may be kB
 * or KiB, rounded either way, or include more than the file, such as its Base64 encoding or the whole request.
 */
const mayBeSizeOf = (size: number, bytes: number): boolean =>
	size >= bytes || (size > 0 && [1000, 1024].some((unit) => Math.abs(size - bytes / unit) < 1));

/**
 * What a response should hold instead, if one of its values may be misread or the service may not have the whole file:
 * PHP drops a file larger than its limit and runs the program without it
 * (https://www.php.net/manual/en/features.file-upload.errors.php).
 * @returns undefined if neither is the case
 */
function unmetExpectation(response: ServiceResponse, body: unknown, otherText = '') {
	const { isNotUtf8, operation, sentBytes } = response;
	if (isNotUtf8) return 'text in UTF-8';
	const size = String('sizeField' in operation && getIgnoringCase(body, operation.sizeField!));
	const isKnown = /^\d+$/.test(size);
	const isWhole = isKnown ? mayBeSizeOf(Number(size), sentBytes!) : !is.tooLarge(otherText);
	if (sentBytes !== undefined && !isWhole) return `a file of ${sentBytes} bytes, as was sent`;
	const numbers = `numbers up to ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
	return holdsLostDigits(body) ? numbers : undefined;
}

/** The findings in the body of a success: its data and how they differ from the API spec, or a failure. */
function findIn(response: ServiceResponse) {
	const { content, text, cut } = response;
	const { body, otherText } = cut || isWebPage(text) ? {} : parseJsonBesideText(text);
	const reportedFailure = failureReportedIn(body, response, otherText);
	const normalizer = new Normalizer();
	const unmet = unmetExpectation(response, body, otherText);
	const data = (reportedFailure ?? unmet) ? undefined : content.find(body, normalizer, response);
	const expected = unmet ?? content.name;
	return { data, deviations: normalizer.deviations, reportedFailure, expected, otherText };
}

/** Parses the body of a success, and judges the try. */
export function judgedTry<Seen extends Evidence>(seen: Seen): Judged<Seen> {
	const found = is.success(seen as ServiceResponse) ? findIn(seen as ServiceResponse) : undefined;
	const parsed = { ...seen, found };
	return { ...parsed, verdict: judge(parsed) };
}

const notFoundHint =
	"Items with 'notFound': the first try may have removed the record, or the ID is wrong. Check the IDs.";

/**
 * Extracts the data from a response: the record, its ID, the reports on the paths of a bulk patch, or a page of a list;
 * or the name of the case, if that stands in for data.
 * @param hint called with a sentence for each deviation
 * @throws Failure if the response does not prove a success
 */
export function dataOf<Data>(response: FinalResponse, hint: (message: string) => void) {
	const { caseName, outcome } = response.verdict;
	if (outcome !== 'sent') throw failureOf(response);
	if (caseName === 'notFound') hint(notFoundHint);
	if (isStandIn(caseName)) return caseName;
	const { operation, status, found = {} } = response;
	const deviations = new Set(found.deviations);
	// If the list has no rows, that may be why the status differs.
	const { successStatus = status } = operation;
	if (status !== successStatus && !deviations.has('noRows')) deviations.add('otherForm');
	if (found.otherText !== undefined) deviations.add('otherText');
	if (!isDocumented(operation)) deviations.delete('otherForm');
	for (const deviation of deviations) hint(deviationHints[deviation]);
	return found.data as Data;
}
