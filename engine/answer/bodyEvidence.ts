// Judges the body of an answer: what in it proves that the service did what was asked, and what proves that it did not.
// Anything else is no proof.
import type { ReturnedField } from '../area';
import { isObject, partOf, type JsonObject } from '../http/json';
import { outcomeOf } from '../send/retryPolicy';

const isBlankText = (text: string): boolean => text.trim() === '';

/** What programs write as text where there is no ID: zeros, as in an empty GUID, a number below 0, or a word. */
const noId =
	/^(?:(?:0|[^\p{L}\p{N}])*|-\d.*|null|nil|none|undefined|nan|false|true|array|\[object \w+\])$/iu;

/** What proves a success, by the type that the interface's table of endpoints declares for the returned field. */
export const proofInWords: Record<ReturnedField['type'], string> = {
	integer: 'a whole number above 0',
	number: 'a whole number above 0',
	text: 'a text that can be an ID',
	group: 'an object with fields',
};

/**
 * Whether the value of the field that the interface says is returned proves a success. An ID may come in quotes, since
 * parseJson gives one beyond 2^53 as the text of its digits; and one that is a text may come without them.
 */
export function isProof(value: unknown, { type }: ReturnedField): boolean {
	if (type === 'group') return isObject(value) && Object.keys(value).length > 0;
	if (typeof value !== 'string') return Number.isSafeInteger(value) && Number(value) > 0;
	return type === 'text' ? !noId.test(value.trim()) : /^[1-9]\d*$/.test(value);
}

/** Whether a value says anything. Null, false, 0, blank text, and lists and objects of nothing else say nothing. */
function saysAnything(value: unknown): boolean {
	if (typeof value === 'string') return !isBlankText(value);
	if (typeof value === 'object' && value !== null) return Object.values(value).some(saysAnything);
	return Boolean(value);
}

const saysYes = (value: unknown): boolean =>
	value === true || value === 1 || value === 'true' || value === '1';

const isText = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

/** Whether a value is a status of HTTP from 400 up, or a word for a failure, as JSend has it. */
const isStatusOfFailure = (value: unknown): boolean =>
	isText(value) && /^(?:[45]\d\d|error|fail(?:ed|ure)?)$/i.test(`${value}`);

/** Whether a field says that the request has failed, by its name in lower case. */
const noByName = new Map<string, (value: unknown) => boolean>([
	['success', (value) => !saysYes(value)],
	['errors', saysAnything],
	['error', saysAnything],
	['status', isStatusOfFailure],
	['statuscode', isStatusOfFailure],
	['ok', (value) => value === false],
]);

/**
 * Whether a body says that the request has failed, whatever the status of its answer. The error bodies in the
 * interface's part Errors have `errors`, `error`, or `success` false. Any value of `success` that is not a yes counts
 * as a no, and the letter case of these names does not count. What the interface does not have is usual elsewhere:
 * problem details (RFC 9457), JSend.
 */
export const saysNo = (body: JsonObject): boolean =>
	Object.keys(body).some((name) => noByName.get(name.toLowerCase())?.(body[name]) === true);

/** The fields of problem details (RFC 9457 §3.1), and those that frameworks add to them or use in their place. */
const problemField =
	/^(?:type|title|status|detail|instance|errors?|message|traceid|timestamp|path|statuscode)$/i;

/** Whether a body is nothing but a problem whose status says that nothing was changed. */
function isRefusingProblem(body: JsonObject): boolean {
	const statuses = ['status', 'statusCode']
		.map((name) => partOf(body, name))
		.filter((status) => status !== undefined && status !== null);
	const isRefusal = (value: unknown): boolean => {
		const status = isText(value) ? Number(value) : NaN;
		return status >= 400 && outcomeOf('POST', { maybeSent: true, status }) === 'refused';
	};
	return (
		statuses.length > 0 &&
		statuses.every(isRefusal) &&
		Object.keys(body).every((name) => problemField.test(name))
	);
}

/**
 * Whether a body is certainly a refusal, so that nothing was changed: one of the error bodies that the interface lists
 * for 400, 401 or 403, with a message in it and no other fields, or a problem with such a status. A body that also
 * names a record, or holds no more than `success` false, leaves open how far the service got.
 */
export function isCertainRefusal(body: JsonObject): boolean {
	if (isRefusingProblem(body)) return true;
	const { success, errors, ...otherFields } = body;
	if (Object.keys(otherFields).length > 0 || (success !== undefined && success !== false))
		return false;
	if (typeof errors === 'string') return success === false && !isBlankText(errors);
	if (!isObject(errors)) return false;
	const { validationErrors = [], permissionErrors = [], ...otherErrors } = errors;
	const lists = [validationErrors, permissionErrors];
	return (
		Object.keys(otherErrors).length === 0 &&
		lists.every((list) => Array.isArray(list)) &&
		lists.some(saysAnything)
	);
}
