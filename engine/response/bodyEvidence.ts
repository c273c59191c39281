// Judges the body of a response: what in it proves that the service did what was asked, and what proves that it did not.
// Anything else is no proof.
import { integer, isDocumented, type ReturnedField } from '../area';
import { getIgnoringCase, holds, isObject, type JsonObject } from '../http/json';
import { expectedOf, type Found, type ServiceResponse } from './evidence';

/** Texts that programs write in place of an ID: zeros, as in an empty GUID, a number below 0, or a word. */
const placeholderId =
	/^(?:(?:0|[^\p{L}\p{N}])*|-\d.*|null|nil|none|undefined|nan|false|true|array|\[object \w+\])$/iu;

/**
 * Whether the value of the returned field proves a success. A number may come as text, and a text of digits as a
 * number.
 */
export function isProof(value: unknown, { type }: ReturnedField): boolean {
	if (type === 'group') return isObject(value) && Object.keys(value).length > 0;
	if (typeof value !== 'string') return Number.isSafeInteger(value) && Number(value) > 0;
	return type === 'text' ? !placeholderId.test(value.trim()) : /^[1-9]\d*$/.test(value);
}

/** Whether a value is more than null, false, 0, blank text, and lists and objects of nothing else. */
const hasContent = (value: unknown): boolean =>
	holds(value, (one) => Boolean(typeof one === 'string' ? one.trim() : one));

/** Whether a value is a number or text that fits a pattern. */
const fits = (value: unknown, pattern: RegExp): boolean =>
	(typeof value === 'string' || typeof value === 'number') && pattern.test(`${value}`);

/** Whether a value of `success` says so. */
export const isYes = (value: unknown): boolean => value === true || fits(value, /^(?:1|true)$/);

/** Whether a value of `success` says that there is none. Any other, such as the number of successes, says nothing. */
const isNo = (value: unknown): boolean =>
	value === false || value === null || fits(value, /^(?:0|false|null)$/i);

/** An HTTP status from 400 up, or a word for a failure, as JSend has it. */
const failedStatus = /^(?:[45]\d\d|error|fail(?:ed|ure)?)$/i;

/** Whether a field reports a failure, by its name in lowercase. */
const failureFlags = new Map<string, (value: unknown) => boolean>([
	['success', isNo],
	['errors', hasContent],
	['error', hasContent],
	['status', (value) => fits(value, failedStatus)],
	['statuscode', (value) => fits(value, failedStatus)],
	['ok', (value) => value === false],
]);

/** The names that bodies about a failure have beside those: in the API spec, problem details and JSend. */
const otherErrorWords = /^(?:error_description|message|detail|title|code|type|instance|data)$/;

/**
 * Whether a body says that the request failed, whatever the status of its response. The error bodies of the API spec
 * have `errors`, `error`, or `success` false; the case of these names does not count. The other names are usual elsewhere:
 * problem details (RFC 9457), JSend.
 */
export const reportsFailure = (body: JsonObject): boolean =>
	Object.keys(body).some((name) => failureFlags.get(name.toLowerCase())?.(body[name]));

/**
 * Whether a body of unknown shape says that the request failed. A record may have a status or errors of its own, so
 * these count only in a body that has nothing but words of errors.
 * @param ownField the name of its ID or its list, which is no such word
 */
function isErrorBody(body: JsonObject, ownField = ''): boolean {
	const names = Object.keys(body).map((name) => name.toLowerCase());
	const hasOnlyWords = names.every(
		(name) =>
			name !== ownField.toLowerCase() && (failureFlags.has(name) || otherErrorWords.test(name)),
	);
	return reportsFailure(hasOnlyWords ? body : { success: getIgnoringCase(body, 'success') });
}

/** Of a body that the API spec does not show: its fields without the status that it may have itself as a record with an ID. */
function withoutOwnStatus(body: JsonObject): JsonObject {
	const fields = Object.entries(body);
	const isRecord = fields.some(([name, id]) => /id$/i.test(name) && isProof(id, integer('')));
	return Object.fromEntries(fields.filter(([name]) => !isRecord || !/^status$/i.test(name)));
}

/**
 * Whether a body is definitely a refusal, so that nothing was changed: the error body that the API spec lists for 400 or
 * 403, or typed errors, with a message in it and no other fields. A body that also names a record, or says only that
 * something failed, leaves open how far the service got.
 */
function isDefiniteRefusal({ success = false, errors, ...otherFields }: JsonObject): boolean {
	if (success !== false || Object.keys(otherFields).length > 0) return false;
	const isTyped = (error: unknown) =>
		isObject(error) && Object.keys(error).sort().join() === 'message,type';
	if (hasContent(errors) && [errors].flat().every(isTyped)) return true;
	if (!isObject(errors)) return false;
	const { validationErrors = [], permissionErrors = [], ...otherErrors } = errors;
	const lists = [validationErrors, permissionErrors];
	return (
		Object.keys(otherErrors).length === 0 &&
		lists.every((list) => Array.isArray(list)) &&
		lists.some(hasContent)
	);
}

/**
 * Whether a body says that the request failed, itself or in 'data' or 'result', in which some services put their reports.
 * @param otherText the text next to the JSON: a program that writes it may have got anywhere
 */
export function failureReportedIn(
	body: unknown,
	response: ServiceResponse,
	otherText?: string,
): Found['reportedFailure'] {
	const { operation, content } = response;
	const parts = [body, getIgnoringCase(body, 'data'), getIgnoringCase(body, 'result')];
	const isReported = (part: JsonObject) =>
		isDocumented(operation)
			? reportsFailure(content.expected === 'nothing' ? withoutOwnStatus(part) : part)
			: isErrorBody(part, content.field);
	const isFailure = (part: unknown) =>
		isObject(part) ? isReported(part) : expectedOf(response) === 'nothing' && part === false;
	if (!parts.some(isFailure)) return undefined;
	return isObject(body) && otherText === undefined && isDefiniteRefusal(body)
		? 'definitely'
		: 'maybe';
}
