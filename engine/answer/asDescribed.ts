// Gives what the service sent the names and types of the interface's description, where that loses nothing and leaves
// no choice.
import { namesOf, type AnswerField, type ScalarType } from '../area';
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

/** How the values of a type are given it. */
interface Conversion {
	/** What `typeof` says of a value that has the type. */
	type: 'number' | 'string';
	/** Undefined when the value cannot be given the type without loss. */
	convert: (value: unknown) => unknown;
	taken: Tolerance;
}

const toNumber = (isWhole: boolean): Conversion => ({
	type: 'number',
	convert: (value) => (typeof value === 'string' ? numberOf(value, isWhole) : undefined),
	taken: 'numbersAsText',
});

const toText: Conversion = {
	type: 'string',
	convert: (value) =>
		typeof value === 'number' || typeof value === 'boolean' ? textOf(value) : undefined,
	taken: 'textAsNumbers',
};

/** Values of all other types are left as they are. */
const conversions: Partial<Record<ScalarType, Conversion>> = {
	integer: toNumber(true),
	number: toNumber(false),
	text: toText,
	email: toText,
};

/** @returns a function that renames what is written in another letter case, where one name alone fits */
function renamingTo(names: readonly string[], taken: Taken): (object: JsonObject) => JsonObject {
	const described = new Set(names);
	const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
	const describedName = (object: JsonObject, name: string): string => {
		const found = described.has(name) ? undefined : byLowerCase.get(name.toLowerCase());
		return found !== undefined && nameIn(object, found) === name ? found : name;
	};
	return (object) => {
		if (Object.keys(object).every((name) => describedName(object, name) === name)) return object;
		taken.add('otherLetterCase');
		return Object.fromEntries(
			Object.entries(object).map(([name, value]) => [describedName(object, name), value]),
		);
	};
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
	const described = fields.map((field) =>
		field.type === 'group' ? describedBy(field.fields, taken) : conversions[field.type],
	);
	let rename: ((object: JsonObject) => JsonObject) | undefined;

	const withDescribedTypes = (object: JsonObject): JsonObject => {
		described.forEach((description, at) => {
			const name = names[at]!;
			const value = object[name];
			if (value === undefined || value === null || !description) return;
			if (typeof description === 'function') {
				if (isObject(value)) object[name] = description(value);
			} else if (typeof value !== description.type) {
				const converted = description.convert(value);
				if (converted === undefined) return;
				taken.add(description.taken);
				object[name] = converted;
			}
		});
		return object;
	};

	/** Nearly all rows are as described, so that no more than a look at each value is spent on them. */
	const isAsDescribed = (object: JsonObject): boolean => {
		for (let at = 0; at < names.length; at++) {
			const value = object[names[at]!];
			const description = described[at];
			if (value === undefined || typeof description === 'function') return false;
			if (description && value !== null && typeof value !== description.type) return false;
		}
		return true;
	};

	return (sent) => {
		if (isAsDescribed(sent)) return sent;
		return withDescribedTypes((rename ??= renamingTo(names, taken))(sent));
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
