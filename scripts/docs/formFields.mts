// The fields of an operation's form, with their places there and in the request.
import type { Choice, Field, Operation } from '../../engine/area.ts';
import type { FieldGroup } from '../../engine/form/layout.ts';
import { label } from './markdown.mts';
import { layoutOf } from './package.mts';

export interface PlacedField {
	field: Field;
	/** With its collection: `Options › Batch Size`. */
	label: string;
	/** As the service's document names it: `value[].userID`. */
	name: string;
}

/** The fields of a list's entries follow the list. */
function placed(field: Field, labels: readonly string[], names: readonly string[]): PlacedField[] {
	const ownLabels = [...labels, field.label];
	const ownName = [...names, field.name].join('.');
	return [
		{ field, label: ownLabels.join(' › '), name: ownName },
		...(field.type === 'objects'
			? field.fields.flatMap((inner) => placed(inner, ownLabels, [`${ownName}[]`]))
			: []),
	];
}

/** Only the fields of groups that go to the right place. */
export const placedFields = (
	operation: Operation,
	goesThere: (destination: FieldGroup['destination']) => boolean,
): PlacedField[] =>
	layoutOf(operation)
		.groups.filter(({ destination }) => goesThere(destination))
		.flatMap(({ fields, collection, bodyObject, destination }) => {
			// The collection that holds the body's own fields is not named: people see it as the form itself.
			const isNamed = collection && (bodyObject !== undefined || destination !== 'body');
			const labels = isNamed ? [collection.label] : [];
			const names = bodyObject === undefined ? [] : [bodyObject];
			return fields.flatMap((field) => placed(field, labels, names));
		});

const choicesOf = (field: Field): readonly Choice[] =>
	('choices' in field ? field.choices : undefined) ?? [];

/** Longer lists, such as a row's columns, are left to the form. */
const mostChoices = 5;

/** What forms say of many fields, and docs/values.md and docs/requests.md say once. */
const saidElsewhere =
	/[.] (?:A time without an offset is read in the workflow's time zone|Find it in the agency's records system; no operation of these nodes lists it)[.]/;

/** The form's description of a field, without what other pages say, and its choices. */
export function notesOf(field: Field): string {
	const description = (field.description ?? '').replace(saidElsewhere, '');
	const choices = choicesOf(field);
	if (choices.length === 0 || choices.length > mostChoices) return description;
	const sentence = /[.]$|^$/.test(description) ? description : `${description}.`;
	return `${sentence} Choices: ${choices.map(({ name }) => label(name)).join(', ')}.`.trim();
}
