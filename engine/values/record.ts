// Reads a record that has the service's own names: the input item, or the JSON parameter.
import type { Field } from '../area';
import { sampleText } from '../form/recordSample';
import { isObject, parseJson, type JsonObject } from '../http/json';
import { FieldReader, isUnset, ownValue, type FieldProblem, type ReadFields } from './fields';
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
	fields: readonly Field[],
	record: JsonObject,
	timeZone: string,
): ReadFields {
	const reader = new FieldReader(timeZone, 'record');
	const values = reader.readFields(fields, ({ name }) => ownValue(record, name));
	return { values, problems: reader.problems, omittedFields: reader.omittedFields };
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
 * The problems of names that match no field. JSON was written for this operation, and so has none; a column of the
 * input item may be for another node, unless it is certain which field it means.
 * @param fields of the record
 */
export function unknownNameProblems(
	source: RecordSource,
	unknownNames: readonly UnknownName[],
	fields: readonly Field[],
): FieldProblem[] {
	const nearMisses = unknownNames.flatMap(({ name, nearMiss }) =>
		nearMiss === undefined
			? []
			: [{ label: name, text: `must be called ${nearMiss}: rename it, or remove it` }],
	);
	const others = unknownNames.filter(({ nearMiss }) => nearMiss === undefined);
	if (source !== 'json' || others.length === 0) return nearMisses;
	return [
		...nearMisses,
		...others.map(({ name }) => ({ label: name, text: 'is not a field of this operation' })),
		{ label: '', text: `its fields are ${namesListed(fields.map(({ name }) => name))}` },
	];
}

/** Says why there is nothing to send. */
export function emptyRecordProblem(
	source: RecordSource,
	unknownNames: readonly UnknownName[],
	fields: readonly Field[],
): FieldProblem {
	if (source === 'form') return { label: '', text: 'No field has a value: fill in at least one' };
	const known = namesListed(fields.map(({ name }) => name));
	const text = `No field has a value: the fields are ${known}`;
	if (unknownNames.length === 0) return { label: '', text };
	const others = namesListed(unknownNames.map(({ name }) => name));
	return {
		label: '',
		text: `${text}, and not ${others}. Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field`,
	};
}
