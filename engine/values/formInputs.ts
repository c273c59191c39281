// Reads the inputs of n8n's form, one group at a time. n8n has a value for every input that it shows, '' or null for
// one that was left empty; only an expression can give nothing where a person meant to give something.
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../area';
import { entriesKey, parameterName } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, type JsonObject } from '../http/json';
import type { DateConventions } from './dateTime';
import { FieldReader, isEmptyObject, ownValue, type ReadFields } from './fields';

const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');

/** Whether there is an expression anywhere in saved parameters. */
export const holdsExpression = (saved: unknown): boolean =>
	(JSON.stringify(saved) ?? '').includes('"=');

export const objectOrEmpty = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A column that an expression reads: `$json.rowID`, `$json["Start Date"]`. In the JSON of a node quotes are escaped. */
const columnReference =
	/\$(?:json|input\.item\.json)(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s*\\?(["'`])(.*?)\\?\2\s*\])/gu;

const columnsIn = (saved: unknown): string[] =>
	[...(JSON.stringify(saved) ?? '').matchAll(columnReference)].map(
		([, plain, , quoted]) => (plain ?? quoted)!,
	);

/** The values of those groups of the form that hold no expressions: they are read once for all items. */
export class ConstantGroups {
	private readonly readByGroup = new Map<FieldGroup, ReadFields>();

	/** The names of parameters that hold an expression. */
	private readonly varying: ReadonlySet<string>;

	private columns?: ReadonlySet<string>;

	/** @param saved parameters of the node, in which an expression is a text that begins with `=` */
	constructor(readonly saved: IDataObject) {
		this.varying = new Set(Object.keys(saved).filter((name) => holdsExpression(saved[name])));
	}

	/** The columns of the input item that expressions of the node read. */
	get columnsRead(): ReadonlySet<string> {
		this.columns ??= new Set(columnsIn(this.saved));
		return this.columns;
	}

	/** @param read reads the group; of one that holds no expression, it is called once */
	valuesOf(group: FieldGroup, read: () => ReadFields): ReadFields {
		const known = this.readByGroup.get(group);
		if (known) return known;
		const { collection, fields } = group;
		const names = collection ? [collection.name] : fields.map(({ name }) => parameterName(name));
		const values = read();
		if (!names.some((name) => this.varying.has(name))) this.readByGroup.set(group, values);
		return values;
	}
}

/** Where the values of the form come from. */
export interface FormSource extends DateConventions {
	/** The item's value of a parameter, its expressions resolved; undefined or null when n8n hides the parameter. */
	parameter: (name: string) => unknown;
	/** The input item itself. */
	json: IDataObject;
	/** What is the same for all items of a run, so that it is not read again. */
	constantGroups: ConstantGroups;
}

/**
 * @param saved the same input, its expression not resolved
 * @returns undefined for an input that was left empty, null for an expression that gave nothing
 */
function inputValue(raw: unknown, saved: unknown): unknown {
	if (!(raw === undefined || raw === null || raw === '')) return raw;
	return isExpression(saved) ? null : undefined;
}

/**
 * A list without the entries that were left empty; a list that an expression gave as a whole stays as it is.
 * @returns undefined when all entries were left empty
 */
function listValue(raw: unknown, saved: unknown, entryValue = inputValue): unknown {
	if (!Array.isArray(raw) || !Array.isArray(saved)) return inputValue(raw, saved);
	const entries = raw
		.map((entry, index) => entryValue(entry, saved[index]))
		.filter((entry) => entry !== undefined);
	return entries.length > 0 ? entries : undefined;
}

/** An object without the inputs that were left empty; undefined when all were. */
function objectValue(raw: unknown, saved: unknown): unknown {
	if (!isObject(raw)) return raw;
	const inputs = Object.entries(raw)
		.map(([name, value]) => [name, inputValue(value, objectOrEmpty(saved)[name])] as const)
		.filter(([, value]) => value !== undefined);
	return inputs.length > 0 ? Object.fromEntries(inputs) : undefined;
}

/** The list in a fixed collection of n8n's. */
const entriesIn = (collection: unknown): unknown => objectOrEmpty(collection)[entriesKey];

/** What a person, or an expression, gave for a field. */
function valueGiven({ type }: Field, raw: unknown, saved: unknown): unknown {
	if (type === 'textList') return listValue(raw, saved);
	if (type !== 'objects') return inputValue(raw, saved);
	return listValue(entriesIn(raw), [entriesIn(saved)].flat(), objectValue);
}

/** An option that was added is meant to have a value, so that an empty one is '', which is refused where it matters. */
const optionGiven: typeof valueGiven = (_, raw, saved) =>
	raw === null && !isExpression(saved) ? '' : raw;

function readInputs(group: FieldGroup, source: FormSource): ReadFields {
	const { parameter, json, constantGroups } = source;
	const { destination, fields, bodyObject, collection } = group;
	const isOptions = destination === 'settings' && collection !== undefined;
	const given = collection && objectOrEmpty(parameter(collection.name));
	const saved = collection
		? objectOrEmpty(constantGroups.saved[collection.name])
		: constantGroups.saved;
	const valueOf = isOptions ? optionGiven : valueGiven;
	const cellsOf = ({ name }: Field) =>
		columnsIn(saved[parameterName(name)]).map((column) => ownValue(json, column));
	const reader = new FieldReader(source, isOptions ? 'options' : 'form', cellsOf);
	const values = reader.readFields(
		fields,
		(field) => {
			const name = parameterName(field.name);
			return valueOf(field, given ? ownValue(given, name) : parameter(name), saved[name]);
		},
		bodyObject && collection ? { label: collection.label } : undefined,
	);
	return {
		destination,
		values: bodyObject && !isEmptyObject(values) ? { [bodyObject]: values } : values,
		problems: reader.problems,
		omittedFields: reader.omittedFields,
		datesWithoutTime: reader.datesWithoutTime,
	};
}

/** Reads and checks one group of the form for one item. */
export const readGroup = (group: FieldGroup, source: FormSource): ReadFields =>
	source.constantGroups.valuesOf(group, () => readInputs(group, source));
