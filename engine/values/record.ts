// Reads the record that an item gives as a whole, the input item or the JSON parameter, and holds the names in it against
// the fields of the operation; also those of additional fields.
import type { IDataObject } from 'n8n-workflow';

import { namesOf, type Field } from '../area';
import type { FieldProblem } from '../failure';
import { labelOf, sampleText } from '../form/labels';
import type { Destination, Layout } from '../form/layout';
import type { Settings } from '../form/settings';
import { isObject, parseJson, type JsonObject } from '../http/json';
import { isUnset, ownValue } from './fields';
import type { FormSource } from './formInputs';
import { namesListed } from './inputRemarks';
import { shownValue } from './scalars';

/** A name that matches no field. */
export interface UnknownName {
	/** With the names of the fields that it is inside. */
	name: string;
	/** The field with the same name except for case, spaces and punctuation, if it has no value under its own. */
	nearMiss?: string;
}

/** The name without case, spaces and punctuation, so that `Station Number` and `station_number` are equal. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/**
 * Every name of a record that the operation does not have, including those inside objects and lists.
 * @param prefix the names of the fields that the object is inside
 */
export function unknownNamesIn(
	object: unknown,
	fields: readonly Field[],
	prefix = '',
): UnknownName[] {
	if (!isObject(object)) return [];
	const unknownNames = Object.keys(object)
		.filter((name) => !fields.some((field) => field.name === name))
		.map((name) => {
			const nearMiss = fields.find((field) => plainName(field.name) === plainName(name));
			const isMissing = nearMiss && isUnset(ownValue(object, nearMiss.name));
			return { name: `${prefix}${name}`, ...(isMissing && { nearMiss: nearMiss.name }) };
		});
	const inside = fields.flatMap((field) =>
		'fields' in field
			? [object[field.name]]
					.flat()
					.flatMap((entry) => unknownNamesIn(entry, field.fields, `${prefix}${field.name}.`))
			: [],
	);
	return [...unknownNames, ...inside];
}

/** A record that is given as a whole. */
export interface GivenRecord {
	/** The value of 'Specify Fields'; with 'form' the record is empty. */
	source: Settings['specifyFields'];
	values: JsonObject;
	/** The fields that it may have. */
	fields: readonly Field[];
	unknownNames: readonly UnknownName[];
	/** The problem with JSON that holds no record. */
	problems: FieldProblem[];
}

/** The destinations whose values come from the record instead of the form. */
export const destinationsInRecord: Record<GivenRecord['source'], readonly Destination[]> = {
	form: [],
	inputItem: ['path', 'body'],
	json: ['body'],
};

/** @returns the record of the JSON parameter, or what is wrong with it */
function parseRecord(raw: unknown, fields: readonly Field[]): JsonObject | string {
	// The form starts with the sample, which nobody has written.
	if (raw === sampleText(fields)) return 'is still the sample: replace it with your record';
	const record = typeof raw === 'string' ? parseJson(raw) : raw;
	return isObject(record) ? record : `is ${shownValue(raw)}, but must be a JSON object`;
}

/** The record that 'Specify Fields' names. */
export function readRecord(
	{ bodyFields = [], requestFields }: Layout,
	{ parameter, json, form }: FormSource,
	settings: Settings,
): GivenRecord {
	const source = settings.specifyFields;
	const isItem = source === 'inputItem';
	const fields = isItem ? requestFields(settings) : bodyFields;
	let record: JsonObject | string = isItem ? json : {};
	if (source === 'json') record = parseRecord(form.valueOf('json', parameter), fields);
	if (typeof record === 'string') {
		const problems = [{ label: 'JSON', text: record }];
		return { source, values: {}, fields, unknownNames: [], problems };
	}
	// A column that an expression of the node reads, such as that of the key, is used although it is not sent.
	const isUsed = ({ name }: UnknownName) => isItem && form.columnsRead.has(name);
	const unknownNames = unknownNamesIn(record, fields).filter((unknown) => !isUsed(unknown));
	return { source, values: record, fields, unknownNames, problems: [] };
}

/**
 * The problems of names that match no field. JSON is written for one operation; the input item may have columns for
 * other nodes, so only those that certainly mean a field are refused.
 */
export function unknownNameProblems({ source, fields, unknownNames }: GivenRecord): FieldProblem[] {
	const problems = unknownNames.flatMap(({ name, nearMiss }) => {
		if (nearMiss !== undefined) {
			return [{ label: name, text: `must be called ${nearMiss}: rename it, or remove it` }];
		}
		return source === 'json' ? [{ label: name, text: 'is not a field of this operation' }] : [];
	});
	if (source !== 'json' || problems.length === 0) return problems;
	const text = `its fields are ${namesListed(namesOf(fields))}; others go into 'Additional Fields (JSON)'`;
	return [...problems, { label: '', text }];
}

/** Says why there is nothing to send. */
export function emptyRecordProblem({ source, fields, unknownNames }: GivenRecord): FieldProblem {
	if (source === 'form') return { label: '', text: 'No field has a value: fill in at least one' };
	const text = `No field has a value: the fields are ${namesListed(namesOf(fields))}`;
	if (unknownNames.length === 0) return { label: '', text };
	const advice =
		"Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field";
	return { label: '', text: `${text}, and not ${namesListed(namesOf(unknownNames))}. ${advice}` };
}

/** Adds fields to a record. An object of the record may get more fields too. */
export const withAdditional = (record: IDataObject, additional: object): IDataObject => {
	const merged = Object.entries(additional).map(([name, value]: [string, unknown]) => {
		const before = record[name];
		return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value];
	});
	return { ...record, ...(Object.fromEntries(merged) as IDataObject) };
};

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** @param isText whether the values are sent as text, as in a query */
function additionalTexts(
	additional: object,
	fields: readonly Field[],
	isText: boolean,
	prefix = '',
): string[] {
	return Object.entries(additional).flatMap(([name, value]: [string, unknown]) => {
		const field = fields.find((one) => one.name === name);
		if (field?.type === 'group' && isObject(value))
			return additionalTexts(value, field.fields, isText, `${name}.`);
		if (field) return `has '${prefix}${name}', which is a field of this form: give its value there`;
		return isText && !isPlain(value)
			? `has '${name}', which must be text, a number, true or false`
			: [];
	});
}

/** The problems of additional fields whose names the request already has, since one of two values would be dropped. */
export function additionalProblems(
	{ groups, bodyFields, requestFields }: Layout,
	settings: Settings,
): FieldProblem[] {
	const { additionalFields } = settings;
	if (!additionalFields) return [];
	const options = groups.flatMap(({ fields }) => fields);
	const label = labelOf(options.find(({ name }) => name === 'additionalFields')!);
	const texts = additionalTexts(additionalFields, requestFields(settings), !bodyFields);
	return texts.map((text) => ({ label, text }));
}
