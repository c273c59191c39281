// Reads and checks the fields of an object with the service's names: the form's values, a record, or an object inside
// one. Problems are collected instead of thrown, so that a person can correct everything at once.
import type { IDataObject } from 'n8n-workflow';

import { type Field, type GroupField, type ObjectsField, type ScalarField } from '../area';
import type { FieldProblem } from '../failure';
import { isEmpty, isObject, type JsonObject } from '../http/json';
import type { Conventions } from './dateTime';
import type { InputHints } from './inputHints';
import { isUnset, ownValue } from './rawValue';
import { readScalar, formatValue } from './scalars';

/** Whether a given value counts as missing for its field. */
function isBlank(raw: unknown, required?: boolean): boolean {
	const entries: unknown[] = [raw].flat(2);
	if (!required && (!Array.isArray(raw) || entries.length === 0)) return false;
	return entries.every((one) => isUnset(one) || (typeof one === 'string' && one.trim() === ''));
}

const emptyReference = 'is empty: give the ID of the record that it means, or leave the field out';

/** Reads the fields of one item, and collects their problems and the fields that were given without a value. */
export class FieldReader {
	readonly problems: FieldProblem[] = [];

	readonly hints: InputHints = {};

	constructor(private readonly conventions: Conventions) {}

	/** @param rule what the value must be */
	private addWrongValue(label: string, raw: unknown, rule: string, advice?: string): undefined {
		const value = formatValue(raw);
		this.problems.push({ label, text: `is ${value}, but ${rule}`, rule, value, advice });
	}

	private readScalarField(field: ScalarField, raw: unknown, label: string): unknown {
		const checked = readScalar(raw, field, this.conventions);
		for (const hint of checked.hints ?? []) if (hint) (this.hints[hint] ??= []).push(label);
		if ('value' in checked) return checked.value;
		return this.addWrongValue(label, raw, checked.problem, checked.advice);
	}

	/** Returns undefined if no field has a value; an object or list that was given empty is sent. */
	private readObjects(field: GroupField | ObjectsField, raw: unknown, label: string): unknown {
		const isList = field.type === 'objects';
		const entries = [raw].flat();
		const rule = isList ? 'must be a list of objects' : 'must be an object';
		if (Array.isArray(raw) !== isList || !entries.every(isObject))
			return this.addWrongValue(label, raw, rule);
		const values = entries.flatMap((entry, index) => {
			const inside = `${label}${isList ? ` ${index + 1}` : ''} › `;
			const value = this.readFields(field.fields, entry, inside);
			const isNothing = isEmpty(value) && (!isEmpty(entry) || (field.required && !isList));
			return isNothing ? [] : [value];
		});
		return isList && (values.length > 0 || entries.length === 0) ? values : values[0];
	}

	private readField(field: Field, given: unknown, label: string, isOption: boolean): unknown {
		const { type, required, standsFor, mayBeEmpty } = field as ScalarField;
		// An empty cell is a value only for text fields.
		const raw = given === '' && type !== 'text' ? null : given;
		const problemsBefore = this.problems.length;
		let value: unknown;
		if (isUnset(raw) || isBlank(raw, required && !mayBeEmpty)) {
			if (raw === undefined || required) value = undefined;
			// Without its ID, the new record would be put elsewhere, which is worse than not creating it.
			else if (standsFor === 'record') this.problems.push({ label, text: emptyReference });
			else (this.hints.omittedFields ??= []).push(label);
		} else if ('fields' in field) value = this.readObjects(field, raw, label);
		else value = this.readScalarField(field, raw, label);
		if (required && value === undefined && this.problems.length === problemsBefore) {
			const isList = field.type === 'objects';
			const howTo = isList ? ' (n8n drops one expression for all of its entries: use JSON)' : '';
			const text = isOption
				? 'is empty: give a value, or remove it'
				: `is required but empty${howTo}`;
			this.problems.push({ label, text });
		}
		return value;
	}

	/**
	 * Reads the values of fields.
	 * @param given the raw values, by field name; null for a field that was given without a value
	 * @param inside the start of the fields' labels: the object that they are in, or the list and the entry's number
	 * @param areOptions whether the fields are options: an option that was not added is not missing
	 * @returns the values, which must not be sent if there are problems
	 */
	readFields(fields: readonly Field[], given: JsonObject, inside = '', areOptions = false) {
		const values: JsonObject = {};
		for (const field of fields) {
			const { name, displayedWhen = {} } = field as ScalarField;
			const isDisplayed = Object.entries(displayedWhen).every(([other, allowed]) =>
				allowed.some((value) => [values[other]].flat().includes(value)),
			);
			const raw = ownValue(given, name);
			if (!isDisplayed || (raw === undefined && areOptions)) continue;
			const value = this.readField(field, raw, inside + field.label, areOptions);
			if (value !== undefined) values[name] = value;
		}
		return values as IDataObject;
	}
}
