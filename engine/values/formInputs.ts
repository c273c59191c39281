// Reads what the inputs of n8n's form give. n8n has a value for every input that it shows, '' or null for one that
// was left empty; only an expression can give nothing where a person meant to give something.
import type { Field } from '../area';
import { entriesKey } from '../form/inputs';
import { parameterName } from '../form/labels';
import { isObject, type JsonObject } from '../http/json';

/** Parameters of n8n's form, by their names. */
export interface FormParameters {
	/** The value of one parameter, its expressions resolved. */
	resolved: (name: string) => unknown;
	/** All parameters, their expressions not resolved. */
	saved: JsonObject;
}

export const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');

/** Whether there is an expression anywhere in saved parameters. */
export const holdsExpression = (saved: unknown): boolean =>
	(JSON.stringify(saved) ?? '').includes('"=');

export const objectOrEmpty = (value: unknown): JsonObject => (isObject(value) ? value : {});

const isNothing = (raw: unknown): boolean => raw === undefined || raw === null || raw === '';

/**
 * @param saved the same value, its expression not resolved
 * @returns undefined for an input that was left empty, null for an expression that gave nothing
 */
function valueOrNothing(raw: unknown, saved: unknown): unknown {
	if (!isNothing(raw)) return raw;
	return isExpression(saved) ? null : undefined;
}

/** @param entries are undefined where they were left empty */
function entriesOrNothing(entries: readonly unknown[]): unknown[] | undefined {
	const filledIn = entries.filter((entry) => entry !== undefined);
	return filledIn.length > 0 ? filledIn : undefined;
}

/** A list of texts, entry by entry; a list that an expression gave as a whole stays as it is. */
function textListValue(raw: unknown, saved: unknown): unknown {
	if (!Array.isArray(raw) || !Array.isArray(saved)) return valueOrNothing(raw, saved);
	const entries = raw.map((entry, index) => valueOrNothing(entry, saved[index]));
	return entriesOrNothing(entries);
}

const entriesIn = (collection: unknown): unknown =>
	isObject(collection) ? collection[entriesKey] : undefined;

/** n8n's fixed collection as the list of objects that the service takes, without entries that were left empty. */
function objectListValue(raw: unknown, saved: unknown): unknown {
	const entries = entriesIn(raw);
	if (!Array.isArray(entries)) return entries;
	const savedEntries = entriesIn(saved);
	const objects = entries.map((entry: unknown, index) => {
		if (!isObject(entry)) return entry;
		const savedEntry = objectOrEmpty(Array.isArray(savedEntries) ? savedEntries[index] : undefined);
		const inputs = Object.entries(entry).flatMap(([name, value]) => {
			const input = valueOrNothing(value, savedEntry[name]);
			return input === undefined ? [] : [[name, input] as const];
		});
		return inputs.length > 0 ? Object.fromEntries(inputs) : undefined;
	});
	return entriesOrNothing(objects);
}

const inputReaders: Partial<Record<Field['type'], typeof valueOrNothing>> = {
	objects: objectListValue,
	textList: textListValue,
};

/** What a person, or an expression, gave for a field. */
export function inputValueOf(field: Field, { resolved, saved }: FormParameters): unknown {
	const name = parameterName(field.name);
	const read = inputReaders[field.type] ?? valueOrNothing;
	return read(resolved(name), saved[name]);
}
