// Reads a record that has the service's own names: the input item, or the JSON parameter.
import type { Field } from '../area';
import { sampleText } from '../form/recordSample';
import { labelOf } from '../form/labels';
import type { FieldGroup } from '../form/layout';
import { isObject, parseJson, type JsonObject } from '../http/json';
import { FieldReader, isUnset, ownValue, type FieldProblem } from './fields';
import type { GroupValues } from './group';
import type { UnknownName } from './inputRemarks';
import { didYouMean, nearMissOf } from './didYouMean';
import { shownValue } from './scalars';

type Named = ReadonlyArray<{ name: string }>;

/** The most unknown names of an object that are compared with the known ones: no sheet has as many. */
const maxCompared = 1000;

/**
 * Names of an object that no known field has.
 * @param prefix the names of the fields that the object is inside, such as `path[].`
 */
function unknownNamesAmong(object: unknown, known: Named, prefix = ''): UnknownName[] {
	if (!isObject(object)) return [];
	const names = known.map(({ name }) => name);
	const missing = names.filter((name) => isUnset(ownValue(object, name)));
	return Object.keys(object)
		.filter((name) => !names.includes(name))
		.map((name, at) => ({
			name: `${prefix}${name}`,
			...(at < maxCompared && {
				suggestion: didYouMean(name, names),
				nearMiss: nearMissOf(name, missing),
			}),
		}));
}

/** What a record may have on its first level. */
const namedInRecord = (groups: readonly FieldGroup[]): Named =>
	groups.flatMap<{ name: string }>(({ bodyObject, fields }) =>
		bodyObject ? [{ name: bodyObject }] : fields,
	);

/** The names that a record may have on its first level. */
export const knownNames = (groups: readonly FieldGroup[]): string[] =>
	namedInRecord(groups).map(({ name }) => name);

/** Every name of a record that the operation does not have, those inside objects and lists included. */
export function unknownNamesIn(record: JsonObject, groups: readonly FieldGroup[]): UnknownName[] {
	return [
		...unknownNamesAmong(record, namedInRecord(groups)),
		...groups.flatMap(({ bodyObject, fields }) =>
			bodyObject ? unknownNamesAmong(record[bodyObject], fields, `${bodyObject}.`) : [],
		),
		...groups
			.flatMap(({ fields }) => fields)
			.flatMap((field) =>
				field.type === 'objects'
					? [record[field.name]]
							.flat()
							.flatMap((entry) => unknownNamesAmong(entry, field.fields, `${field.name}[].`))
					: [],
			),
	];
}

/** Reads one group of fields from a record. */
export function readRecord(
	{ bodyObject, collection, fields }: FieldGroup,
	record: JsonObject,
	timeZone: string,
): GroupValues {
	const reader = new FieldReader(timeZone, 'record');
	const { problems, omittedFields } = reader;
	if (bodyObject === undefined) {
		const values = reader.readFields(fields, (name) => ownValue(record, name));
		return { values, problems, omittedFields };
	}
	const label = labelOf({ name: bodyObject, label: collection?.label });
	const object = ownValue(record, bodyObject);
	if (object === null) reader.noteOmitted(label);
	if (isUnset(object)) return { values: {}, problems, omittedFields };
	if (!isObject(object)) {
		reader.addWrongValue(label, object, 'must be an object');
		return { values: {}, problems, omittedFields };
	}
	const values = reader.readFields(fields, (name) => ownValue(object, name), { label });
	// An object that is empty is sent, one whose fields all have no value is not.
	const isSent = Object.keys(values).length > 0 || Object.keys(object).length === 0;
	return { values: isSent ? { [bodyObject]: values } : {}, problems, omittedFields };
}

/**
 * Reads the record of the JSON parameter.
 * @param raw an object, or a text that holds one
 * @param fields of the record. The form starts with their sample, which is refused, since nobody has written it.
 * @returns an empty record when there is a problem
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
