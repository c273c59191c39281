// One group of the form; what holds no expression is read once for all items.
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../area';
import { entriesKey } from '../form/form';
import { formName } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, type JsonObject } from '../http/json';
import { FieldReader, givenIn, type Origin, type Problem } from './fields';
import type { FieldLeftOut } from './leftOut';

/** Where the values of the form come from. */
export interface FormSource {
	/** The item's value of a form parameter, expressions resolved; nullish if hidden. */
	parameter: (name: string) => unknown;
	/** IANA name of the workflow's time zone. */
	zone: string;
	/** Spares reading again what is the same for all items of a run. */
	constants?: Constants;
}

export interface GroupValues {
	values: IDataObject;
	problems: readonly Problem[];
	leftOut: readonly FieldLeftOut[];
}

/** What the groups of the form give that hold no expressions. */
export class Constants {
	private readonly known = new Map<FieldGroup, GroupValues>();

	/** @param saved parameters of the node: an expression is a text that begins with `=` */
	constructor(readonly saved: IDataObject) {}

	private isConstant({ collection, fields }: FieldGroup): boolean {
		const names = collection ? [collection.name] : fields.map(({ name }) => formName(name));
		const saved = JSON.stringify(names.map((name) => this.saved[name]));
		return !saved.includes('"=');
	}

	/** @param read gives what the group holds for the item at hand */
	valuesOf(group: FieldGroup, read: () => GroupValues): GroupValues {
		const known = this.known.get(group);
		if (known) return known;
		const values = read();
		if (this.isConstant(group)) this.known.set(group, values);
		return values;
	}
}

const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');

const listIn = (list: unknown): unknown => (isObject(list) ? list[entriesKey] : undefined);

/**
 * A list of objects of n8n's form, as the interface writes it. n8n fills an entry's empty inputs with '':
 * only that of an expression was set.
 * @param saved the same list, expressions unresolved
 */
function entriesOf(list: unknown, saved: unknown): unknown {
	const entries = listIn(list);
	if (!Array.isArray(entries)) return entries;
	const savedEntries = listIn(saved);
	return entries.map((entry: unknown, index) => {
		if (!isObject(entry)) return entry;
		const savedEntry: unknown = Array.isArray(savedEntries) ? savedEntries[index] : undefined;
		const isSet = ([name, value]: [string, unknown]) =>
			value !== '' || (isObject(savedEntry) && isExpression(savedEntry[name]));
		return Object.fromEntries(Object.entries(entry).filter(isSet));
	});
}

const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** What was given for the fields of a group, by their names on the form. */
interface Given {
	origin: Origin;
	fields: readonly Field[];
	of: (name: string) => unknown;
	/** The same, expressions unresolved. */
	saved: JsonObject;
}

function givenFor(
	{ collection, goesTo, fields }: FieldGroup,
	{ parameter, constants }: FormSource,
): Given {
	const saved = constants?.saved ?? {};
	// n8n has a value for every parameter that it shows: null only where an expression gave nothing.
	if (!collection) return { origin: 'form', fields, of: (name) => parameter(name) ?? null, saved };
	const added = objectIn(parameter(collection.name));
	const given = {
		of: (name: string) => givenIn(added, name),
		saved: objectIn(saved[collection.name]),
	};
	if (goesTo !== 'settings') return { origin: 'form', fields, ...given };
	// Options that were not added have the value their form starts with.
	const isAdded = ({ name }: Field) => Object.hasOwn(added, formName(name));
	return { origin: 'options', fields: fields.filter(isAdded), ...given };
}

/** Reads and checks one group of the form for one item. */
export function readGroup(group: FieldGroup, source: FormSource): GroupValues {
	const read = (): GroupValues => {
		const { origin, fields, of, saved } = givenFor(group, source);
		const reader = new FieldReader(source.zone, origin);
		const { inside, collection } = group;
		const values = reader.fields(
			fields,
			(fieldName, { type }) => {
				const name = formName(fieldName);
				return type === 'objects' ? entriesOf(of(name), saved[name]) : of(name);
			},
			inside && collection ? { label: collection.label } : undefined,
		);
		const { problems, leftOut } = reader;
		if (!inside) return { values, problems, leftOut };
		const isEmpty = Object.keys(values).length === 0;
		return { values: isEmpty ? {} : { [inside]: values }, problems, leftOut };
	};
	const { constants } = source;
	return constants ? constants.valuesOf(group, read) : read();
}
