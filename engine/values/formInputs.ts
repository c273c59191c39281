// What the inputs of n8n's form give. n8n has a value for every input that it shows: '' or null for one that was
// left empty. Only an expression can give nothing where something was meant.
import type { Field } from '../area';
import { customChoice, entriesKey, parametersOf } from '../form/inputs';
import { isObject, type JsonObject } from '../http/json';

/** Parameters by their names on the form. */
export interface FormParameters {
	/** The value of one, its expression resolved. */
	of: (name: string) => unknown;
	/** All of them, expressions unresolved. */
	saved: JsonObject;
}

export const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');

export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});

const isNothing = (raw: unknown): boolean => raw === undefined || raw === null || raw === '';

/**
 * @param saved the same, expressions unresolved
 * @returns undefined for an input that was left empty, null for an expression that gave nothing
 */
function valueOrNothing(raw: unknown, saved: unknown): unknown {
	if (!isNothing(raw)) return raw;
	return isExpression(saved) ? null : undefined;
}

/** @param entries undefined where one was left empty */
function someOf(entries: readonly unknown[]): unknown[] | undefined {
	const given = entries.filter((entry) => entry !== undefined);
	return given.length > 0 ? given : undefined;
}

/** A list of texts, entry by entry; one that an expression gave as a whole stays as it is. */
function textsFilledIn(raw: unknown, saved: unknown): unknown {
	if (!Array.isArray(raw) || !Array.isArray(saved)) return valueOrNothing(raw, saved);
	const entries = raw.map((entry, index) => valueOrNothing(entry, saved[index]));
	return someOf(entries);
}

const entriesIn = (list: unknown): unknown => (isObject(list) ? list[entriesKey] : undefined);

/** A list of objects, as the interface writes it. An entry whose inputs were all left empty is none. */
function objectsFilledIn(raw: unknown, saved: unknown): unknown {
	const entries = entriesIn(raw);
	if (!Array.isArray(entries)) return entries;
	const savedEntries = entriesIn(saved);
	const given = entries.map((entry: unknown, index) => {
		if (!isObject(entry)) return entry;
		const savedEntry = objectIn(Array.isArray(savedEntries) ? savedEntries[index] : undefined);
		const inputs = Object.entries(entry).flatMap(([name, value]) => {
			const input = valueOrNothing(value, savedEntry[name]);
			return input === undefined ? [] : [[name, input] as const];
		});
		return inputs.length > 0 ? Object.fromEntries(inputs) : undefined;
	});
	return someOf(given);
}

const inputReaders: Partial<Record<Field['type'], typeof valueOrNothing>> = {
	objects: objectsFilledIn,
	textList: textsFilledIn,
};

/** What a person, or an expression, has given for a field. */
export function inputValueOf(field: Field, { of, saved }: FormParameters): unknown {
	const [name, ownName] = parametersOf(field) as [string, string?];
	const raw = of(name);
	if (ownName !== undefined && raw === customChoice)
		return valueOrNothing(of(ownName), saved[ownName]);
	const read = inputReaders[field.type] ?? valueOrNothing;
	return read(raw, saved[name]);
}
