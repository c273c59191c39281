// The words of the form: parameter names made from the service's names, lists to choose from, and samples of a record
// as an input item or as JSON.
import type { Choice, Field, ScalarField } from '../area';

/**
 * The name of a field's parameter on the form. It has no dots, which n8n would read as a path.
 * @param name a field name of the API spec, such as `dAgency.05`
 */
export const parameterName = (name: string): string => name.replaceAll('.', '_');

/** The name of the list of entries in n8n's fixedCollection. */
export const entriesName = 'entries';

/** Choices by value, each with its name on the form and its meaning. */
export const choiceList = <Value extends string>(
	named: Readonly<Record<Value, readonly [name: string, description: string]>>,
) =>
	(Object.keys(named) as Value[]).map((value) => {
		const [name, description] = named[value];
		return { value, name, description };
	});

/** The values of a list as saved, which assistants write, each with its label, which people read. */
export const savedAndShown = (list: ReadonlyArray<Pick<Choice, 'value' | 'name'>>): string =>
	list.map(({ value, name }) => `${value} (${name})`).join(', ');

/** Fields as a list to choose from, in alphabetical order. */
export const choicesOf = (fields: readonly ScalarField[]): Choice[] =>
	fields
		.map(({ name, label }) => ({ value: name, name: label }))
		.sort((a, b) => a.name.localeCompare(b.name));

/** The names of fields, with those inside objects in braces: `op, value: { status }, path: [{ path }]`. */
export const namesWithin = (fields: readonly Field[]): string =>
	fields
		.map((field) => {
			if (!('fields' in field)) return field.name;
			const inside = `{ ${namesWithin(field.fields)} }`;
			return `${field.name}: ${field.type === 'objects' ? `[${inside}]` : inside}`;
		})
		.join(', ');

/** A record as a person might write it, from the examples in the tables. */
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
