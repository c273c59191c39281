// Reads an item's record, and compares its names, and those of additional fields, with the operation's fields.
import { namesOf, type Field, type ScalarField } from '../area';
import type { FieldProblem } from '../failure';
import { sampleText } from '../form/labels';
import type { Layout } from '../form/layout';
import { additionalFields as additionalFieldsOption, type Settings } from '../form/settings';
import { invisibleIn } from '../http/invisible';
import { isEmpty, isObject, parseJson, type JsonObject } from '../http/json';
import { queryOf } from './address';
import type { FormSource } from './formInputs';
import { namesListed } from './inputHints';
import { jsonProblem, oneJsonObject } from './jsonValue';
import { isUnset, ownValue } from './rawValue';
import { formatValue } from './scalars';

/** The name without case, spaces and punctuation, which makes `Station Number` and `station_number` equal. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/**
 * Finds names in an object, and in the objects and lists of its fields, that are not names of fields.
 * @param prefix the path of the object in the record, such as `notificationModel.`
 * @returns each name with this prefix; `meant` is the field with the same name but for case, spaces and punctuation, if
 * the object has no value for that field
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

/** The record from the form, where each object inside it is a separate group. */
function recordOnForm({ groups }: Layout, { parameter, form }: FormSource): JsonObject {
	const record: JsonObject = {};
	for (const group of groups.filter(({ destination }) => destination === 'body')) {
		const values = form.valuesOf(group, parameter);
		if (!group.bodyObject) Object.assign(record, values);
		else if (!isEmpty(values)) record[group.bodyObject] = values;
	}
	return record;
}

/** @returns the record in the JSON parameter, or the problem with it */
function parseRecord(raw: unknown, fields: readonly Field[]): JsonObject | string {
	// The JSON parameter starts with this sample, so it is not a person's record.
	if (raw === sampleText(fields)) return 'is still the sample: replace it with your record';
	const record = typeof raw === 'string' ? parseJson(raw) : raw;
	if (isObject(record)) return record;
	return `is ${formatValue(raw)}, but ${jsonProblem(raw) ?? `must be ${oneJsonObject}`}`;
}

/**
 * Reads the record from the source chosen by 'Specify Fields'. JSON is written for one operation, so other names than
 * fields are refused; the input item may have columns for other nodes, so only those that clearly mean a field are.
 * @returns the record, if it can be read; also the fields that it may have, its unknown names, the problems of its JSON
 * and names
 */
export function readRecord(layout: Layout, from: FormSource, settings: Settings) {
	const { bodyFields = [], requestFields } = layout;
	const { parameter, json, form } = from;
	const source = settings.specifyFields;
	const isItem = source === 'inputItem';
	const isJson = source === 'json';
	const fields = isItem ? requestFields : bodyFields;
	const readForm = () =>
		isJson ? parseRecord(parameter('json'), fields) : recordOnForm(layout, from);
	const record = isItem ? json : readForm();
	// A column that one of the node's expressions reads, such as the key's, is used although it is not sent. In `_files`,
	// n8n passes files on.
	const isUsed = (name: string) => isItem && (name === '_files' || form.columnsRead.has(name));
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
	if (typeof record === 'string') problems.push({ label: 'JSON', text: record });
	const values = isObject(record) ? record : undefined;
	return { source, values, fields, unknownNames, problems };
}

/** Must not contain `<`: n8n 2.41 reads it as HTML in an error's description, and hides everything after it. */
const adviceOvernight =
	"If it is on the next day, add a day: {{ (([start, end]) => DateTime.fromFormat($json.Date, 'M/d/yyyy').plus({ days: start >= end ? 1 : 0 }).toISODate())([$json.Start, $json.End].map((time) => new Date('1/1/2000 ' + time.replace(/^(\\d+)(?=\\s?[ap])/i, '$1:00').replace(/\\s?([ap])\\.?m\\.?$/i, ' $1m')))) }} {{ $json.End }}, or for Excel's numbers {{ $json.Date + ($json.Start >= $json.End ? 1 : 0) }} {{ $json.End }}.";

/**
 * The problems of ends that are before their start. A required end, such as a shift's, must not equal its start either.
 * @param values checked values: dates and times are ISO 8601
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
 * The problems of a record as a whole: its JSON, its names, no values at all, or an end before its start.
 * @param body the record as it would be sent
 * @param problems the problems of its values
 */
export function recordProblems(
	{ source, values, fields, unknownNames, problems: found }: ReturnType<typeof readRecord>,
	body: JsonObject,
	problems: readonly FieldProblem[],
): FieldProblem[] {
	// An empty list of texts may be intended: it removes the old ones. An invalid value counts as a value. On the form,
	// the message about an empty required field is enough, unless all fields are empty, as when the workflow's JSON has
	// them in the wrong place.
	const isValue = ([name, value]: [string, unknown]) =>
		!isEmpty(value) || fields.some((field) => field.name === name && field.type === 'textList');
	const isNothing =
		!Object.entries(body).some(isValue) &&
		!problems.some(({ value }) => value !== undefined || (source === 'form' && !isEmpty(values)));
	if (found.length > 0 || !isNothing) return [...found, ...periodProblems(fields, body)];
	const inJson = "(in a workflow's JSON: in parameters.fields)";
	if (source === 'form')
		return [{ label: '', text: `No field has a value: fill in at least one ${inJson}` }];
	const text = `No field has a value: the fields are ${namesListed(namesOf(fields))}`;
	const others = `, and not ${namesListed(namesOf(unknownNames))}. Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field`;
	return [{ label: '', text: unknownNames.length === 0 ? text : text + others }];
}

/**
 * The problems of additional fields and of a query in the path: names that the request already has, since one of the
 * two values would be lost; and values that cannot be text in a query.
 */
export function additionalProblems(
	{ bodyFields, requestFields }: Layout,
	{ additionalFields }: Settings,
	{ path }: Record<string, unknown>,
): FieldProblem[] {
	const formNames = namesOf(requestFields);
	const isOnForm = 'is a field of this form: give it there';
	const problemOf = (label: string, name: string, what: string) => [
		{ label, text: `has '${name}', which ${what}` },
	];
	const inPath = queryOf(String(path)).flatMap(([name]) =>
		formNames.includes(name) || name in additionalFields ? problemOf('Path', name, isOnForm) : [],
	);
	const inFields = Object.entries(additionalFields).flatMap(([name, value]: [string, unknown]) => {
		const { label } = additionalFieldsOption;
		if (formNames.includes(name)) return problemOf(label, name, isOnForm);
		if (bodyFields || ['string', 'number', 'boolean'].includes(typeof value)) return [];
		return problemOf(label, name, 'must be text, a number, true or false');
	});
	return [...inPath, ...inFields];
}
