// Reads values that are sent as JSON objects or lists whose inner fields the API spec does not show.
import type { ScalarField } from '../area';
import { holdsLostDigits, isObject, maxDepth, orUndefined, parseJson } from '../http/json';
import { exactRange, invalid, valid, type CheckedValue } from './checkedValue';
import { isoOfObject } from './rawValue';
import { textProblem } from './textProblem';

/** @returns why a text is not JSON that is read, and where; undefined for JSON, a blank text, and anything but a text */
export function jsonProblem(text: unknown): string | undefined {
	if (typeof text !== 'string' || text.trim() === '') return undefined;
	try {
		JSON.parse(text);
		const levels = `must have at most ${maxDepth} levels of lists and objects`;
		return parseJson(text) === undefined ? levels : undefined;
	} catch (error) {
		const reason = (error as Error).message.replace(/ is not valid JSON$/, '');
		return textProblem(text) ?? `must be valid JSON: ${reason}`;
	}
}

/** The types that JSON has. A Map, a Set or a regular expression would silently become {}. */
const jsonTypes = ['Object', 'Array', 'String', 'Boolean', 'Null'];

/**
 * Whether JSON can represent a value completely: NaN would become null, and undefined would be omitted.
 * @throws RangeError for a value with thousands of levels, or one that contains itself
 */
function isJsonSafe(value: unknown): boolean {
	const iso = isoOfObject(value);
	if (iso !== undefined) return iso !== '';
	if (typeof value === 'number') return Number.isFinite(value) && !holdsLostDigits(value);
	if (!jsonTypes.includes(Object.prototype.toString.call(value).slice(8, -1))) return false;
	return typeof value !== 'object' || Object.values(value ?? {}).every(isJsonSafe);
}

/** The description of a JSON object in messages; also used for a record. */
export const oneJsonObject = 'one JSON object, in { }';

/** Reads JSON text, or an object or a list from an expression. */
export function readJson(raw: unknown, { type, mayBeList }: ScalarField): CheckedValue {
	const anObject = oneJsonObject + (mayBeList ? ', or a list, in [ ]' : '');
	const shape = type === 'objectList' ? 'a JSON list of objects, in [ ]' : anObject;
	const value = typeof raw === 'string' ? parseJson(raw) : raw;
	const isShape = Array.isArray(value)
		? mayBeList || (type === 'objectList' && value.every(isObject))
		: type === 'object' && isObject(value) && isoOfObject(value) === undefined;
	if (!isShape) return invalid(jsonProblem(raw) ?? `must be ${shape}`);
	const copy = orUndefined(() => isJsonSafe(value) && parseJson(JSON.stringify(value)));
	if (copy) return valid(copy);
	const [missing] = Object.entries(value as object).find(([, part]) => part === undefined) ?? [];
	if (missing) return invalid(`must have a value for ${missing}, which is undefined`);
	const kinds = `text, true, false, null, numbers of ${exactRange}, and lists and objects of these`;
	const depth = `at most ${maxDepth} levels deep`;
	return invalid(`must be ${shape} with only what JSON can hold, ${depth}: ${kinds}`);
}
