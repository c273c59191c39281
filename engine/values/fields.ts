// Reads and checks fields of the form or of a record. All problems are collected and none is thrown, so that a person
// can correct everything at once.
import type { IDataObject } from 'n8n-workflow';

import type { InputField, ObjectsField, ScalarField } from '../area';
import type { FieldProblem } from '../failure';
import { labelOf } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, type JsonObject } from '../http/json';
import type { DateConventions } from './dateTime';
import { readScalar, shownValue } from './scalars';

/**
 * The value under a name of an object: undefined when the name is absent, null when it is there without a value. n8n
 * keeps the name of a field that was added even when the field's expression gives undefined.
 */
export const ownValue = (object: object, name: string): unknown =>
	Object.hasOwn(object, name) ? ((object as Record<string, unknown>)[name] ?? null) : undefined;

export const isUnset = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;

export const isEmptyObject = (object: object): boolean => Object.keys(object).length === 0;

/** The place where fields get their values. */
export interface Inputs {
	/**
	 * Parameters and collections of n8n's form ('form'), the options, which are added one by one ('options'), or a
	 * record with the service's names ('record').
	 */
	origin: 'form' | 'options' | 'record';
	/** A field's value: undefined when none was given, null when it was given without a value. */
	valueOf: (field: InputField) => unknown;
	/** The values of the columns that a field's expression reads. */
	cellsOf?: (field: InputField) => unknown[];
	/** The start of the fields' labels: the object or the list that they are inside. */
	parentLabel?: string;
	/** The same with the number of the entry in the list. */
	entryLabel?: string;
}

const isEmptyValue = (raw: unknown): boolean =>
	raw === '' || (Array.isArray(raw) && raw.length === 0);

/** A header of spaces alone is missing: spaces around a header's value do not belong to it (RFC 9110 §5.5). */
const isMissing = (raw: unknown, { type, required }: ScalarField): boolean =>
	type === 'header'
		? typeof raw === 'string' && raw.trim() === ''
		: isEmptyValue(raw) && !!required;

/** Reads the fields of one group, and collects their problems as well as the fields that were given without a value. */
export class FieldReader {
	/** Only of use when there are no problems. */
	values: IDataObject = {};

	readonly problems: FieldProblem[] = [];

	/** The labels of fields that were given without a value. All entries of a list have one label. */
	readonly omittedFields: string[] = [];

	/** The labels of dates and times that were given without the time. */
	readonly datesWithoutTime: string[] = [];

	constructor(
		readonly group: FieldGroup,
		readonly dates: DateConventions,
	) {}

	private addProblem(label: string, text: string, more: Partial<FieldProblem> = {}): undefined {
		this.problems.push({ label, text, ...more });
		return undefined;
	}

	/** @param rule what the value must be */
	private addWrongValue(label: string, value: string, rule: string, more = {}): undefined {
		return this.addProblem(label, `is ${value}, but ${rule}`, { rule, value, ...more });
	}

	private addOmitted(label: string): undefined {
		this.omittedFields.push(label);
		return undefined;
	}

	/**
	 * The entries of a list on the form. An expression in one entry may give a whole list, which is merged into the
	 * others; an entry whose expression gives nothing is left out.
	 * @returns null when no entry has a value
	 */
	private entriesWithValues(raw: readonly unknown[], label: string): unknown {
		const entries = raw.flat();
		const withValues = entries.filter((entry) => !isUnset(entry) && entry !== '');
		if (withValues.length === 0 && entries.length > 0) return null;
		if (withValues.length < entries.length) this.addOmitted(`${label} › Entry`);
		return withValues;
	}

	private readScalarField(field: ScalarField, inputs: Inputs): unknown {
		const { origin, valueOf, cellsOf, parentLabel = '', entryLabel = parentLabel } = inputs;
		const given = valueOf(field);
		// An option that was not added is not missing.
		if (given === undefined && origin === 'options') return undefined;
		// Functions, since a run reads thousands of fields and needs the labels of few.
		const label = () => parentLabel + labelOf(field);
		const isFormList = field.type === 'textList' && origin !== 'record' && Array.isArray(given);
		const raw = isFormList ? this.entriesWithValues(given, label()) : given;
		if (isUnset(raw) || isMissing(raw, field)) {
			if (!field.required) return raw === undefined ? undefined : this.addOmitted(label());
			return this.addProblem(
				entryLabel + labelOf(field),
				origin === 'options'
					? 'is empty: give a value, or remove the option'
					: 'is required and not filled in',
			);
		}
		const checked = readScalar(raw, field, this.dates);
		if ('problem' in checked) {
			// "Invalid DateTime" alone would not say which cell to correct.
			const cells = field.type === 'dateTime' ? (cellsOf?.(field) ?? []) : [];
			const madeOf = cells.filter((cell) => !isUnset(cell) && cell !== raw).map(shownValue);
			const value = [shownValue(raw), ...madeOf].join(', made of ');
			const { problem, datesInRows } = checked;
			return this.addWrongValue(entryLabel + labelOf(field), value, problem, { datesInRows });
		}
		if (checked.isWithoutTime) this.datesWithoutTime.push(label());
		for (const name of checked.omittedNames ?? []) this.addOmitted(`${label()} › ${name}`);
		return checked.value;
	}

	private readObjectsField(field: ObjectsField, inputs: Inputs): unknown {
		const label = labelOf(field);
		const raw = inputs.valueOf(field);
		const entries = raw ?? [];
		if (!Array.isArray(entries) || !entries.every(isObject))
			return this.addWrongValue(label, shownValue(raw), 'must be a list of objects');
		if (entries.length === 0 && field.required)
			return this.addProblem(label, 'is not filled in: it needs at least one entry');
		if (isUnset(raw)) return raw === null ? this.addOmitted(label) : undefined;
		return entries.map((entry, index) =>
			this.readFields(field.fields, {
				origin: inputs.origin,
				valueOf: ({ name }) => ownValue(entry, name),
				parentLabel: `${label} › `,
				entryLabel: `${label} ${index + 1} › `,
			}),
		);
	}

	private readFields(fields: readonly InputField[], inputs: Inputs): IDataObject {
		const values: IDataObject = {};
		const valuesAndDefaults: Record<string, unknown> = {};
		for (const field of fields) {
			const { name, displayedWhen } = field;
			const isDisplayed =
				!displayedWhen ||
				Object.entries(displayedWhen).every(([other, allowed]) =>
					allowed.includes(valuesAndDefaults[other] as string | boolean),
				);
			if (!isDisplayed) continue;
			const value =
				field.type === 'objects'
					? this.readObjectsField(field, inputs)
					: this.readScalarField(field, inputs);
			if (value !== undefined) values[name] = value as IDataObject[string];
			valuesAndDefaults[name] = value ?? field.default;
		}
		return values;
	}

	/** Reads the group from the form. */
	readInputs(inputs: Inputs): this {
		const { fields, bodyObject, collection } = this.group;
		const parentLabel = bodyObject && collection && `${collection.label} › `;
		const values = this.readFields(fields, { ...inputs, parentLabel });
		if (!bodyObject) this.values = values;
		else if (!isEmptyObject(values)) this.values = { [bodyObject]: values };
		return this;
	}

	/** Reads the group from a record with the service's names. */
	readRecord(record: JsonObject): this {
		const { bodyObject, collection } = this.group;
		const holder = bodyObject ? ownValue(record, bodyObject) : record;
		if (isObject(holder)) {
			this.readInputs({ origin: 'record', valueOf: ({ name }) => ownValue(holder, name) });
			// An empty object is sent, one whose fields all have no value is not.
			if (bodyObject && isEmptyObject(holder)) this.values = { [bodyObject]: {} };
		} else if (holder === null) {
			this.addOmitted(collection!.label);
		} else if (holder !== undefined) {
			this.addWrongValue(collection!.label, shownValue(holder), 'must be an object');
		}
		return this;
	}
}
