// Gives what the service sent the names and types of the interface's description, where that loses nothing and leaves
// no choice.
import { namesOf, type AnswerField } from '../area';
import { isObject, nameIn, wrappedIn, type JsonObject } from '../http/json';
import type { Tolerance } from './answerPolicy';

/** The tolerances that an answer needed. */
export type Taken = Set<Tolerance>;

/** A number for digits that it gives back unchanged, so not for "007", "1.50", "" or digits beyond 2^53. */
export function numberOf(text: string, isWhole: boolean): number | undefined {
	const value = Number(text);
	if (!/^-?\d/.test(text) || String(value) !== text) return undefined;
	return Number.isSafeInteger(value) || (!isWhole && !Number.isInteger(value)) ? value : undefined;
}

/** A text for a number that is written without an exponent, and for true and false. */
const textOf = (value: number | boolean): string | undefined =>
	typeof value === 'number' && String(value).includes('e') ? undefined : String(value);

/** Gives a value its described type; @returns the value itself where that is not possible without loss. */
type Conversion = (value: unknown) => unknown;

const toNumber =
	(isWhole: boolean, taken: Taken): Conversion =>
	(value) => {
		const number = typeof value === 'string' ? numberOf(value, isWhole) : undefined;
		if (number === undefined) return value;
		taken.add('numbersAsText');
		return number;
	};

const toText =
	(taken: Taken): Conversion =>
	(value) => {
		const isOther = typeof value === 'number' || typeof value === 'boolean';
		const text = isOther ? textOf(value) : undefined;
		if (text === undefined) return value;
		taken.add('textAsNumbers');
		return text;
	};

function conversionTo(field: AnswerField, taken: Taken): Conversion {
	switch (field.type) {
		case 'group': {
			const describe = describedBy(field.fields, taken);
			return (value) => (isObject(value) ? describe(value) : value);
		}
		case 'integer':
		case 'number':
			return toNumber(field.type === 'integer', taken);
		case 'text':
		case 'email':
			return toText(taken);
		default:
			return (value) => value;
	}
}

/**
 * @param missing described names that the object does not have
 * @returns the object with such a name for what is written in another letter case, where one name alone fits
 */
function renamed(sent: JsonObject, missing: readonly string[], taken: Taken): JsonObject {
	const describedNames = new Map(missing.map((name) => [nameIn(sent, name), name]));
	const names = Object.keys(sent);
	if (!names.some((name) => describedNames.has(name))) return sent;
	taken.add('otherLetterCase');
	return Object.fromEntries(names.map((name) => [describedNames.get(name) ?? name, sent[name]]));
}

/**
 * @param fields what the interface says an object holds
 * @returns a function that gives such objects the described names and types; it may change the object it is given
 */
export function describedBy(
	fields: readonly AnswerField[],
	taken: Taken,
): (object: JsonObject) => JsonObject {
	const names = namesOf(fields);
	const conversions = fields.map((field) => conversionTo(field, taken));
	return (sent) => {
		const missing = names.filter((name) => sent[name] === undefined);
		// Most rows that lack a column have no other names either.
		const hasOtherNames = Object.keys(sent).length > names.length - missing.length;
		const object = missing.length > 0 && hasOtherNames ? renamed(sent, missing, taken) : sent;
		conversions.forEach((convert, at) => {
			const name = names[at]!;
			const value = object[name];
			const converted = convert(value);
			if (converted !== value) object[name] = converted;
		});
		return object;
	};
}

/** @returns the value of the name that stands for the described one, if there is one */
export function valueIn(object: JsonObject, described: string, taken: Taken): unknown {
	const name = nameIn(object, described);
	if (name === undefined) return undefined;
	if (name !== described) taken.add('otherLetterCase');
	return object[name];
}

/**
 * Finds the object that has a name: the body, or what is wrapped in it.
 * @returns undefined when there is none, or several are
 */
export function holderOf(body: unknown, described: string, taken: Taken): JsonObject | undefined {
	const hasName = (object: unknown): object is JsonObject =>
		isObject(object) && nameIn(object, described) !== undefined;
	if (hasName(body)) return body;
	const [holder, ...others] = wrappedIn(body).filter(hasName);
	if (!holder || others.length > 0) return undefined;
	taken.add('wrapped');
	return holder;
}

/** @returns the list, or the entries of an object whose names are their numbers; undefined for anything else */
export function listOf(value: unknown, taken: Taken): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (!isObject(value)) return undefined;
	const names = Object.keys(value);
	const entries = Object.values(value);
	if (names.length === 0 || !names.every((name) => /^\d+$/.test(name))) return undefined;
	if (!entries.every(isObject)) return undefined;
	taken.add('listByIndex');
	return entries;
}

/**
 * Finds a list that has no name: the body, or what is wrapped in it.
 * @param isDescribed whether the description has the list without a name
 * @returns undefined when there is none, or several are
 */
export function loneListIn(
	body: unknown,
	isDescribed: boolean,
	taken: Taken,
): unknown[] | undefined {
	const list = listOf(body, taken);
	if (list) {
		if (!isDescribed) taken.add('listAlone');
		return list;
	}
	const [wrapped, ...others] = wrappedIn(body).flatMap((value) => {
		const wrappedList = listOf(value, taken);
		return wrappedList ? [wrappedList] : [];
	});
	if (!wrapped || others.length > 0) return undefined;
	taken.add('wrapped');
	return wrapped;
}
