// Fields of a table, read from wherever they are given: every problem is collected, none is thrown.
import type { IDataObject } from 'n8n-workflow';

import type { Field, ObjectsField, ScalarField } from '../area';
import { entriesKey } from '../form/form';
import { labelOf } from '../form/labels';
import { isObject, type JsonObject } from '../http/json';
import { readScalar, shown } from './scalars';

/** One thing wrong with an item: what the form calls the field, and what is wrong in plain words. */
export interface Problem {
	label: string;
	text: string;
}

export const isUnset = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;

const isHidden = (field: Field, values: IDataObject): boolean =>
	'hiddenBy' in field && field.hiddenBy !== undefined && values[field.hiddenBy] === true;

/** Reads fields; collects problems instead of stopping at the first. */
export class FieldReader {
	readonly problems: Problem[] = [];

	/** @param fromForm whether lists come as n8n's form gives them, or as the interface writes them */
	constructor(
		private readonly zone: string,
		private readonly fromForm: boolean,
	) {}

	problem(label: string, text: string): undefined {
		this.problems.push({ label, text });
		return undefined;
	}

	/** An entry of the form's list whose expression gives nothing is no entry. */
	private entriesGiven(raw: unknown): unknown {
		if (!this.fromForm || !Array.isArray(raw) || raw.length === 0) return raw;
		const given = raw.flat().filter((entry) => !isUnset(entry)) as unknown[];
		return given.length > 0 || raw.some(Array.isArray) ? given : undefined;
	}

	private scalar(field: ScalarField, given: unknown, place = ''): unknown {
		const wrong = (text: string) => this.problem(`${place}${labelOf(field)}`, text);
		const raw = field.type === 'textList' ? this.entriesGiven(given) : given;
		if (isUnset(raw) || (raw === '' && field.required)) {
			return field.required ? wrong('is required and not filled in') : undefined;
		}
		const checked = readScalar(raw, field, this.zone);
		if ('value' in checked) return checked.value;
		return wrong(`is ${raw === '' ? 'empty' : shown(raw)}, but ${checked.wrong}`);
	}

	private objects(field: ObjectsField, raw: unknown): unknown {
		const label = labelOf(field);
		const list = this.fromForm && isObject(raw) ? raw[entriesKey] : raw;
		const entries = isUnset(list) ? [] : list;
		if (!Array.isArray(entries) || !entries.every(isObject)) {
			return this.problem(label, `is ${shown(list)}, but must be a list of objects`);
		}
		if (entries.length === 0) {
			return field.required ? this.problem(label, 'needs at least one entry') : undefined;
		}
		// n8n fills an entry's empty inputs with '': whether one was set cannot be told.
		const given = (entry: JsonObject, name: string) =>
			this.fromForm && entry[name] === '' ? undefined : entry[name];
		return entries.map((entry, index) =>
			this.fields(field.fields, (name) => given(entry, name), `${label} ${index + 1} › `),
		);
	}

	/** @param given the raw value of a field; its name is the interface's */
	fields(
		fields: readonly Field[],
		given: (name: string, field: Field) => unknown,
		place?: string,
	): IDataObject {
		const values: IDataObject = {};
		for (const field of fields) {
			if (field.type === 'group' || isHidden(field, values)) continue;
			const raw = given(field.name, field);
			const value =
				field.type === 'objects' ? this.objects(field, raw) : this.scalar(field, raw, place);
			if (value !== undefined) values[field.name] = value as IDataObject[string];
		}
		return values;
	}
}
