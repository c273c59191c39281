// Judges the body of an answer: what in it proves that the service did what was asked, and what proves that it did not.
// Anything else is no proof.
import type { ReturnedField } from '../area';
import { isObject, type JsonObject } from '../http/json';

const isBlankText = (text: string): boolean => text.trim() === '';

/** What proves a success, by the type that the interface's table of endpoints declares for the returned field. */
export const proofInWords: Record<ReturnedField['type'], string> = {
	integer: 'a whole number above 0',
	number: 'a whole number above 0',
	text: 'a text that is not blank',
	group: 'an object with fields',
};

/**
 * Whether the value of the field that the interface says is returned proves a success. An ID may come in quotes, since
 * parseJson gives one beyond 2^53 as the text of its digits; and one that is a text may come without them.
 */
export function isProof(value: unknown, { type }: ReturnedField): boolean {
	if (type === 'group') return isObject(value) && Object.keys(value).length > 0;
	if (typeof value !== 'string') return Number.isSafeInteger(value) && Number(value) > 0;
	return type === 'text' ? !isBlankText(value) : /^[1-9]\d*$/.test(value);
}

/** Whether a value says anything. Null, false, 0, blank text, and lists and objects of nothing else say nothing. */
function saysAnything(value: unknown): boolean {
	if (typeof value === 'string') return !isBlankText(value);
	if (typeof value === 'object' && value !== null) return Object.values(value).some(saysAnything);
	return Boolean(value);
}

const saysYes = (value: unknown): boolean =>
	value === true || value === 1 || value === 'true' || value === '1';

/** Whether a field says that the request has failed, by its name in lower case. */
const noByName = new Map<string, (value: unknown) => boolean>([
	['success', (value) => !saysYes(value)],
	['errors', saysAnything],
	['error', saysAnything],
]);

/**
 * Whether a body says that the request has failed, whatever the status of its answer. The error bodies in the
 * interface's part Errors have `errors`, `error`, or `success` false. Any value of `success` that is not a yes counts
 * as a no, and the letter case of these names does not count.
 */
export const saysNo = (body: JsonObject): boolean =>
	Object.keys(body).some((name) => noByName.get(name.toLowerCase())?.(body[name]) === true);

/**
 * Whether a body is certainly a refusal, so that nothing was changed: one of the error bodies that the interface lists
 * for 400, 401 or 403, with a message in it and no other fields. A body that also names a record, or holds no more
 * than `success` false, leaves open how far the service got.
 */
export function isCertainRefusal({ success, errors, ...otherFields }: JsonObject): boolean {
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
