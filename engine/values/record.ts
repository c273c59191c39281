// A record in the interface's own shape: the input item, or the JSON parameter.
import type { IDataObject } from 'n8n-workflow';

import { labelOf } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, parseJson, type JsonObject } from '../http/json';
import { givenIn, type FieldReader } from './fields';
import { shown } from './scalars';

/** Names of an object that are not among the known ones, with the place they stand in. */
const strangers = (given: unknown, known: ReadonlyArray<{ name: string }>, place = ''): string[] =>
	isObject(given)
		? Object.keys(given)
				.filter((name) => !known.some((field) => field.name === name))
				.map((name) => `${place}${name}`)
		: [];

/** The names that a record may have. */
const knownIn = (groups: readonly FieldGroup[]): Array<{ name: string }> =>
	groups.flatMap<{ name: string }>(({ inside, fields }) => (inside ? [{ name: inside }] : fields));

export const knownNames = (groups: readonly FieldGroup[]): string[] =>
	knownIn(groups).map(({ name }) => name);

/** Every name of a record that the operation does not know, nested ones included. */
export function unknownNames(record: JsonObject, groups: readonly FieldGroup[]): string[] {
	return [
		...strangers(record, knownIn(groups)),
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
export function readRecord(
	reader: FieldReader,
	groups: readonly FieldGroup[],
	record: JsonObject,
): IDataObject {
	const values: IDataObject = {};
	for (const { inside, fields } of groups) {
		if (!inside) {
			Object.assign(
				values,
				reader.fields(fields, (name) => givenIn(record, name)),
			);
			continue;
		}
		const label = labelOf({ name: inside });
		const part = givenIn(record, inside);
		if (isObject(part)) {
			const read = reader.fields(fields, (name) => givenIn(part, name), { label });
			const isEmpty = Object.keys(read).length === 0;
			if (!isEmpty || Object.keys(part).length === 0) values[inside] = read;
		} else if (part === null) reader.without(label);
		else if (part !== undefined) {
			reader.problem(label, `is ${shown(part)}, but must be an object`);
		}
	}
	return values;
}

/** The record of the JSON parameter: an object, or text that holds one. */
export function readJsonParameter(reader: FieldReader, raw: unknown): JsonObject {
	const record = typeof raw === 'string' ? parseJson(raw) : raw;
	if (isObject(record)) return record;
	reader.problem('JSON', `is ${shown(raw)}, but must be a JSON object`);
	return {};
}
