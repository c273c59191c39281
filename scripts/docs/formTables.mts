// What stands on an operation's form, as rows of tables: the interface's fields, and the settings.
import type { Choice, Field, Operation } from '../../engine/area.ts';
import type { FieldGroup } from '../../engine/form/layout.ts';
import { code, label, table } from './markdown.mts';
import { requestFields, type DescribedField, type DescribedOperation } from './openapi.mts';
import { labelOf, layoutOf } from './package.mts';

/** A field with its place on the form and in the request. */
export interface PlacedField {
	field: Field;
	label: string;
	/** As the service's document names it: `value[].userID`. */
	name: string;
}

/** The fields of a list's entries follow the list. */
function placed(field: Field, labels: readonly string[], names: readonly string[]): PlacedField[] {
	const ownLabels = [...labels, labelOf(field)];
	const ownName = [...names, field.name].join('.');
	return [
		{ field, label: ownLabels.join(' › '), name: ownName },
		...(field.type === 'objects'
			? field.fields.flatMap((inner) => placed(inner, ownLabels, [`${ownName}[]`]))
			: []),
	];
}

function inGroup({ fields, collection, bodyObject, destination }: FieldGroup): PlacedField[] {
	// The collection of the body's own fields is not named: to a person it is the form itself.
	const isNamed = collection && (bodyObject !== undefined || destination !== 'body');
	return fields.flatMap((field) =>
		placed(field, isNamed ? [collection.label] : [], bodyObject === undefined ? [] : [bodyObject]),
	);
}

const choicesOf = (field: Field): readonly Choice[] =>
	('choices' in field ? field.choices : undefined) ?? [];

/** Longer lists, such as a row's columns, are left to the form. */
const mostChoices = 5;

function notesOf(field: Field): string {
	const { description = '' } = field;
	const choices = choicesOf(field);
	if (choices.length === 0 || choices.length > mostChoices) return description;
	const sentence = /[.]$|^$/.test(description) ? description : `${description}.`;
	return `${sentence} Choices: ${choices.map(({ name }) => label(name)).join(', ')}.`.trim();
}

/** A list that may be left out can require fields in each of its entries; a hidden field is never required. */
function requiredOf({ field, name }: PlacedField): string {
	if (!('required' in field) || !field.required) return '';
	if (name.includes('[]')) return 'in each';
	return 'displayedWhen' in field ? 'if shown' : 'yes';
}

function fieldRow(one: PlacedField, known: readonly DescribedField[]): string[] {
	const { field, label: ownLabel, name } = one;
	const described = known.find((other) => other.name === name);
	return [
		label(ownLabel),
		described ? code(name) : '',
		described?.type ?? '',
		requiredOf(one),
		notesOf(field),
	];
}

/**
 * The fields of the interface.
 * @returns '' for an operation that has none
 */
export function fieldTable(operation: Operation, described: DescribedOperation): string {
	const known = requestFields(described);
	const rows = layoutOf(operation)
		.groups.filter(({ destination }) => destination !== 'settings')
		.flatMap(inGroup)
		.map((one) => fieldRow(one, known));
	const head = ['On the form', 'In the interface', 'Type', 'Required', 'What it is'];
	return rows.length === 0 ? '' : table(head, rows);
}

/** What a field's input starts with, in the words of the form. */
function defaultOf(field: Field): string {
	const start = 'default' in field ? field.default : undefined;
	if (start === undefined) return '';
	if (typeof start === 'boolean') return start ? 'on' : 'off';
	const chosen = choicesOf(field).find(({ value }) => value === start);
	return chosen ? label(chosen.name) : String(start);
}

/** Whether only the form of an older version of the node has it. */
const isOutdated = ({ field }: PlacedField): boolean =>
	'displayedWhen' in field && '@version' in (field.displayedWhen ?? {});

/** All on the form of a new node that is no field of the interface. */
export const settingsOf = (operation: Operation): PlacedField[] =>
	layoutOf(operation)
		.groups.filter(({ destination }) => destination === 'settings')
		.flatMap(inGroup)
		.filter((placed) => !isOutdated(placed));

/** Where it is found on the form, its default, and what it does. */
export const settingRow = ({ field, label: ownLabel }: PlacedField): string[] => [
	label(ownLabel),
	defaultOf(field),
	notesOf(field),
];
