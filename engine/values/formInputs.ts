// Reads the inputs of n8n's form, one group at a time. n8n has a value for every input on the form, '' or null if it
// was left empty; only an expression can return nothing although a person meant to give something.
import type { IDataObject } from 'n8n-workflow';

import type { InputField } from '../area';
import { entriesName, parameterName } from '../form/labels';
import type { FieldGroup, Layout } from '../form/layout';
import { unknownNames } from '../form/misplaced';
import { isEmpty, isObject, type JsonObject } from '../http/json';
import { columnsIn, expressionsIn, type SavedInput } from './columns';
import { isUnset, ownValue } from './rawValue';

/** Whether saved parameters contain an expression. */
const holdsExpression = (saved: unknown) => expressionsIn(saved).length > 0;

export const objectOrEmpty = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** An expression typed as text: n8n evaluates it only if the field is set to Expression. */
const expressionAsText = /\{\{[^{}]*\$[a-z(]|^\s*\$json\??[.[]/i;

/** The source of an item's values. */
export interface FormSource {
	/** The item's value of a parameter, with expressions resolved; undefined or null if n8n hides the parameter. */
	parameter: (name: string) => unknown;
	/** The input item itself. */
	json: IDataObject;
	/** The IANA name of the workflow's time zone, in which times without an offset are read. */
	timeZone: string;
	/** Shared by all items of a run. */
	form: SavedForm;
}

/**
 * The value of an input without its empty parts: entries of a list, and inputs of an entry.
 * @param saved the same input with unresolved expressions, each of them a text
 * @returns undefined if all of it was left empty; null for an expression that gave nothing
 */
function withoutEmptyParts(raw: unknown, saved: unknown): unknown {
	if (isUnset(raw) || raw === '') return holdsExpression(saved) ? null : undefined;
	if (typeof raw !== 'object' || typeof saved !== 'object' || saved === null) return raw;
	const inputs = Object.entries(raw)
		.map(([name, value]) => [name, withoutEmptyParts(value, ownValue(saved, name))] as const)
		.filter(([, value]) => value !== undefined);
	if (inputs.length === 0) return undefined;
	return Array.isArray(raw) ? inputs.map(([, value]) => value) : Object.fromEntries(inputs);
}

/** The input of a field on the form, without its empty parts. */
function fieldInput(field: InputField, raw: unknown, saved: unknown): unknown {
	if (field.type === 'objects') return objectOrEmpty(withoutEmptyParts(raw, saved))[entriesName];
	// Other objects and lists are values themselves, not inputs.
	const hasLines = field.type === 'textList' && Array.isArray(saved);
	if (typeof raw === 'object' && raw !== null && !hasLines) return raw;
	const input = withoutEmptyParts(raw, saved);
	if (!Array.isArray(input)) return input;
	// A line is an entry, or an expression that gives a list. The only filled line is like a cell.
	const filled = input.filter((line) => !isUnset(line) && line !== '' && !isEmpty(line));
	return filled.length === 1 ? filled[0] : input.flat();
}

/** The saved form of a node. */
export class SavedForm {
	/** The parameters as JSON. */
	private readonly saved: string;

	/** The columns of the input item that the form's expressions read. */
	readonly columnsRead: ReadonlySet<string>;

	/** The values of groups without expressions, which are the same for all items. */
	private readonly constants = new Map<FieldGroup, JsonObject>();

	/** @param parameters as saved; an expression is a text that begins with `=` */
	constructor(readonly parameters: IDataObject) {
		this.saved = JSON.stringify(parameters);
		const columns = expressionsIn(parameters).flatMap(columnsIn);
		this.columnsRead = new Set(columns.map(([name]) => name!));
	}

	/** Whether a value is an expression that was typed as text into a field or its JSON. */
	isTypedExpression(raw: unknown): boolean {
		if (typeof raw !== 'string' || !expressionAsText.test(raw)) return false;
		const quoted = JSON.stringify(raw);
		return this.saved.includes(quoted) || this.saved.includes(JSON.stringify(quoted).slice(1, -1));
	}

	/** The saved inputs of a group, by parameter name; a whole collection may be a single expression. */
	savedOf({ collection, fields }: FieldGroup): JsonObject | string {
		const saved = collection ? this.parameters[collection.name] : this.parameters;
		if (typeof saved === 'string') return saved;
		const names = fields.map(({ name }) => parameterName(name));
		return Object.fromEntries(names.map((name) => [name, objectOrEmpty(saved)[name]]));
	}

	/** An operation's saved inputs. */
	inputsOf({ groups }: Layout): SavedInput[] {
		const inputs = groups.flatMap((group): SavedInput[] => {
			const saved = this.savedOf(group);
			const isOption = group === groups.at(-1);
			if (typeof saved === 'string') return [{ label: group.collection!.label, saved, isOption }];
			const savedIn = (name: string) => saved[parameterName(name)];
			return group.fields.map(({ name, label }) => ({ label, saved: savedIn(name), isOption }));
		});
		return [...inputs, { label: 'JSON', saved: this.parameters.json }];
	}

	/**
	 * The values of a group's inputs for one item, by field name.
	 * @param parameter returns the item's value of a parameter
	 * @throws Error if the whole group is a text, or an expression that gives names that the group does not have
	 */
	valuesOf(group: FieldGroup, parameter: FormSource['parameter']): JsonObject {
		const constant = this.constants.get(group);
		if (constant) return constant;
		const { destination, collection, fields } = group;
		const saved = this.savedOf(group);
		const given = collection && parameter(collection.name);
		const inCollection = collection && objectOrEmpty(given);
		const isWhole = typeof saved === 'string';
		const problem =
			typeof given === 'string' && given.trim() !== ''
				? 'must be an object, not a text: give it without quotes around it'
				: isWhole && unknownNames(group, inCollection!);
		if (problem) throw new Error(`'${collection!.label}' ${problem}`);
		const values: JsonObject = {};
		for (const field of fields) {
			const name = parameterName(field.name);
			if (isWhole && !Object.hasOwn(inCollection!, name)) continue;
			const raw = inCollection ? inCollection[name] : parameter(name);
			const savedInput = isWhole ? saved : saved[name];
			// An added option is meant to have a value.
			const isOption = inCollection && destination !== 'body';
			const value = isOption ? ownValue(inCollection, name) : fieldInput(field, raw, savedInput);
			if (value !== undefined) values[field.name] = value;
		}
		if (!holdsExpression(saved)) this.constants.set(group, values);
		return values;
	}
}
