// Shows people what a record as an input item or as JSON looks like: its names and types, and a sample.
import type { Field, ScalarType } from '../area';

/** Those of the types that are not just text. */
const typesInWords: Partial<Record<ScalarType, string>> = {
	integer: 'whole number',
	number: 'number',
	boolean: 'true or false',
	dateTime: 'date and time',
	uuid: 'UUID',
	email: 'email address',
	textList: 'list of text values',
	object: 'object (the service does not state its fields)',
	objectList: 'list of objects (the service does not state their fields)',
};

function fieldInWords(field: Field): string {
	if (field.type === 'group') return `object of ${namesAndTypes(field.fields)}`;
	const required = field.required ? ', required' : '';
	return field.type === 'objects'
		? `list of objects${required}, each of ${namesAndTypes(field.fields)}`
		: `${typesInWords[field.type] ?? 'text'}${required}`;
}

/**
 * The names of fields, each with its type.
 * @returns HTML with the few tags that n8n shows in a notice
 */
export const namesAndTypes = (fields: readonly Field[]): string =>
	`<ul>${fields.map((field) => `<li>${field.name}: ${fieldInWords(field)}</li>`).join('')}</ul>`;

/** A record as a person might write it, made of the examples in the tables. */
export const sampleRecord = (fields: readonly Field[]): Record<string, unknown> =>
	Object.fromEntries(
		fields.flatMap((field): Array<[string, unknown]> => {
			if (field.type === 'objects') return [[field.name, [sampleRecord(field.fields)]]];
			if (field.type === 'group') return [[field.name, sampleRecord(field.fields)]];
			return field.example === undefined ? [] : [[field.name, field.example]];
		}),
	);

/** The sample that the form's JSON field starts with. */
export const sampleText = (fields: readonly Field[]): string =>
	JSON.stringify(sampleRecord(fields), null, 2);
