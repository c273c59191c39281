// Reads a record that has the service's own names: the input item, or the JSON parameter.
import { namesOf, type Field } from '../area';
import type { FieldProblem } from '../failure';
import type { Destination } from '../form/layout';
import { sampleText } from '../form/labels';
import { isObject, parseJson, type JsonObject } from '../http/json';
import type { DateConventions } from './dateTime';
import { FieldReader, isUnset, ownValue, type ReadFields } from './fields';
import { namesListed } from './inputRemarks';
import { shownValue } from './scalars';

/** Where the fields of a record come from: the value of 'Specify Fields'. */
export type RecordSource = 'form' | 'inputItem' | 'json';

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

/** Reads fields from a record. */
export function readRecord(
	destination: Destination,
	fields: readonly Field[],
	record: JsonObject,
	dates: DateConventions,
): ReadFields {
	const reader = new FieldReader(dates, 'record');
	const values = reader.readFields(fields, ({ name }) => ownValue(record, name));
	const { problems, omittedFields, datesWithoutTime } = reader;
	return { destination, values, problems, omittedFields, datesWithoutTime };
}

/** A name that matches no field. */
export interface UnknownName {
	/** With the names of the fields that it is inside. */
	name: string;
	/** The field that has the same name but for case, blanks and punctuation, if it has no value under its own. */
	nearMiss?: string;
}

/** The name without case, blanks and punctuation, so that `Station Number` and `station_number` are equal. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/**
 * Every name of a record that the operation does not have, those inside objects and lists included.
 * @param prefix the names of the fields that the object is inside
 */
export function unknownNamesIn(
	object: unknown,
	fields: readonly Field[],
	prefix = '',
): UnknownName[] {
	if (!isObject(object)) return [];
	const unknownNames = Object.keys(object)
		.filter((name) => !fields.some((field) => field.name === name))
		.map((name) => {
			const nearMiss = fields.find((field) => plainName(field.name) === plainName(name));
			const isMissing = nearMiss && isUnset(ownValue(object, nearMiss.name));
			return { name: `${prefix}${name}`, ...(isMissing && { nearMiss: nearMiss.name }) };
		});
	const inside = fields.flatMap((field) =>
		'fields' in field
			? [object[field.name]]
					.flat()
					.flatMap((entry) => unknownNamesIn(entry, field.fields, `${prefix}${field.name}.`))
			: [],
	);
	return [...unknownNames, ...inside];
}

/**
 * The problems of names that match no field. JSON is written for one operation; the input item may have columns for
 * other nodes, so that only those are refused of which it is certain which field they mean.
 * @param fields of the record
 */
export function unknownNameProblems(
	source: RecordSource,
	unknownNames: readonly UnknownName[],
	fields: readonly Field[],
): FieldProblem[] {
	const problems = unknownNames.flatMap(({ name, nearMiss }) => {
		if (nearMiss !== undefined) {
			return [{ label: name, text: `must be called ${nearMiss}: rename it, or remove it` }];
		}
		return source === 'json' ? [{ label: name, text: 'is not a field of this operation' }] : [];
	});
	if (source !== 'json' || problems.length === 0) return problems;
	const text = `its fields are ${namesListed(namesOf(fields))}; others go into 'Additional Fields (JSON)'`;
	return [...problems, { label: '', text }];
}

/** Says why there is nothing to send. */
export function emptyRecordProblem(
	source: RecordSource,
	unknownNames: readonly UnknownName[],
	fields: readonly Field[],
): FieldProblem {
	if (source === 'form') return { label: '', text: 'No field has a value: fill in at least one' };
	const text = `No field has a value: the fields are ${namesListed(namesOf(fields))}`;
	if (unknownNames.length === 0) return { label: '', text };
	const advice =
		"Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field";
	return { label: '', text: `${text}, and not ${namesListed(namesOf(unknownNames))}. ${advice}` };
}
