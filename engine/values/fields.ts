// Reads fields of the tables from the form or from a record. All problems are collected and none is thrown, so that a
// person can correct everything at once.
import type { IDataObject } from 'n8n-workflow';

import type { Field, GroupField, ObjectsField, ScalarField } from '../area';
import type { FieldProblem } from '../failure';
import { labelOf } from '../form/labels';
import type { Destination } from '../form/layout';
import { isObject } from '../http/json';
import type { DateConventions } from './dateTime';
import { readScalar, shownValue } from './scalars';

/** What was read of some fields. */
export interface ReadFields {
	destination: Destination;
	/** Only of use when there are no problems. */
	values: IDataObject;
	problems: readonly FieldProblem[];
	/** The labels of fields that were given without a value. All entries of a list have one label. */
	omittedFields: readonly string[];
	/** The labels of dates and times that were given without the time. */
	datesWithoutTime: readonly string[];
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

export const isEmptyObject = (object: object): boolean => Object.keys(object).length === 0;

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
interface ParentField {
	/** The label of the group or the list on the form. */
	label: string;
	/** The label with the number of the entry in the list; a group has none. */
	entryLabel?: string;
}

const labelWithin = (parentLabel: string | undefined, field: Field): string =>
	parentLabel === undefined ? labelOf(field) : `${parentLabel} › ${labelOf(field)}`;

/** Reads fields, and collects their problems as well as the fields that were given without a value. */
export class FieldReader {
	readonly problems: FieldProblem[] = [];

	readonly omittedFields: string[] = [];

	readonly datesWithoutTime: string[] = [];

	constructor(
		private readonly dates: DateConventions,
		private readonly origin: ValueOrigin,
		/** What the columns hold that the field's expression reads. */
		private readonly cellsOf: (field: Field) => unknown[] = () => [],
	) {}

	private addProblem(label: string, text: string): undefined {
		this.problems.push({ label, text });
		return undefined;
	}

	private addWrongValue(
		label: string,
		value: string,
		{ problem: rule, datesInRows }: { problem: string; datesInRows?: readonly string[] },
	): undefined {
		this.problems.push({ label, text: `is ${value}, but ${rule}`, rule, value, datesInRows });
		return undefined;
	}

	private noteOmitted(label: string): undefined {
		this.omittedFields.push(label);
		return undefined;
	}

	/**
	 * The entries of a list on the form. An expression in one entry may give a whole list, which is merged into the
	 * others; an entry whose expression gives nothing is left out.
	 * @returns null when no entry has a value
	 */
	private entriesWithValues(raw: unknown, label: string): unknown {
		if (this.origin === 'record' || !Array.isArray(raw)) return raw;
		const entries: unknown[] = raw.flat();
		const withValues = entries.filter((entry) => !isUnset(entry) && entry !== '');
		if (withValues.length === 0 && entries.length > 0) return null;
		if (withValues.length < entries.length) this.noteOmitted(`${label} › Entry`);
		return withValues;
	}

	private readScalarField(field: ScalarField, unread: unknown, parent?: ParentField): unknown {
		// Functions, since a run reads thousands of fields and needs the labels of few.
		const label = () => labelWithin(parent?.label, field);
		const entryLabel = () => labelWithin(parent?.entryLabel ?? parent?.label, field);
		const raw = field.type === 'textList' ? this.entriesWithValues(unread, label()) : unread;
		if (isUnset(raw) || isMissing(raw, field)) {
			if (!field.required) return raw === undefined ? undefined : this.noteOmitted(label());
			return this.addProblem(
				entryLabel(),
				this.origin === 'options'
					? 'is empty: give a value, or remove the option'
					: 'is required and not filled in',
			);
		}
		const checked = readScalar(raw, field, this.dates);
		if ('problem' in checked) {
			// "Invalid DateTime" alone would not say which cell to correct.
			const cells = field.type === 'dateTime' ? this.cellsOf(field) : [];
			const madeOf = cells.filter((cell) => !isUnset(cell) && cell !== raw).map(shownValue);
			const value = [shownValue(raw), ...madeOf].join(', made of ');
			return this.addWrongValue(entryLabel(), value, checked);
		}
		if (checked.isWithoutTime) this.datesWithoutTime.push(label());
		for (const name of checked.omittedNames ?? []) this.noteOmitted(`${label()} › ${name}`);
		return checked.value;
	}

	private readObjectsField(field: ObjectsField, raw: unknown): unknown {
		const label = labelOf(field);
		const entries = raw ?? [];
		if (!Array.isArray(entries) || !entries.every(isObject)) {
			return this.addWrongValue(label, shownValue(raw), { problem: 'must be a list of objects' });
		}
		if (entries.length === 0 && field.required) {
			return this.addProblem(label, 'is not filled in: it needs at least one entry');
		}
		if (isUnset(raw)) return raw === null ? this.noteOmitted(label) : undefined;
		return entries.map((entry, index) =>
			this.readFields(field.fields, ({ name }) => ownValue(entry, name), {
				label,
				entryLabel: `${label} ${index + 1}`,
			}),
		);
	}

	/** Reads an object inside a record. One that is empty is sent, one whose fields all have no value is not. */
	private readGroupField(field: GroupField, raw: unknown): unknown {
		const label = labelOf(field);
		if (isUnset(raw)) return raw === null ? this.noteOmitted(label) : undefined;
		if (!isObject(raw))
			return this.addWrongValue(label, shownValue(raw), { problem: 'must be an object' });
		const values = this.readFields(field.fields, ({ name }) => ownValue(raw, name), { label });
		return isEmptyObject(values) && !isEmptyObject(raw) ? undefined : values;
	}

	/** @param rawValueOf gives a field's value, undefined or null as ownValue() does */
	readFields(
		fields: readonly Field[],
		rawValueOf: (field: Field) => unknown,
		parent?: ParentField,
	): IDataObject {
		const values: IDataObject = {};
		const valuesAndDefaults: Record<string, unknown> = {};
		for (const field of fields) {
			if (!isDisplayed(field, valuesAndDefaults)) continue;
			const raw = rawValueOf(field);
			// An option that was not added is none that is missing.
			if (raw === undefined && this.origin === 'options') continue;
			let value: unknown;
			if (field.type === 'objects') value = this.readObjectsField(field, raw);
			else if (field.type === 'group') value = this.readGroupField(field, raw);
			else value = this.readScalarField(field, raw, parent);
			if (value !== undefined) values[field.name] = value as IDataObject[string];
			valuesAndDefaults[field.name] = value ?? ('default' in field ? field.default : undefined);
		}
		return values;
	}
}
