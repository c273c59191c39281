// Judges the body of a response: what proves that the service did what was asked, and what proves that it did not.
// Nothing else counts as proof.
import { isDocumented, type ReturnedField } from '../area';
import { getIgnoringCase, holds, isEmpty, isObject, type JsonObject } from '../http/json';
import { expectedOf, type ServiceResponse } from './evidence';

/** Placeholders that programs write instead of an ID: zeros, as in an empty GUID, a negative number, or a word. */
const placeholderId =
	/^(?:(?:0|[^\p{L}\p{N}])*|-\d.*|null|nil|none|undefined|nan|false|true|array|\[object \w+\])$/iu;

/**
 * Whether the value of the returned field proves a success. A number may come as text, and text of digits as a number.
 */
export function isProof(value: unknown, type: ReturnedField['type']): boolean {
	if (type === 'group') return isObject(value) && Object.keys(value).length > 0;
	if (typeof value !== 'string') return Number.isSafeInteger(value) && Number(value) > 0;
	return type === 'text' ? !placeholderId.test(value.trim()) : /^[1-9]\d*$/.test(value);
}

/** Whether a value is more than null, false, 0, blank text, or lists and objects of only these. */
const hasContent = (value: unknown): boolean =>
	holds(value, (one) => Boolean(typeof one === 'string' ? one.trim() : one));

/** Whether a value is a number or text that matches a pattern. */
const matches = (value: unknown, pattern: RegExp): boolean =>
	(typeof value === 'string' || typeof value === 'number') && pattern.test(`${value}`);

/** Whether a value of `success` means success. */
export const isYes = (value: unknown): boolean => value === true || matches(value, /^(?:1|true)$/);

/** Whether a value of `success` means failure. Any other, such as the number of successes, means neither. */
const isNo = (value: unknown): boolean =>
	value === false || value === null || matches(value, /^(?:0|false|null)$/i);

/** An HTTP status of 400 or more, or a word for a failure, as in JSend. */
const failedStatus = /^(?:[45]\d\d|error|fail(?:ed|ure)?)$/i;

/** Whether a field's value reports a failure, by the field's name in lowercase. */
const failureFlags = new Map<string, (value: unknown) => boolean>([
	['success', isNo],
	['errors', hasContent],
	['error', hasContent],
	['status', (value) => matches(value, failedStatus)],
	['statuscode', (value) => matches(value, failedStatus)],
	['ok', (value) => value === false],
]);

/** Other field names in error bodies: those of the API spec, of problem details and of JSend. */
const otherErrorNames = /^(?:error_description|message|detail|title|code|type|instance|data)$/;

/**
 * Whether a body reports that the request failed, whatever the status of the response. The API spec's error bodies have
 * `errors`, `error`, or `success` false, in any case. The other names are common elsewhere: in problem details (RFC
 * 9457) and JSend.
 */
export const reportsFailure = (body: JsonObject): boolean =>
	Object.keys(body).some((name) => failureFlags.get(name.toLowerCase())?.(body[name]));

/**
 * Whether a body of unknown shape reports that the request failed. A record may have a status or errors of its own, so
 * these count only in a body whose fields all have names of error bodies.
 * @param ownField the name of the body's ID or list, which is no such name
 */
function isErrorBody(body: JsonObject, ownField = ''): boolean {
	const names = Object.keys(body).map((name) => name.toLowerCase());
	const isErrorName = (name: string) =>
		name !== ownField.toLowerCase() && (failureFlags.has(name) || otherErrorNames.test(name));
	return names.every(isErrorName) ? reportsFailure(body) : isNo(getIgnoringCase(body, 'success'));
}

/**
 * The fields of a body that the API spec does not show. A record with an ID may have a status of its own, which is left
 * out.
 */
function withoutOwnStatus(body: JsonObject): JsonObject {
	const fields = Object.entries(body);
	const isRecord = fields.some(([name, id]) => /id$/i.test(name) && isProof(id, 'integer'));
	return Object.fromEntries(fields.filter(([name]) => !isRecord || !/^status$/i.test(name)));
}

/**
 * Whether a body is definitely a refusal, so that nothing was changed: the error body that the API spec lists for 400
 * or 403, or typed errors, with a message in it and no other fields. If a body also names a record, or reports only
 * that something failed, nobody knows how far the service got.
 */
function isDefiniteRefusal({ success = false, errors, ...otherFields }: JsonObject): boolean {
	if (success !== false || !isEmpty(otherFields)) return false;
	const isTyped = (error: unknown) =>
		isObject(error) && Object.keys(error).sort().join() === 'message,type';
	if (hasContent(errors) && [errors].flat().every(isTyped)) return true;
	if (!isObject(errors)) return false;
	const { validationErrors = [], permissionErrors = [], ...otherErrors } = errors;
	const lists = [validationErrors, permissionErrors];
	return isEmpty(otherErrors) && lists.every(Array.isArray) && lists.some(hasContent);
}

/**
 * Whether a body reports that the request failed, at its top level or inside 'data' or 'result', where some services
 * put their reports.
 * @param otherText the text around the JSON: a program that writes some may have failed at any point
 */
export function failureReportedIn(body: unknown, response: ServiceResponse, otherText?: string) {
	const { operation, content } = response;
	const parts = [body, getIgnoringCase(body, 'data'), getIgnoringCase(body, 'result')];
	const isReported = (part: JsonObject) =>
		isDocumented(operation)
			? reportsFailure(content.expected === 'nothing' ? withoutOwnStatus(part) : part)
			: isErrorBody(part, content.field);
	const isFailure = (part: unknown) =>
		isObject(part) ? isReported(part) : expectedOf(response) === 'nothing' && part === false;
	if (!parts.some(isFailure)) return undefined;
	const isDefinite = isObject(body) && otherText === undefined && isDefiniteRefusal(body);
	return isDefinite ? 'definitely' : 'maybe';
}
