// Normalizes data from the service to the names and types of the API spec, if that loses nothing and is unambiguous.
import { objectList, type ResponseField } from '../area';
import { isObject, findKey, type JsonObject } from '../http/json';

/** The hints, each once per run, for responses that differ from the API spec but are unambiguous. */
export const deviationHints = {
	otherForm:
		"The service's responses differ from the API documentation in form; the data has the documented names and types.",
	noRows: 'Without rows, the service sends null, {}, [] or status 204; it was read as no rows.',
	noCount:
		"The service gives no row count ('totalRows'): the list was read until a page was empty, and may have more rows.",
	otherText:
		'The service writes other text around its data, which was read. Ask the service owner to turn that text off.',
} as const;

/** An accepted difference from the API spec. */
export type Deviation = keyof typeof deviationHints;

/** @returns the value converted to its field's type if that loses nothing; otherwise the value itself */
function converted(value: unknown, type: ResponseField['type']): unknown {
	if (typeof value === 'string' && (type === 'integer' || type === 'number')) {
		const number = Number(value);
		// Not "007", "1.50", "", or digits beyond 2^53.
		const isExact = /^-?\d/.test(value) && String(number) === value;
		const fits = Number.isSafeInteger(number) || (type === 'number' && !Number.isInteger(number));
		return isExact && fits ? number : value;
	}
	if (type !== 'text') return value;
	const isScalar = typeof value === 'number' || typeof value === 'boolean';
	return isScalar && !/\de/.test(String(value)) ? String(value) : value;
}

/** Normalizes one response and collects its deviations. Anything that would lose information stays as sent. */
export class Normalizer {
	readonly deviations = new Set<Deviation>();

	/** @returns the value of the body's field; undefined if it has none */
	valueOf(body: unknown, field: ResponseField): unknown {
		return isObject(body) ? this.object(body, [field])[field.name] : undefined;
	}

	/**
	 * @param name undefined if, according to the API spec, the body itself is the list
	 * @returns the value with that name; without one, the body if it is a list
	 */
	listOf(body: unknown, name: string | undefined, fields: readonly ResponseField[]): unknown {
		const named = name && this.valueOf(body, objectList(name));
		const list = named === undefined ? body : named;
		if (!Array.isArray(list)) return named;
		if (list !== named && name !== undefined) this.deviations.add('otherForm');
		return list.map((entry: unknown) => (isObject(entry) ? this.object(entry, fields) : entry));
	}

	/** @returns the object with the documented names and types; the given object may be modified */
	object(sent: JsonObject, fields: readonly ResponseField[]): JsonObject {
		const object = this.renamed(sent, fields);
		for (const field of fields) {
			const value = object[field.name];
			const normalized = this.value(value, field);
			if (normalized !== value) object[field.name] = normalized;
		}
		return object;
	}

	/**
	 * @returns the object; a missing field is taken from the only name that differs from it only in upper or lower case
	 */
	private renamed(sent: JsonObject, fields: readonly ResponseField[]): JsonObject {
		const missing = fields.filter(({ name }) => sent[name] === undefined);
		if (missing.length === 0) return sent;
		const names = Object.keys(sent);
		// Most rows that lack a column do not have it under another name either.
		if (names.length + missing.length <= fields.length) return sent;
		const expectedNames = new Map(missing.map(({ name }) => [findKey(sent, name), name]));
		if (!names.some((name) => expectedNames.has(name))) return sent;
		this.deviations.add('otherForm');
		return Object.fromEntries(names.map((name) => [expectedNames.get(name) ?? name, sent[name]]));
	}

	private value(value: unknown, field: ResponseField): unknown {
		if (field.type === 'group') return isObject(value) ? this.object(value, field.fields) : value;
		// Numbers as text are common, so they get no hint: one in every run would hide the others.
		return converted(value, field.type);
	}
}
