// A record in the interface's own shape: the input item, or the JSON parameter.
import type { Field } from '../area';
import { sampleText } from '../form/recordSample';
import { labelOf } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, parseJson, type JsonObject } from '../http/json';
import { FieldReader, givenIn, isUnset, type FieldProblem } from './fields';
import type { GroupValues } from './group';
import type { UnknownName } from './leftOut';
import { didYouMean } from './didYouMean';
import { shownValue } from './scalars';

type Names = ReadonlyArray<{ name: string }>;

/** Names of an object that are not among the known ones, with the place they stand in. */
function unknownNamesOf(given: unknown, known: Names, place = ''): UnknownName[] {
	if (!isObject(given)) return [];
	const names = known.map(({ name }) => name);
	return Object.keys(given)
		.filter((name) => !names.includes(name))
		.map((name) => ({ name: `${place}${name}`, suggestion: didYouMean(name, names) }));
}

/** The names that a record may have. */
const knownIn = (groups: readonly FieldGroup[]): Names =>
	groups.flatMap<{ name: string }>(({ inside, fields }) => (inside ? [{ name: inside }] : fields));

export const knownNames = (groups: readonly FieldGroup[]): string[] =>
	knownIn(groups).map(({ name }) => name);

/** Every name of a record that the operation does not know, nested ones included. */
export function unknownNamesIn(record: JsonObject, groups: readonly FieldGroup[]): UnknownName[] {
	return [
		...unknownNamesOf(record, knownIn(groups)),
		...groups.flatMap(({ inside, fields }) =>
			inside ? unknownNamesOf(record[inside], fields, `${inside}.`) : [],
		),
		...groups
			.flatMap(({ fields }) => fields)
			.flatMap((field) =>
				field.type === 'objects'
					? [record[field.name]]
							.flat()
							.flatMap((entry) => unknownNamesOf(entry, field.fields, `${field.name}[].`))
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
	if (part === null) reader.noteLeftOut(label);
	if (isUnset(part)) return { values: {}, problems, leftOut };
	if (!isObject(part)) {
		reader.problem(label, `is ${shownValue(part)}, but must be an object`);
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
): { record: JsonObject; problems: FieldProblem[] } {
	const problem = (text: string) => ({ record: {}, problems: [{ label: 'JSON', text }] });
	if (raw === sampleText(fields)) {
		return problem('is still the sample: replace it with your record');
	}
	const record = typeof raw === 'string' ? parseJson(raw) : raw;
	if (isObject(record)) return { record, problems: [] };
	return problem(`is ${shownValue(raw)}, but must be a JSON object`);
}
