// Gives what the service sent the names and types of the API spec, where that loses nothing and leaves no choice.
import type { AnswerField } from '../area';
import { isObject, findKey, wrappedIn, type JsonObject } from '../http/json';
import type { Deviation } from './answerPolicy';

/** A list of objects with these fields. */
interface ListField {
	name: string;
	type: 'list';
	fields: readonly AnswerField[];
}

type ExpectedField = AnswerField | ListField;

/** @returns the value with the type of its field, where that loses nothing; else the value itself */
function converted(value: unknown, type: ExpectedField['type']): unknown {
	if (typeof value === 'string' && (type === 'integer' || type === 'number')) {
		const number = Number(value);
		// Not "007", "1.50", "", or digits beyond 2^53.
		const isExact = /^-?\d/.test(value) && String(number) === value;
		const fits = Number.isSafeInteger(number) || (type === 'number' && !Number.isInteger(number));
		return isExact && fits ? number : value;
	}
	if (type !== 'text' && type !== 'email') return value;
	const isScalar = typeof value === 'number' || typeof value === 'boolean';
	return isScalar && !/\de/.test(String(value)) ? String(value) : value;
}

/** Normalizes one response, and collects its deviations. What it cannot normalize without loss, it leaves as sent. */
export class Normalizer {
	readonly deviations = new Set<Deviation>();

	/** @returns the object that has the field: the body or what it wraps; undefined when none has it, or several do */
	findObjectWith(body: unknown, name: string): JsonObject | undefined {
		const hasField = (part: unknown): part is JsonObject =>
			isObject(part) && findKey(part, name) !== undefined;
		if (hasField(body)) return body;
		const [holder, ...others] = wrappedIn(body).filter(hasField);
		if (!holder || others.length > 0) return undefined;
		this.deviations.add('wrapped');
		return holder;
	}

	/** @returns the field's value in the body or in what it wraps */
	valueOf(body: unknown, field: ExpectedField): unknown {
		const holder = this.findObjectWith(body, field.name);
		return holder && this.object(holder, [field])[field.name];
	}

	/**
	 * @param name undefined when the list itself is the body, as the API spec has it
	 * @returns what has that name; where nothing has it, the only list there is
	 */
	listOf(body: unknown, name: string | undefined, fields: readonly AnswerField[]): unknown {
		const named = name && this.valueOf(body, { name, type: 'list', fields });
		if (named !== undefined) return named;
		const own = this.list(body, fields);
		const [list, ...others] = own
			? [own]
			: wrappedIn(body)
					.map((part) => this.list(part, fields))
					.filter((wrapped) => wrapped !== undefined);
		if (!list || others.length > 0) return undefined;
		if (!own) this.deviations.add('wrapped');
		else if (name !== undefined) this.deviations.add('listAlone');
		return list;
	}

	/** @returns the object with the names and types of its fields; the given object itself may be changed */
	object(sent: JsonObject, fields: readonly ExpectedField[]): JsonObject {
		const object = this.renamed(sent, fields);
		for (const field of fields) {
			const value = object[field.name];
			const normalized = this.value(value, field);
			if (normalized !== value) object[field.name] = normalized;
		}
		return object;
	}

	/** @returns the object with the name of each field that has it in another case, where one name alone fits */
	private renamed(sent: JsonObject, fields: readonly ExpectedField[]): JsonObject {
		const missing = fields.filter(({ name }) => sent[name] === undefined);
		if (missing.length === 0) return sent;
		const names = Object.keys(sent);
		// Most rows that lack a column have no other names either.
		if (names.length + missing.length <= fields.length) return sent;
		const expectedNames = new Map(missing.map(({ name }) => [findKey(sent, name), name]));
		if (!names.some((name) => expectedNames.has(name))) return sent;
		this.deviations.add('otherLetterCase');
		return Object.fromEntries(names.map((name) => [expectedNames.get(name) ?? name, sent[name]]));
	}

	private value(value: unknown, field: ExpectedField): unknown {
		if (field.type === 'group') return isObject(value) ? this.object(value, field.fields) : value;
		if (field.type === 'list') return this.list(value, field.fields) ?? value;
		const result = converted(value, field.type);
		if (result !== value)
			this.deviations.add(typeof value === 'string' ? 'numbersAsText' : 'textAsNumbers');
		return result;
	}

	/** @returns the list, or the entries of an object with indexes as names; undefined for anything else */
	private list(value: unknown, fields: readonly AnswerField[]): unknown[] | undefined {
		const normalized = (entry: unknown) => (isObject(entry) ? this.object(entry, fields) : entry);
		if (Array.isArray(value)) return value.map(normalized);
		const names = isObject(value) ? Object.keys(value) : [];
		const entries = isObject(value) ? Object.values(value) : [];
		if (names.length === 0 || !names.every((name) => /^\d+$/.test(name))) return undefined;
		if (!entries.every(isObject)) return undefined;
		this.deviations.add('listByIndex');
		return entries.map(normalized);
	}
}
