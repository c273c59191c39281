// Reads the inputs of n8n's form, one group at a time. n8n has a value for every input that it shows, '' or null for
// one that was left empty; only an expression can give nothing where a person meant to give something.
import type { IDataObject } from 'n8n-workflow';

import type { InputField, ScalarField } from '../area';
import { entriesKey, parameterName } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, type JsonObject } from '../http/json';
import type { DateConventions } from './dateTime';
import { FieldReader, isUnset, ownValue } from './fields';

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

/** The form of a node, as it is saved. */
export class SavedForm {
	/** The columns of the input item that its expressions read. */
	readonly columnsRead: ReadonlySet<string>;

	/** The parameters that hold an expression. Groups of others are read once for all items. */
	private readonly expressions: ReadonlySet<string>;

	private readonly constantGroups = new Map<FieldGroup, FieldReader>();

	/** @param parameters in which an expression is a text that begins with `=` */
	constructor(readonly parameters: IDataObject) {
		this.columnsRead = new Set(columnsIn(parameters));
		const names = Object.keys(parameters).filter((name) => holdsExpression(parameters[name]));
		this.expressions = new Set(names);
	}

	/** Reads a group of one item. */
	readGroup(group: FieldGroup, source: FormSource, dates: DateConventions): FieldReader {
		const constant = this.constantGroups.get(group);
		// Another expression can say how the dates of an item are written.
		if (constant && constant.dates.datesInRows === dates.datesInRows) return constant;
		const reader = readForm(group, source, dates);
		const parameters = group.collection ? [group.collection] : group.fields;
		const isConstant = ({ name }: { name: string }) => !this.expressions.has(parameterName(name));
		if (parameters.every(isConstant)) this.constantGroups.set(group, reader);
		return reader;
	}
}

/** The source of an item's values. */
export interface FormSource {
	/** The item's value of a parameter, its expressions resolved; undefined or null when n8n hides the parameter. */
	parameter: (name: string) => unknown;
	/** The input item itself. */
	json: IDataObject;
	/** IANA name of the workflow's time zone. */
	timeZone: string;
	/** Shared by all items of a run. */
	form: SavedForm;
}

/** How deep inputs lie in the value of a field: in a list, and in the entries of n8n's fixed collection. */
const levelsOfInputs: Partial<Record<InputField['type'], number>> = { textList: 1, objects: 3 };

/**
 * The value of an input without what was left empty in it: entries of a list, inputs of an entry.
 * @param saved the same input, its expressions not resolved
 * @returns undefined when all of it was left empty, null for an expression that gave nothing
 */
function fieldInput(raw: unknown, saved: unknown, levels = 0): unknown {
	if (isUnset(raw) || raw === '') return isExpression(saved) ? null : undefined;
	// Of a list that an expression gave, '' is nothing too.
	if (levels === 0 && Array.isArray(raw))
		return raw.map((entry: unknown) => (entry === '' ? null : entry));
	if (levels === 0 || typeof raw !== 'object' || typeof saved !== 'object') return raw;
	const inputs = Object.entries(raw)
		.map(
			([name, value]) =>
				[name, fieldInput(value, ownValue(saved ?? {}, name), levels - 1)] as const,
		)
		.filter(([, value]) => value !== undefined);
	if (inputs.length === 0) return undefined;
	return Array.isArray(raw) ? inputs.map(([, value]) => value) : Object.fromEntries(inputs);
}

/** The value of an option: one that was added is meant to have a value, so an empty one is '', which may be refused. */
const optionInput = (raw: unknown, saved: unknown): unknown =>
	raw === null && !isExpression(saved) ? '' : raw;

/** Reads the inputs of one group of the form, for one item. */
function readForm(
	group: FieldGroup,
	{ parameter, json, form }: FormSource,
	dates: DateConventions,
): FieldReader {
	const { destination, collection } = group;
	const isOptions = destination === 'settings' && collection !== undefined;
	const inCollection = collection && objectOrEmpty(parameter(collection.name));
	const saved = objectOrEmpty(collection ? form.parameters[collection.name] : form.parameters);
	const cellsOf = ({ name }: ScalarField) =>
		columnsIn(saved[parameterName(name)]).map((column) => ownValue(json, column));
	return new FieldReader(group, dates, cellsOf).readInputs((field) => {
		const name = parameterName(field.name);
		const raw = inCollection ? ownValue(inCollection, name) : parameter(name);
		if (isOptions) return optionInput(raw, saved[name]);
		const given = fieldInput(raw, saved[name], levelsOfInputs[field.type]);
		return field.type === 'objects' ? objectOrEmpty(given)[entriesKey] : given;
	});
}
