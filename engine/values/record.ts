// Reads the record that an item gives, and holds the names in it, and those of additional fields, against the fields of
// the operation.
import { namesOf, type Field, type ScalarField } from '../area';
import type { FieldProblem } from '../failure';
import { parameterName, sampleText } from '../form/labels';
import type { Layout } from '../form/layout';
import { additionalFields as additionalFieldsOption, type Settings } from '../form/settings';
import { invisibleIn } from '../http/headerText';
import { isEmpty, isObject, parseJson, truncate, type JsonObject } from '../http/json';
import { queryOf } from './address';
import type { FormSource } from './formInputs';
import { namesListed } from './inputHints';
import { jsonProblem, oneJsonObject } from './jsonValue';
import { isUnset, ownValue } from './rawValue';
import { formatValue } from './scalars';

/** The name without case, spaces and punctuation, so that `Station Number` and `station_number` are equal. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/**
 * The names in an object that none of its fields has, and those in the objects and lists of its fields.
 * @param prefix the names of the fields that the object is inside
 * @returns each with this prefix; and the field that it means, but for case, spaces and punctuation, where the object has
 * no value under that name
 */
function unknownNamesIn(
	object: unknown,
	fields: readonly Field[],
	prefix = '',
): Array<{ name: string; meant?: string }> {
	if (!isObject(object)) return [];
	return Object.entries(object).flatMap(([name, value]) => {
		const field = fields.find((each) => each.name === name);
		const path = `${prefix}${name}`;
		if (field && !('fields' in field)) return [];
		if (field)
			return [value].flat().flatMap((one) => unknownNamesIn(one, field.fields, `${path}.`));
		const meant = fields.find((each) => plainName(each.name) === plainName(name))?.name;
		return [{ name: path, meant: meant && isUnset(ownValue(object, meant)) ? meant : undefined }];
	});
}

/** The record that the form gives: an object in it is a group of its own on the form. */
function recordOnForm({ groups }: Layout, { parameter, form }: FormSource): JsonObject {
	const record: JsonObject = {};
	for (const group of groups.filter(({ destination }) => destination === 'body')) {
		const values = form.valuesOf(group, parameter);
		if (!group.bodyObject) Object.assign(record, values);
		else if (!isEmpty(values)) record[group.bodyObject] = values;
	}
	return record;
}

/** @returns the record of the JSON parameter, or what is wrong with it */
function parseRecord(raw: unknown, fields: readonly Field[]): JsonObject | string {
	// The form starts with the sample, which nobody has written.
	if (raw === sampleText(fields)) return 'is still the sample: replace it with your record';
	const record = typeof raw === 'string' ? parseJson(raw) : raw;
	if (isObject(record)) return record;
	return `is ${formatValue(raw)}, but ${jsonProblem(raw) ?? `must be ${oneJsonObject}`}`;
}

/**
 * The record that 'Specify Fields' names. JSON is written for one operation, so it may have no other names than fields;
 * the input item may have columns for other nodes, so only those that certainly mean a field are refused.
 * @returns the record, if it can be read; also the fields that it may have, the names that no field has, and the problems
 * of JSON and of names
 */
export function readRecord(layout: Layout, from: FormSource, settings: Settings) {
	const { bodyFields = [], requestFields, groups } = layout;
	const { parameter, json, form } = from;
	const source = settings.specifyFields;
	const isItem = source === 'inputItem';
	const isJson = source === 'json';
	const fields = isItem ? requestFields : bodyFields;
	const ofForm = () =>
		isJson ? parseRecord(parameter('json'), fields) : recordOnForm(layout, from);
	const record = isItem ? json : ofForm();
	if (typeof record === 'string') {
		const problems = [{ label: 'JSON', text: record }];
		return { source, values: undefined, fields, unknownNames: [], problems, place: '' };
	}
	// A column that an expression of the node reads, such as that of the key, is used although it is not sent.
	const isUsed = (name: string) => isItem && form.columnsRead.has(name);
	const unknownNames = unknownNamesIn(record, fields).filter(({ name }) => !isUsed(name));
	const problems = unknownNames.flatMap(({ name, meant }) => {
		if (!meant) return isJson ? [{ label: name, text: 'is not a field of this operation' }] : [];
		const text = `must be called ${meant}: rename it, or remove it`;
		const looks = invisibleIn(name);
		return [{ label: name, text: looks ? `${looks}, but ${text}` : text }];
	});
	if (isJson && problems.length > 0) {
		const text = `Its fields are ${namesListed(namesOf(fields))}; others go into 'Other Fields (JSON)'`;
		problems.push({ label: '', text });
	}
	const onForm = groups.find(({ destination }) => destination === 'body');
	const place = `${onForm?.collection?.name}.${parameterName(onForm?.fields[0]?.name ?? '')}`;
	return { source, values: record, fields, unknownNames, problems, place };
}

/**
 * The problems of fields whose expressions find nothing in any row, which is no empty cell but a broken mapping.
 * @param unresolved the expressions, by the labels of their fields
 * @param columns all that the rows have
 */
export const mappingProblems = (
	unresolved: ReadonlyMap<string, string>,
	columns: readonly string[],
): FieldProblem[] =>
	[...unresolved].map(([label, expression]) => ({
		label,
		text: `finds nothing in any row with ${truncate(expression, 200)}: correct it, remove the field, or end it with ?? '' if the column may be missing. The columns are ${namesListed(columns)}`,
	}));

/** Without `<`: n8n takes it in a description for HTML, and shows nothing of what follows. */
const adviceOvernight =
	"If it is on the next day, add a day: {{ (([start, end]) => DateTime.fromFormat($json.Date, 'M/d/yyyy').plus({ days: start >= end ? 1 : 0 }).toISODate())([$json.Start, $json.End].map((time) => new Date('1/1/2000 ' + time.replace(/^(\\d+)(?=\\s?[ap])/i, '$1:00').replace(/\\s?([ap])\\.?m\\.?$/i, ' $1m')))) }} {{ $json.End }}, or for Excel's numbers {{ $json.Date + ($json.Start >= $json.End ? 1 : 0) }} {{ $json.End }}.";

/**
 * The problems of fields with an end before its start. An end that is required is that of a period, which has a length.
 * @param values have been checked: dates and times are ISO 8601
 */
const periodProblems = (fields: readonly Field[], values: JsonObject): FieldProblem[] =>
	(fields as readonly ScalarField[]).flatMap((end) => {
		const start = fields.find(({ name }) => name === end.startField);
		const [to, from] = [end, start].map((one) => Date.parse(values[one?.name ?? ''] as string));
		if (!start || !(to! < from! || (to === from && end.required))) return [];
		const value = values[end.name] as string;
		const text = `is ${value}, but must be after '${start.label}'`;
		return [{ label: end.label, text, value, advice: adviceOvernight }];
	});

/**
 * The problems of a record as a whole: those of its JSON and its names, that no field has a value, or that it ends before it
 * starts.
 * @param body what would be sent
 * @param problems of its values
 */
export function recordProblems(
	{ source, values, fields, unknownNames, place, problems: ofNames }: ReturnType<typeof readRecord>,
	body: JsonObject,
	problems: readonly FieldProblem[],
): FieldProblem[] {
	// An empty list of texts may be meant: it takes the old ones away. A wrong value is one; and on the form, a field that is
	// required and empty says enough, unless all of them are, as in JSON with the fields in another place.
	const isValue = ([name, value]: [string, unknown]) =>
		!isEmpty(value) || fields.some((field) => field.name === name && field.type === 'textList');
	const isNothing =
		!Object.entries(body).some(isValue) &&
		!problems.some(({ value }) => value !== undefined || (source === 'form' && !isEmpty(values)));
	if (ofNames.length > 0 || !isNothing) return [...ofNames, ...periodProblems(fields, body)];
	const inJson = `(in a workflow's JSON: parameters.${place})`;
	if (source === 'form')
		return [{ label: '', text: `No field has a value: fill in at least one ${inJson}` }];
	const text = `No field has a value: the fields are ${namesListed(namesOf(fields))}`;
	const others = `, and not ${namesListed(namesOf(unknownNames))}. Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field`;
	return [{ label: '', text: unknownNames.length === 0 ? text : text + others }];
}

/**
 * The problems of additional fields, and of the query in a path: of names that the request has, since one of two values
 * would be dropped or sent in vain, and of values that cannot be sent as text, as in a query.
 */
export function additionalProblems(
	{ bodyFields, requestFields }: Layout,
	{ additionalFields }: Settings,
	{ path }: Record<string, unknown>,
): FieldProblem[] {
	const ofForm = namesOf(requestFields);
	const isOfForm = 'is a field of this form: give it there';
	const problemOf = (label: string, name: string, what: string) => [
		{ label, text: `has '${name}', which ${what}` },
	];
	const ofPath = queryOf(String(path)).flatMap(([name]) =>
		ofForm.includes(name) || name in additionalFields ? problemOf('Path', name, isOfForm) : [],
	);
	const ofFields = Object.entries(additionalFields).flatMap(([name, value]: [string, unknown]) => {
		const { label } = additionalFieldsOption;
		if (ofForm.includes(name)) return problemOf(label, name, isOfForm);
		if (bodyFields || ['string', 'number', 'boolean'].includes(typeof value)) return [];
		return problemOf(label, name, 'must be text, a number, true or false');
	});
	return [...ofPath, ...ofFields];
}
