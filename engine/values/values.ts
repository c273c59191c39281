// One item's fields → checked values. Every problem of the item is found before anything is sent.
import type { IDataObject } from 'n8n-workflow';

import type { Field, ObjectsField, ScalarField } from '../area';
import { isObject, parseJson, type JsonObject } from '../http/json';
import { formName, labelOf } from '../form/labels';
import type { Destination, FieldGroup, Layout } from '../form/layout';
import { entriesKey } from '../form/form';
import { readScalar, shown } from './scalars';

/** One thing wrong with an item: what the form calls the field, and what is wrong in plain words. */
export interface Problem {
	label: string;
	text: string;
}

export type ItemValues = Record<Destination, IDataObject>;

/** Where one item's values come from. */
export interface ItemSource {
	/** The item's value of a form parameter, expressions resolved; nullish if hidden. */
	parameter: (name: string) => unknown;
	/** The input item itself. */
	json: IDataObject;
	/** IANA name of the workflow's time zone. */
	zone: string;
	/** Spares reading again what is the same for all items of a run. */
	constants?: Constants;
}

interface GroupReading {
	values: IDataObject;
	problems: readonly Problem[];
}

/** What the groups of the form give that hold no expressions. */
export class Constants {
	private readonly readings = new Map<FieldGroup, GroupReading>();

	/** @param parameters of the node, as they were saved: an expression is a text that begins with `=` */
	constructor(private readonly parameters: IDataObject) {}

	private isConstant({ collection, fields }: FieldGroup): boolean {
		const names = collection ? [collection.name] : fields.map(({ name }) => formName(name));
		const saved = JSON.stringify(names.map((name) => this.parameters[name]));
		return !saved.includes('"=');
	}

	/** @param read gives what the group holds for the item at hand */
	reading(group: FieldGroup, read: () => GroupReading): GroupReading {
		const known = this.readings.get(group);
		if (known) return known;
		const reading = read();
		if (this.isConstant(group)) this.readings.set(group, reading);
		return reading;
	}
}

const isUnset = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;

const isHidden = (field: Field, values: IDataObject): boolean =>
	'hiddenBy' in field && field.hiddenBy !== undefined && values[field.hiddenBy] === true;

/** Reads fields; collects problems instead of stopping at the first. */
class FieldReader {
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
		const reading = readScalar(raw, field, this.zone);
		if ('value' in reading) return reading.value;
		return wrong(`is ${raw === '' ? 'empty' : shown(raw)}, but ${reading.wrong}`);
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

/** Names of an object that are not among the known ones, with the place they stand in. */
const strangers = (given: unknown, known: ReadonlyArray<{ name: string }>, place = ''): string[] =>
	isObject(given)
		? Object.keys(given)
				.filter((name) => !known.some((field) => field.name === name))
				.map((name) => `${place}${name}`)
		: [];

/** Every name of a record that the operation does not know, nested ones included. */
function unknownNames(record: JsonObject, groups: readonly FieldGroup[]): string[] {
	const known = groups.flatMap<{ name: string }>(({ inside, fields }) =>
		inside ? [{ name: inside }] : fields,
	);
	return [
		...strangers(record, known),
		...groups.flatMap(({ inside, fields }) =>
			inside ? strangers(record[inside], fields, `${inside}.`) : [],
		),
		...groups
			.flatMap(({ fields }) => fields)
			.flatMap((field) =>
				field.type === 'objects'
					? [record[field.name]]
							.flat()
							.flatMap((entry) => strangers(entry, field.fields, `${field.name}[].`))
					: [],
			),
	];
}

/** Reads the groups of one destination from a record in the interface's own shape. */
function readRecord(
	reader: FieldReader,
	groups: readonly FieldGroup[],
	record: JsonObject,
): IDataObject {
	const values: IDataObject = {};
	for (const { inside, fields } of groups) {
		const part = inside ? record[inside] : record;
		if (isUnset(part)) continue;
		if (!isObject(part)) {
			reader.problem(labelOf({ name: inside! }), `is ${shown(part)}, but must be an object`);
			continue;
		}
		const read = reader.fields(
			fields,
			(name) => part[name],
			inside && `${labelOf({ name: inside })} › `,
		);
		if (!inside) Object.assign(values, read);
		else if (Object.keys(read).length > 0) values[inside] = read;
	}
	return values;
}

/** Reads one group of the form. */
function readGroup(
	reader: FieldReader,
	{ goesTo, inside, collection, fields }: FieldGroup,
	parameter: ItemSource['parameter'],
): IDataObject {
	if (!collection) return reader.fields(fields, (name) => parameter(formName(name)));
	const given = (parameter(collection.name) ?? {}) as IDataObject;
	// n8n hands over only the options that were added; the others have the value their form starts with.
	const initial = (field: Field) =>
		goesTo === 'settings' && 'default' in field ? field.default : undefined;
	const read = reader.fields(
		fields,
		(name, field) => given[formName(name)] ?? initial(field),
		inside && `${collection.label} › `,
	);
	if (!inside) return read;
	return Object.keys(read).length > 0 ? { [inside]: read } : {};
}

/** The record of the JSON parameter: an object, or text that holds one. */
function readJsonParameter(reader: FieldReader, raw: unknown): JsonObject {
	const record = typeof raw === 'string' ? parseJson(raw) : raw;
	if (isObject(record)) return record;
	reader.problem('JSON', `is ${shown(raw)}, but must be a JSON object`);
	return {};
}

/**
 * Reads and checks what one item gives for an operation.
 * Unset (undefined, null) optional fields are left out; 0, false and '' that were set are kept.
 * @param layout the operation's layout()
 * @returns values by destination, and all problems; values are only to be used when there are none
 */
export function readItem(
	{ groups, hasBody }: Layout,
	{ parameter, json, zone, constants }: ItemSource,
): { values: ItemValues; problems: Problem[] } {
	const source = hasBody ? parameter('specifyFields') : 'form';
	const problems: Problem[] = [];
	const fromForm = (group: FieldGroup): IDataObject => {
		const read = (): GroupReading => {
			const reader = new FieldReader(zone, true);
			return { values: readGroup(reader, group, parameter), problems: reader.problems };
		};
		const reading = constants ? constants.reading(group, read) : read();
		problems.push(...reading.problems);
		return reading.values;
	};
	const record = new FieldReader(zone, false);
	const values: ItemValues = { path: {}, query: {}, body: {}, settings: {} };
	const ofRecord = (destinations: Destination[]) =>
		groups.filter(({ goesTo }) => destinations.includes(goesTo));
	const refuse = (given: JsonObject, known: Destination[]) => {
		for (const name of unknownNames(given, ofRecord(known))) {
			record.problem(name, 'is not a field of this operation');
		}
	};

	for (const group of groups) {
		const fromRecord =
			(source === 'inputItem' && (group.goesTo === 'path' || group.goesTo === 'body')) ||
			(source === 'json' && group.goesTo === 'body');
		if (!fromRecord) Object.assign(values[group.goesTo], fromForm(group));
	}
	if (source === 'inputItem') {
		values.path = readRecord(record, ofRecord(['path']), json);
		values.body = readRecord(record, ofRecord(['body']), json);
		if (values.settings.unknownNames === 'refuse') refuse(json, ['path', 'body']);
	}
	if (source === 'json') {
		const given = readJsonParameter(record, parameter('json'));
		values.body = readRecord(record, ofRecord(['body']), given);
		refuse(given, ['body']);
	}
	problems.push(...record.problems);
	if (hasBody && problems.length === 0 && Object.keys(values.body).length === 0) {
		problems.push({ label: 'Fields', text: 'hold no value: give at least one field' });
	}
	return { values, problems };
}
