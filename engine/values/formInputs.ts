// Reads the inputs of n8n's form, one group at a time. n8n has a value for every input that it shows, '' or null for
// one that was left empty; only an expression can give nothing where a person meant to give something.
import type { IDataObject } from 'n8n-workflow';

import type { InputField } from '../area';
import { entriesName, parameterName } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { holds, isEmpty, isObject, type JsonObject } from '../http/json';
import { isUnset, ownValue, Unresolved } from './rawValue';

/** Whether there is an expression anywhere in saved parameters. */
const holdsExpression = (saved: unknown): boolean => (JSON.stringify(saved) ?? '').includes('"=');

/** What a cell of a row may give: 0 and false are values, too. */
const isGiven = (value: unknown): boolean =>
	typeof value === 'string' ? value.trim() !== '' : value !== null;

export const objectOrEmpty = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A column that an expression reads: `$json.rowID`, `$json["Start Date"]`. In the JSON of a node quotes are escaped. */
const columnReference =
	/\$(?:json|input\.item\.json)(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s*\\?(["'`])(.*?)\\?\2\s*\])/gu;

/** An expression that was typed as text: n8n evaluates it only where the field is set to Expression. */
const expressionAsText = /\{\{[^{}]*\$[a-z(]|^\s*\$json\??[.[]/i;

/** The source of an item's values. */
export interface FormSource {
	/** The item's value of a parameter, its expressions resolved; undefined or null when n8n hides the parameter. */
	parameter: (name: string) => unknown;
	/** The input item itself. */
	json: IDataObject;
	/** IANA name of the workflow's time zone, in which times without an offset are read. */
	timeZone: string;
	/** Shared by all items of a run. */
	form: SavedForm;
}

/**
 * The value of an input without what was left empty in it: entries of a list, inputs of an entry.
 * @param saved the same input, its expressions not resolved: a text where the value comes from one
 * @returns undefined when all of it was left empty, null or Unresolved for an expression that gave nothing
 */
function givenIn(raw: unknown, saved: unknown): unknown {
	if (isUnset(raw) || raw === '') {
		if (typeof saved !== 'string' || !saved.startsWith('=')) return undefined;
		return raw === undefined ? new Unresolved(saved.slice(1)) : null;
	}
	if (typeof raw !== 'object' || typeof saved !== 'object' || saved === null) return raw;
	const inputs = Object.entries(raw)
		.map(([name, value]) => [name, givenIn(value, ownValue(saved, name))] as const)
		.filter(([, value]) => value !== undefined);
	if (inputs.length === 0) return undefined;
	return Array.isArray(raw) ? inputs.map(([, value]) => value) : Object.fromEntries(inputs);
}

/** The value of a field's input. */
function fieldInput(field: InputField, raw: unknown, saved: unknown): unknown {
	if (field.type === 'objects') return objectOrEmpty(givenIn(raw, saved))[entriesName];
	// Other objects and lists are values of their own. They hold no inputs.
	const isValue = typeof raw === 'object' && raw !== null && field.type !== 'textList';
	return isValue ? raw : givenIn(raw, saved);
}

/** The form of a node, as it is saved. */
export class SavedForm {
	/** The parameters as JSON. */
	private readonly saved: string;

	/** The columns of the input item that its expressions read. */
	readonly columnsRead: ReadonlySet<string>;

	/** The values of groups without an expression. They are the same for all items. */
	private readonly constants = new Map<FieldGroup, JsonObject>();

	/** Whether each row makes a record of its own: the body comes from it, and the path is the same for all. */
	private readonly isOfRow: boolean;

	/**
	 * @param parameters in which an expression is a text that begins with `=`
	 * @param creates whether a request makes a record of what it is given
	 */
	constructor(
		readonly parameters: IDataObject,
		creates = false,
	) {
		const { path, body } = parameters;
		this.isOfRow = creates && holdsExpression(body) && !holdsExpression(path);
		this.saved = JSON.stringify(parameters);
		const references = this.saved.matchAll(columnReference);
		this.columnsRead = new Set([...references].map(([, plain, , quoted]) => (plain ?? quoted)!));
	}

	/** Whether a value is an expression that was typed as text into a field, or into the JSON of one. */
	isTypedExpression(raw: unknown): boolean {
		if (typeof raw !== 'string' || !expressionAsText.test(raw)) return false;
		const quoted = JSON.stringify(raw);
		return this.saved.includes(quoted) || this.saved.includes(JSON.stringify(quoted).slice(1, -1));
	}

	/** Whether a body has no value, and nothing but a row has given what there is of the record. */
	isBlankRow(body: unknown): boolean {
		return this.isOfRow && !isEmpty(body) && !holds(body, isGiven);
	}

	/** The saved inputs of a group, by the names of their parameters; those of a collection may be one expression. */
	savedOf({ collection, fields }: FieldGroup): unknown {
		if (collection) return this.parameters[collection.name];
		const names = fields.map(({ name }) => parameterName(name));
		return Object.fromEntries(names.map((name) => [name, this.parameters[name]]));
	}

	/**
	 * What the inputs of a group give for one item, by the names of their fields.
	 * @param parameter gives the item's value of a parameter
	 */
	valuesOf(group: FieldGroup, parameter: FormSource['parameter']): JsonObject {
		const constant = this.constants.get(group);
		if (constant) return constant;
		const { destination, collection, fields } = group;
		const saved = this.savedOf(group);
		const savedInputs = objectOrEmpty(saved);
		const inCollection = collection && objectOrEmpty(parameter(collection.name));
		const values: JsonObject = {};
		for (const field of fields) {
			const name = parameterName(field.name);
			const raw = inCollection ? inCollection[name] : parameter(name);
			// An option that was added is meant to have a value.
			const isOption = inCollection && destination !== 'body';
			const value = isOption
				? ownValue(inCollection, name)
				: fieldInput(field, raw, savedInputs[name]);
			if (value !== undefined) values[field.name] = value;
		}
		if (!holdsExpression(saved)) this.constants.set(group, values);
		return values;
	}
}
