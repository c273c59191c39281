// Reads the inputs of n8n's form, one group at a time. n8n has a value for every input on the form, '' or null if it
// was left empty; only an expression can return nothing although a person meant to give something.
import type { IDataObject } from 'n8n-workflow';

import type { InputField } from '../area';
import { entriesName, parameterName } from '../form/labels';
import type { FieldGroup, Layout } from '../form/layout';
import { unknownNames } from '../form/misplaced';
import { holds, isEmpty, isObject, type JsonObject } from '../http/json';
import { isUnset, ownValue, Unresolved } from './rawValue';

/** Whether saved parameters contain an expression. */
const holdsExpression = (saved: unknown): boolean => (JSON.stringify(saved) ?? '').includes('"=');

/** Whether a cell has a value; 0 and false are values, too. */
const isFilled = (value: unknown): boolean =>
	typeof value === 'string' ? value.trim() !== '' : value !== null;

export const objectOrEmpty = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A column that an expression reads, or a value in it: `$json.rowID`, `$json["Start Date"]`, `$json.body.name`. */
const columnReference =
	/\$(?:json|input\.item\.json)((?:\??\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|\s*\()|(?:\?\.)?\[\s*(["'`]).*?\2\s*\])+)/gu;

/** The names in such a reference. */
const namesIn = (path: string): string[] =>
	[...path.matchAll(/\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(["'`])(.*?)\2/gu)].map(
		([, plain, , quoted]) => (plain ?? quoted)!,
	);

/** The parts of an expression that it has if the columns that it reads may be missing. */
const expectsNothing = /\?|\|\||&&|\$if|mpty\(/;

const expressionsIn = (saved: unknown): string[] => {
	if (typeof saved === 'string') return saved.startsWith('=') ? [saved] : [];
	return Object.values(saved ?? {}).flatMap(expressionsIn);
};

const columnsIn = (expression: string): string[][] =>
	[...expression.matchAll(columnReference)].map(([, path]) => namesIn(path!));

/** Whether some row has a column, or a value in it. */
const isInSome = (rows: readonly unknown[], path: readonly string[]): boolean =>
	rows.some((row) => {
		const within = (value: unknown, name: string) => (value as JsonObject | null)?.[name];
		return path.reduce(within, row) !== undefined;
	});

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
 * @param broken the expressions that can give nothing
 * @returns undefined if all of it was left empty; null or Unresolved for an expression that found nothing
 */
function withoutEmptyParts(raw: unknown, saved: unknown, broken: ReadonlySet<unknown>): unknown {
	if (broken.has(saved)) return new Unresolved(String(saved).slice(1));
	if (isUnset(raw) || raw === '') {
		if (typeof saved !== 'string' || !saved.startsWith('=')) return undefined;
		return raw === undefined ? new Unresolved(saved.slice(1)) : null;
	}
	if (typeof raw !== 'object' || typeof saved !== 'object' || saved === null) return raw;
	const inputs = Object.entries(raw)
		.map(
			([name, value]) => [name, withoutEmptyParts(value, ownValue(saved, name), broken)] as const,
		)
		.filter(([, value]) => value !== undefined);
	if (inputs.length === 0) return undefined;
	return Array.isArray(raw) ? inputs.map(([, value]) => value) : Object.fromEntries(inputs);
}

/** The input of a field on the form, without its empty parts. */
function fieldInput(
	field: InputField,
	raw: unknown,
	saved: unknown,
	broken: ReadonlySet<unknown>,
): unknown {
	const isObjects = field.type === 'objects';
	const hasLines = field.type === 'textList' && Array.isArray(saved);
	// Other objects and lists are values themselves, not inputs.
	const isValue = typeof raw === 'object' && raw !== null && !isObjects && !hasLines;
	if (isValue && !broken.has(saved)) return raw;
	const input = withoutEmptyParts(raw, saved, broken);
	if (isObjects && !isUnset(input)) return objectOrEmpty(input)[entriesName];
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

	/** Whether each row creates a record: the body has expressions, and the path has none. */
	private readonly createsFromRows: boolean;

	/** The expressions that can only give nothing: no row has the columns that they read, and they do not expect that. */
	readonly broken: ReadonlySet<unknown>;

	/**
	 * @param parameters as saved; an expression is a text that begins with `=`
	 * @param creates whether the operation creates records
	 * @param rows all input items, if they are enough to prove that an expression is broken
	 */
	constructor(
		readonly parameters: IDataObject,
		creates = false,
		rows: readonly unknown[] = [],
	) {
		const { path, body } = parameters;
		this.createsFromRows = creates && holdsExpression(body) && !holdsExpression(path);
		this.saved = JSON.stringify(parameters);
		const expressions = expressionsIn(parameters);
		this.columnsRead = new Set(expressions.flatMap(columnsIn).map(([name]) => name!));
		const isBroken = (expression: string) => {
			const columns = columnsIn(expression);
			const isExpected = expectsNothing.test(expression.replace(/(["'`]).*?\1/g, ''));
			return columns.length > 0 && !isExpected && !columns.some((one) => isInSome(rows, one));
		};
		this.broken = new Set(rows.length > 0 ? expressions.filter(isBroken) : []);
	}

	/** The columns that an operation's expressions read, although no row has them. */
	missingColumns({ groups }: Layout, rows: readonly unknown[]): string[] {
		const used = [groups.map((group) => this.savedOf(group)), this.parameters.json];
		const columns = expressionsIn(used).flatMap(columnsIn);
		const missing = columns.filter((one) => !isInSome(rows, one));
		return [...new Set(missing.map((path) => path.join('.')))];
	}

	/** Whether a value is an expression that was typed as text into a field or its JSON. */
	isTypedExpression(raw: unknown): boolean {
		if (typeof raw !== 'string' || !expressionAsText.test(raw)) return false;
		const quoted = JSON.stringify(raw);
		return this.saved.includes(quoted) || this.saved.includes(JSON.stringify(quoted).slice(1, -1));
	}

	/** Whether a body has no values because it comes from a blank row. */
	isBlankRow(body: unknown): boolean {
		return this.createsFromRows && !isEmpty(body) && !holds(body, isFilled);
	}

	/** The saved inputs of a group, by parameter name; a whole collection may be a single expression. */
	savedOf({ collection, fields }: FieldGroup): unknown {
		const saved = collection ? this.parameters[collection.name] : this.parameters;
		if (typeof saved === 'string') return saved;
		const names = fields.map(({ name }) => parameterName(name));
		return Object.fromEntries(names.map((name) => [name, objectOrEmpty(saved)[name]]));
	}

	/**
	 * The values of a group's inputs for one item, by field name.
	 * @param parameter returns the item's value of a parameter
	 * @throws Error if an expression for the whole group gives names that the group does not have
	 */
	valuesOf(group: FieldGroup, parameter: FormSource['parameter']): JsonObject {
		const constant = this.constants.get(group);
		if (constant) return constant;
		const { destination, collection, fields } = group;
		const saved = this.savedOf(group);
		const inCollection = collection && objectOrEmpty(parameter(collection.name));
		const isWhole = typeof saved === 'string';
		const unknown = isWhole && unknownNames(group, inCollection!);
		if (unknown) throw new Error(`'${collection!.label}' ${unknown}`);
		const values: JsonObject = {};
		for (const field of fields) {
			const name = parameterName(field.name);
			if (isWhole && !Object.hasOwn(inCollection!, name)) continue;
			const raw = inCollection ? inCollection[name] : parameter(name);
			const savedInput = isWhole ? saved : objectOrEmpty(saved)[name];
			// An added option is meant to have a value.
			const isOption = inCollection && destination !== 'body' && !this.broken.has(savedInput);
			const value = isOption
				? ownValue(inCollection, name)
				: fieldInput(field, raw, savedInput, this.broken);
			if (value !== undefined) values[field.name] = value;
		}
		if (!holdsExpression(saved)) this.constants.set(group, values);
		return values;
	}
}
