// The words of the form: labels and parameter names made of the service's names, lists to choose from, and what a
// record looks like as an input item or as JSON.
import type { Choice, Field, ScalarField, ScalarType } from '../area';

/** Words that are written in capital letters. */
const acronyms: Readonly<Record<string, string>> = { irwin: 'IRWIN', url: 'URL', zip: 'ZIP' };

const capitalized = (word: string): string =>
	acronyms[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1);

/**
 * `stationNumber` → "Station Number", `address1` → "Address 1", `IrwinID` → "IRWIN ID", `url` → "URL".
 * @param name a field name of the API spec
 */
export const humanize = (name: string): string =>
	name
		.replace(/[._]+/g, ' ')
		.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])|[a-z](?=\d)/g, '$& ')
		.split(' ')
		.map(capitalized)
		.join(' ');

/**
 * The name of a field's parameter on the form. It has no dot, which n8n would read as a path.
 * @param name a field name of the API spec, such as `dAgency.05`
 */
export const parameterName = (name: string): string => name.replaceAll('.', '_');

/** The name of the list of entries in n8n's fixedCollection. */
export const entriesKey = 'entries';

/** What a person chooses from, by the value: its name on the form, and what it means. */
export const choiceList = <Value extends string>(
	named: Readonly<Record<Value, readonly [name: string, description?: string]>>,
): Array<Choice<Value>> =>
	(Object.keys(named) as Value[]).map((value) => {
		const [name, description] = named[value];
		return { value, name, ...(description && { description }) };
	});

/** Fields as a list to choose from, in alphabetical order. */
export const choicesOf = (fields: readonly ScalarField[]): Choice[] =>
	fields
		.map((field) => ({ value: field.name, name: labelOf(field) }))
		.sort((a, b) => a.name.localeCompare(b.name));

/** The label of a field on the form, by which messages name it too. */
export const labelOf = (field: { name: string; label?: string }): string =>
	field.label ?? humanize(field.name);

/** Those of the types that are not just text. */
const typesInWords: Partial<Record<ScalarType, string>> = {
	integer: 'whole number',
	number: 'number',
	boolean: 'true or false',
	dateTime: 'date and time',
	uuid: 'UUID',
	email: 'email address',
	textList: 'list of text values',
	object: 'object (its fields are not documented)',
	objectList: 'list of objects (their fields are not documented)',
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
const sampleRecord = (fields: readonly Field[]): Record<string, unknown> =>
	Object.fromEntries(
		fields.map((field) => {
			const value = 'fields' in field ? sampleRecord(field.fields) : field.example;
			return [field.name, field.type === 'objects' ? [value] : value];
		}),
	);

/** The sample that the form's JSON field starts with. */
export const sampleText = (fields: readonly Field[]): string =>
	JSON.stringify(sampleRecord(fields), null, 2);
