// Fields of a table, read from wherever they are given: every problem is collected, none is thrown.
import type { IDataObject } from 'n8n-workflow';

import type { Field, ObjectsField, ScalarField } from '../area';
import { labelOf } from '../form/labels';
import { isObject } from '../http/json';
import type { FieldLeftOut, LeftOutReason } from './leftOut';
import { readScalar, shownValue } from './scalars';

/** One thing wrong with an item, in plain words. */
export interface FieldProblem {
	/** What the form calls the field; '' when it is about the record as a whole. */
	label: string;
	text: string;
}

/**
 * Where fields are read from: parameters and collections of n8n's form, its options, which are added one by
 * one, or a record as the interface writes it.
 */
export type ValueOrigin = 'form' | 'options' | 'record';

/**
 * What stands in a place: undefined when nothing was given, null when what was given has no value. n8n keeps
 * the name of a field that was added also when its expression gives undefined.
 */
export const givenIn = (place: object, name: string): unknown =>
	Object.hasOwn(place, name) ? ((place as Record<string, unknown>)[name] ?? null) : undefined;

export const isUnset = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;

/** @param values of the fields before it, defaults included */
const isShown = (field: Field, values: Readonly<Record<string, unknown>>): boolean =>
	!('shownFor' in field) ||
	Object.entries(field.shownFor ?? {}).every(([name, allowed]) =>
		allowed.includes(values[name] as string | boolean),
	);

const isEmptyValue = (raw: unknown): boolean =>
	raw === '' || (Array.isArray(raw) && raw.length === 0);

/** A header of blanks only is none (RFC 9110 §5.5). */
const isMissing = (raw: unknown, { type, required }: ScalarField): boolean =>
	type === 'header'
		? typeof raw === 'string' && raw.trim() === ''
		: isEmptyValue(raw) && !!required;

/** What fields stand in, when it is not the record itself. */
export interface ParentField {
	/** Of a group or a list, as the form shows it. */
	label: string;
	/** Of a list: which of its entries, from 1. */
	entry?: number;
}

/** Reads fields; collects problems instead of stopping at the first, and what was given without a value. */
export class FieldReader {
	readonly problems: FieldProblem[] = [];

	readonly leftOut: FieldLeftOut[] = [];

	/** @param zone IANA name of the workflow's time zone */
	constructor(
		private readonly zone: string,
		private readonly origin: ValueOrigin,
	) {}

	problem(label: string, text: string): undefined {
		this.problems.push({ label, text });
		return undefined;
	}

	/** Notes what was given without a value. */
	noteLeftOut(
		label: string,
		why: LeftOutReason = this.origin === 'record' ? 'null' : 'nothing',
	): undefined {
		this.leftOut.push({ label, why });
		return undefined;
	}

	/**
	 * Of the form's list an entry may be a whole list from an expression, and one whose expression gives nothing
	 * is no entry.
	 */
	private entriesGiven(raw: unknown, label: string): unknown {
		if (this.origin === 'record' || !Array.isArray(raw)) return raw;
		const entries: unknown[] = raw.flat();
		const given = entries.filter((entry) => !isUnset(entry) && entry !== '');
		if (given.length === entries.length) return entries;
		if (given.length === 0 && !raw.some(Array.isArray)) return null;
		this.noteLeftOut(`${label} › Entry`);
		return given;
	}

	private scalar(field: ScalarField, given: unknown, place?: ParentField): unknown {
		// Only made when it is needed: a run reads thousands of fields.
		const label = () => (place ? `${place.label} › ${labelOf(field)}` : labelOf(field));
		const wrong = (text: string) =>
			this.problem(
				place?.entry ? `${place.label} ${place.entry} › ${labelOf(field)}` : label(),
				text,
			);
		const raw = field.type === 'textList' ? this.entriesGiven(given, label()) : given;
		if (isUnset(raw) || isMissing(raw, field)) {
			if (field.required) {
				return wrong(
					this.origin === 'options'
						? 'is empty: give a value, or remove the option'
						: 'is required and not filled in',
				);
			}
			return raw === undefined
				? undefined
				: this.noteLeftOut(label(), raw === null ? undefined : 'empty');
		}
		const checked = readScalar(raw, field, this.zone);
		if ('wrong' in checked) {
			return wrong(`is ${raw === '' ? 'empty' : shownValue(raw)}, but ${checked.wrong}`);
		}
		for (const name of checked.leftOut ?? []) this.noteLeftOut(`${label()} › ${name}`, 'nothing');
		return checked.value;
	}

	private objects(field: ObjectsField, raw: unknown): unknown {
		const label = labelOf(field);
		const entries = raw ?? [];
		if (!Array.isArray(entries) || !entries.every(isObject)) {
			return this.problem(label, `is ${shownValue(raw)}, but must be a list of objects`);
		}
		if (entries.length === 0 && field.required) {
			return this.problem(label, 'needs at least one entry');
		}
		if (isUnset(raw)) return raw === null ? this.noteLeftOut(label) : undefined;
		return entries.map((entry, index) =>
			this.fields(field.fields, (name) => givenIn(entry, name), { label, entry: index + 1 }),
		);
	}

	/** @param given what was given for a field, as givenIn() says it; its name is the interface's */
	fields(
		fields: readonly Field[],
		given: (name: string, field: Field) => unknown,
		place?: ParentField,
	): IDataObject {
		const values: IDataObject = {};
		const known: Record<string, unknown> = {};
		for (const field of fields) {
			if (field.type === 'group' || !isShown(field, known)) continue;
			const raw = given(field.name, field);
			const value =
				field.type === 'objects' ? this.objects(field, raw) : this.scalar(field, raw, place);
			if (value !== undefined) values[field.name] = value as IDataObject[string];
			known[field.name] = value ?? field.default;
		}
		return values;
	}
}
