// A record in the interface's own shape: the input item, or the JSON parameter.
import type { Field } from '../area';
import { sampleText } from '../form/expected';
import { labelOf } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, parseJson, type JsonObject } from '../http/json';
import { FieldReader, givenIn, isUnset, type Problem } from './fields';
import type { GroupValues } from './group';
import type { Stranger } from './leftOut';
import { meantBy } from './meant';
import { shown } from './scalars';

type Names = ReadonlyArray<{ name: string }>;

/** Names of an object that are not among the known ones, with the place they stand in. */
function strangersIn(given: unknown, known: Names, place = ''): Stranger[] {
	if (!isObject(given)) return [];
	const names = known.map(({ name }) => name);
	return Object.keys(given)
		.filter((name) => !names.includes(name))
		.map((name) => ({ name: `${place}${name}`, meant: meantBy(name, names) }));
}

/** The names that a record may have. */
const knownIn = (groups: readonly FieldGroup[]): Names =>
	groups.flatMap<{ name: string }>(({ inside, fields }) => (inside ? [{ name: inside }] : fields));

export const knownNames = (groups: readonly FieldGroup[]): string[] =>
	knownIn(groups).map(({ name }) => name);

/** Every name of a record that the operation does not know, nested ones included. */
export function unknownNames(record: JsonObject, groups: readonly FieldGroup[]): Stranger[] {
	return [
		...strangersIn(record, knownIn(groups)),
		...groups.flatMap(({ inside, fields }) =>
			inside ? strangersIn(record[inside], fields, `${inside}.`) : [],
		),
		...groups
			.flatMap(({ fields }) => fields)
			.flatMap((field) =>
				field.type === 'objects'
					? [record[field.name]]
							.flat()
							.flatMap((entry) => strangersIn(entry, field.fields, `${field.name}[].`))
					: [],
			),
	];
}

/** Reads a group of fields from a record in the interface's own shape. */
export function readRecord(
	{ inside, collection, fields }: FieldGroup,
	record: JsonObject,
	zone: string,
): GroupValues {
	const reader = new FieldReader(zone, 'record');
	const { problems, leftOut } = reader;
	if (inside === undefined) {
		const values = reader.fields(fields, (name) => givenIn(record, name));
		return { values, problems, leftOut };
	}
	const label = labelOf({ name: inside, label: collection?.label });
	const part = givenIn(record, inside);
	if (part === null) reader.without(label);
	if (isUnset(part)) return { values: {}, problems, leftOut };
	if (!isObject(part)) {
		reader.problem(label, `is ${shown(part)}, but must be an object`);
		return { values: {}, problems, leftOut };
	}
	const inner = reader.fields(fields, (name) => givenIn(part, name), { label });
	const isGiven = Object.keys(inner).length > 0 || Object.keys(part).length === 0;
	return { values: isGiven ? { [inside]: inner } : {}, problems, leftOut };
}

/**
 * The record of the JSON parameter.
 * @param raw an object, or text that holds one
 * @param fields of the record: their sample, as the form starts with it, says nothing of the person's
 * @returns an empty record beside a problem
 */
export function readJsonParameter(
	raw: unknown,
	fields: readonly Field[],
): { record: JsonObject; problems: Problem[] } {
	const problem = (text: string) => ({ record: {}, problems: [{ label: 'JSON', text }] });
	if (raw === sampleText(fields)) {
		return problem('is still the sample: change it to the record you mean');
	}
	const record = typeof raw === 'string' ? parseJson(raw) : raw;
	if (isObject(record)) return { record, problems: [] };
	return problem(`is ${shown(raw)}, but must be a JSON object`);
}
