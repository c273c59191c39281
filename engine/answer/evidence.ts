// What proves that the service did what was asked, and what proves that it did not. Anything else is no proof.
import type { ReturnedField } from '../area';
import { isObject, type JsonObject } from '../http/json';

const isBlankText = (text: string): boolean => text.trim() === '';

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

interface Proof {
	is: (value: unknown) => boolean;
	/** For people: what was expected. */
	words: string;
}

/** An ID beyond 2^53 arrives as text of its digits (parseJson): a whole number in quotes is one as well. */
const wholeNumber: Proof = {
	is: (value) => isId(value) || (typeof value === 'string' && /^[1-9]\d*$/.test(value)),
	words: 'a whole number above 0',
};

/** By the type that the interface's table of endpoints declares. */
export const proofByType: Record<ReturnedField['type'], Proof> = {
	integer: wholeNumber,
	number: wholeNumber,
	// A service that leaves the quotes out says the same ID.
	text: {
		is: (value) => isId(value) || (typeof value === 'string' && !isBlankText(value)),
		words: 'a text that is not blank',
	},
	object: {
		is: (value) => isObject(value) && Object.keys(value).length > 0,
		words: 'an object with fields',
	},
};

/** Whether anything is said: not by null, false, 0, blank text, or lists and objects of nothing else. */
function saysAnything(value: unknown): boolean {
	if (typeof value === 'string') return !isBlankText(value);
	if (typeof value === 'object' && value !== null) return Object.values(value).some(saysAnything);
	return Boolean(value);
}

const saysYes = (value: unknown): boolean =>
	value === true || value === 1 || value === 'true' || value === '1';

/**
 * Whether an object says that what was asked has failed, whatever its status. The interface's error bodies
 * (its part Errors) carry `errors`, `error`, or `success` false; of `success` only a yes is one.
 */
export const saysNo = ({ success, errors, error }: JsonObject): boolean =>
	(success !== undefined && !saysYes(success)) || saysAnything(errors) || saysAnything(error);

/**
 * Whether an object is positively a refusal, so that nothing was changed: an error body the interface lists
 * for 400, 401 or 403, with something in it, and nothing beside it. One that also names a record, or says
 * no more than `success` false, leaves open how far the service got.
 */
export function isRefusal({ success, errors, ...others }: JsonObject): boolean {
	if (Object.keys(others).length > 0 || (success !== undefined && success !== false)) return false;
	if (typeof errors === 'string') return success === false && !isBlankText(errors);
	if (!isObject(errors)) return false;
	const { validationErrors = [], permissionErrors = [], ...unknown } = errors;
	const lists = [validationErrors, permissionErrors];
	return (
		Object.keys(unknown).length === 0 &&
		lists.every((list) => Array.isArray(list)) &&
		lists.some(saysAnything)
	);
}
