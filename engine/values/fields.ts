// Reads and checks fields of the form or of a record. All problems are collected and none is thrown, so that a person
// can correct everything at once.
import type { IDataObject } from 'n8n-workflow';

import { hasValue, type InputField, type ObjectsField, type ScalarField } from '../area';
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

/** A field's value: undefined when none was given, null when it was given without a value. */
export type GiveValue = (field: InputField) => unknown;

/** The start of a field's label, and the same with the number of the entry in a list. */
type Labels = readonly [parent: string, entry: string];

const isEmptyValue = (raw: unknown): boolean =>
	raw === '' || (Array.isArray(raw) && raw.length === 0);

/** A header of spaces alone is missing: spaces around a header's value do not belong to it (RFC 9110 §5.5). */
const isMissing = (raw: unknown, { type, required }: ScalarField): boolean =>
	type === 'header'
		? typeof raw === 'string' && raw.trim() === ''
		: isEmptyValue(raw) && !!required;

/** Whether a list has entries, and none of them a value. */
const hasOnlyGaps = (raw: unknown): boolean =>
	Array.isArray(raw) && raw.flat().length > 0 && raw.flat().every(isUnset);

/** Reads the fields of one group, and collects their problems as well as the fields that were given without a value. */
export class FieldReader {
	/** Only of use when there are no problems. */
	values: IDataObject = {};

	readonly problems: FieldProblem[] = [];

	/** The labels of fields that were given without a value. All entries of a list have one label. */
	readonly omittedFields: string[] = [];

	/** The labels of dates and times that were given without the time. */
	readonly datesWithoutTime: string[] = [];

	/** @param cellsOf gives the values of the columns that a field's expression reads */
	constructor(
		readonly group: FieldGroup,
		readonly dates: DateConventions,
		private readonly cellsOf: (field: ScalarField) => unknown[] = () => [],
	) {}

	private addProblem(label: string, text: string): undefined {
		this.problems.push({ label, text });
	}

	/** @param rule what the value must be */
	private addWrongValue(
		label: string,
		value: string,
		rule: string,
		datesInRows?: readonly string[],
	): undefined {
		const text = `is ${value}, but ${rule}`;
		this.problems.push({ label, text, rule, value, datesInRows });
	}

	private addOmitted(label: string): undefined {
		this.omittedFields.push(label);
	}

	/** @param labels the start of the field's label, and the same with the number of the entry in a list */
	private readScalarField(field: ScalarField, given: unknown, [parent, entry]: Labels): unknown {
		const { destination, collection } = this.group;
		const isOption = destination === 'settings' && collection !== undefined;
		// An option that was not added is not missing.
		if (given === undefined && isOption) return undefined;
		const raw = hasOnlyGaps(given) ? null : given;
		if (isUnset(raw) || isMissing(raw, field)) {
			if (!field.required)
				return raw === undefined ? undefined : this.addOmitted(parent + labelOf(field));
			return this.addProblem(
				entry + labelOf(field),
				isOption ? 'is empty: give a value, or remove the option' : 'is required and not filled in',
			);
		}
		const checked = readScalar(raw, field, this.dates);
		if ('problem' in checked) {
			// "Invalid DateTime" alone would not say which cell to correct.
			const cells = field.type === 'dateTime' ? this.cellsOf(field) : [];
			const madeOf = cells.filter((cell) => !isUnset(cell) && cell !== raw).map(shownValue);
			const value = [shownValue(raw), ...madeOf].join(', made of ');
			return this.addWrongValue(
				entry + labelOf(field),
				value,
				checked.problem,
				checked.datesInRows,
			);
		}
		if (checked.isWithoutTime) this.datesWithoutTime.push(parent + labelOf(field));
		for (const name of checked.omittedNames ?? [])
			this.addOmitted(`${parent}${labelOf(field)} › ${name}`);
		return checked.value;
	}

	private readObjectsField(field: ObjectsField, raw: unknown): unknown {
		const label = labelOf(field);
		const entries = raw ?? [];
		if (!Array.isArray(entries) || !entries.every(isObject))
			return this.addWrongValue(label, shownValue(raw), 'must be a list of objects');
		if (entries.length === 0 && field.required)
			return this.addProblem(label, 'is not filled in: it needs at least one entry');
		if (isUnset(raw)) return raw === null ? this.addOmitted(label) : undefined;
		return entries.map((entry, index) =>
			this.readFields(field.fields, ({ name }) => ownValue(entry, name), [
				`${label} › `,
				`${label} ${index + 1} › `,
			]),
		);
	}

	private readFields(fields: readonly InputField[], valueOf: GiveValue, labels: Labels): IDataObject {
		const values: IDataObject = {};
		const valuesAndDefaults: Record<string, unknown> = {};
		for (const field of fields) {
			const { name, displayedWhen = {} } = field;
			const isDisplayed = Object.entries(displayedWhen).every(([other, allowed]) => {
				const value = valuesAndDefaults[other];
				return allowed.some((each) => (each === hasValue ? value !== undefined : each === value));
			});
			if (!isDisplayed) continue;
			const given = valueOf(field);
			const value =
				field.type === 'objects'
					? this.readObjectsField(field, given)
					: this.readScalarField(field, given, labels);
			if (value !== undefined) values[name] = value as IDataObject[string];
			valuesAndDefaults[name] = value ?? field.default;
		}
		return values;
	}

	/** Reads the group from the form. */
	readInputs(valueOf: GiveValue): this {
		const { fields, bodyObject, collection } = this.group;
		const label = bodyObject === undefined ? '' : `${collection!.label} › `;
		const values = this.readFields(fields, valueOf, [label, label]);
		if (bodyObject === undefined) this.values = values;
		else if (!isEmptyObject(values)) this.values = { [bodyObject]: values };
		return this;
	}

	/** Reads the group from a record with the service's names. */
	readRecord(record: JsonObject): this {
		const { bodyObject, collection } = this.group;
		const holder = bodyObject ? ownValue(record, bodyObject) : record;
		if (isObject(holder)) {
			this.readInputs(({ name }) => ownValue(holder, name));
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
