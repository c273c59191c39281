// The words of the form: labels and parameter names made of the service's names, and lists to choose from.
import type { Choice } from '../area';

/** Words that are written in capital letters. */
const acronyms: Readonly<Record<string, string>> = { irwin: 'IRWIN', url: 'URL', zip: 'ZIP' };

const capitalized = (word: string): string =>
	acronyms[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1);

/**
 * `stationNumber` → "Station Number", `address1` → "Address 1", `IrwinID` → "IRWIN ID", `url` → "URL".
 * @param name a field name of the interface
 */
export const humanize = (name: string): string =>
	name
		.replace(/[._]+/g, ' ')
		.replace(/([a-z\d])([A-Z])/g, '$1 $2')
		.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
		.replace(/([a-z])(\d)/g, '$1 $2')
		.split(' ')
		.map(capitalized)
		.join(' ');

/**
 * The name of a field's parameter on the form. It has no dot, which n8n would read as a path.
 * @param name a field name of the interface, such as `dAgency.05`
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

/** The service's names as a list to choose from, in alphabetical order. */
export const choicesOf = (names: readonly string[]): Choice[] =>
	names
		.map((value) => ({ value, name: humanize(value) }))
		.sort((a, b) => a.name.localeCompare(b.name));

/** The label of a field on the form, by which messages name it too. */
export const labelOf = (field: { name: string; label?: string }): string =>
	field.label ?? humanize(field.name);
