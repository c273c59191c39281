// Reads the fields of a table from the form or a record. All problems are collected and none is thrown, so that a
// person can correct everything at once.
import type { IDataObject } from 'n8n-workflow';

import type { Field, ObjectsField, ScalarField } from '../area';
import { labelOf } from '../form/labels';
import { isObject } from '../http/json';
import type { OmissionReason, OmittedField } from './inputRemarks';
import { readScalar, shownValue } from './scalars';

/** One thing that is wrong with an item, in plain words. */
export interface FieldProblem {
	/** The field's label on the form; '' when the problem concerns the record as a whole. */
	label: string;
	text: string;
	/** The text without the item's own value, where it names one: what items have in common that are told together. */
	rule?: string;
}

/**
 * Where values come from: parameters and collections of n8n's form ('form'), the options, which are added one by one
 * ('options'), or a record with the service's names ('record').
 */
export type ValueOrigin = 'form' | 'options' | 'record';

/**
 * The value under a name of an object: undefined when the name is absent, null when it is there without a value. n8n
 * keeps the name of a field that was added even when the field's expression gives undefined.
 */
export const ownValue = (object: object, name: string): unknown =>
	Object.hasOwn(object, name) ? ((object as Record<string, unknown>)[name] ?? null) : undefined;

export const isUnset = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;

/** @param values of the fields before this one, defaults included */
const isDisplayed = (field: Field, values: Readonly<Record<string, unknown>>): boolean =>
	!('displayedWhen' in field) ||
	Object.entries(field.displayedWhen ?? {}).every(([name, allowed]) =>
		allowed.includes(values[name] as string | boolean),
	);

const isEmptyValue = (raw: unknown): boolean =>
	raw === '' || (Array.isArray(raw) && raw.length === 0);

/** A header of blanks alone is missing: blanks around a header's value do not belong to it (RFC 9110 §5.5). */
const isMissing = (raw: unknown, { type, required }: ScalarField): boolean =>
	type === 'header'
		? typeof raw === 'string' && raw.trim() === ''
		: isEmptyValue(raw) && !!required;

/** The group or the list entry that fields belong to; fields of the record itself have none. */
export interface ParentField {
	/** The label of the group or the list on the form. */
	label: string;
	/** Number of the entry in a list, from 1; a group has none. */
	entryNumber?: number;
}

/** Reads fields, and collects their problems as well as the fields that were given without a value. */
export class FieldReader {
	readonly problems: FieldProblem[] = [];

	readonly omittedFields: OmittedField[] = [];

	/**
	 * @param timeZone IANA name of the workflow's time zone
	 * @param savedValueOf gives a field's value on the form, its expression not resolved
	 */
	constructor(
		private readonly timeZone: string,
		private readonly origin: ValueOrigin,
		private readonly savedValueOf: (field: ScalarField) => unknown = () => undefined,
	) {}

	addProblem(label: string, text: string): undefined {
		this.problems.push({ label, text });
		return undefined;
	}

	/** @param rule what the value must be */
	addWrongValue(label: string, raw: unknown, rule: string): undefined {
		const value = raw === '' ? 'empty' : shownValue(raw);
		this.problems.push({ label, text: `is ${value}, but ${rule}`, rule });
		return undefined;
	}

	/** Notes a field that was given without a value. */
	noteOmitted(
		label: string,
		reason: OmissionReason = this.origin === 'record' ? 'null' : 'nothing',
	): undefined {
		this.omittedFields.push({ label, reason });
		return undefined;
	}

	/**
	 * The entries of a list on the form. An expression in one entry may give a whole list, which is merged into the
	 * others; an entry whose expression gives nothing is left out.
	 */
	private entriesWithValues(raw: unknown, label: string): unknown {
		if (this.origin === 'record' || !Array.isArray(raw)) return raw;
		const entries: unknown[] = raw.flat();
		const withValues = entries.filter((entry) => !isUnset(entry) && entry !== '');
		if (withValues.length === entries.length) return entries;
		if (withValues.length === 0 && !raw.some(Array.isArray)) return null;
		this.noteOmitted(`${label} › Entry`);
		return withValues;
	}

	private readScalarField(field: ScalarField, unread: unknown, parent?: ParentField): unknown {
		// A function, since a run reads thousands of fields and needs the label of few.
		const label = () => (parent ? `${parent.label} › ${labelOf(field)}` : labelOf(field));
		const numberedLabel = () =>
			parent?.entryNumber ? `${parent.label} ${parent.entryNumber} › ${labelOf(field)}` : label();
		const raw = field.type === 'textList' ? this.entriesWithValues(unread, label()) : unread;
		if (isUnset(raw) || isMissing(raw, field)) {
			if (field.required) {
				return this.addProblem(
					numberedLabel(),
					this.origin === 'options'
						? 'is empty: give a value, or remove the option'
						: 'is required and not filled in',
				);
			}
			return raw === undefined
				? undefined
				: this.noteOmitted(label(), raw === null ? undefined : 'empty');
		}
		const checked = readScalar(raw, field, {
			timeZone: this.timeZone,
			saved: parent?.entryNumber === undefined ? this.savedValueOf(field) : undefined,
		});
		if ('problem' in checked) {
			return this.addWrongValue(numberedLabel(), raw, checked.problem);
		}
		for (const name of checked.omittedNames ?? []) {
			this.noteOmitted(`${label()} › ${name}`, 'nothing');
		}
		return checked.value;
	}

	private readObjectsField(field: ObjectsField, raw: unknown): unknown {
		const label = labelOf(field);
		const entries = raw ?? [];
		if (!Array.isArray(entries) || !entries.every(isObject)) {
			return this.addWrongValue(label, raw, 'must be a list of objects');
		}
		if (entries.length === 0 && field.required) {
			return this.addProblem(label, 'is not filled in: it needs at least one entry');
		}
		if (isUnset(raw)) return raw === null ? this.noteOmitted(label) : undefined;
		return entries.map((entry, index) =>
			this.readFields(field.fields, (name) => ownValue(entry, name), {
				label,
				entryNumber: index + 1,
			}),
		);
	}

	/** @param rawValueOf gives a field's value by the service's name, undefined or null as ownValue() does */
	readFields(
		fields: readonly Field[],
		rawValueOf: (name: string, field: Field) => unknown,
		parent?: ParentField,
	): IDataObject {
		const values: IDataObject = {};
		const valuesAndDefaults: Record<string, unknown> = {};
		for (const field of fields) {
			if (field.type === 'group' || !isDisplayed(field, valuesAndDefaults)) continue;
			const raw = rawValueOf(field.name, field);
			const value =
				field.type === 'objects'
					? this.readObjectsField(field, raw)
					: this.readScalarField(field, raw, parent);
			if (value !== undefined) values[field.name] = value as IDataObject[string];
			valuesAndDefaults[field.name] = value ?? field.default;
		}
		return values;
	}
}
