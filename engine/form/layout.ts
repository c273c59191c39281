// Says where each field of an operation is on the form, and where its value goes in the request. The form (form.ts)
// and the code that reads it (values/) both follow this one list, so that they cannot differ.
import type { IDataObject } from 'n8n-workflow';

import {
	bodyFieldsOf,
	namesOf,
	type Field,
	type GroupField,
	type ListOperation,
	type Operation,
	type ScalarField,
} from '../area';
import { changeFilters, rowFilter } from './filter';
import { hasInput, initialValueOf, type InputField } from './inputs';
import { labelOf, parameterName } from './labels';
import { initialOptions, settingsAt } from './settings';

/** The part of the request or of the run that a value is for. */
export type Destination = 'path' | 'query' | 'body' | 'settings';

/** n8n's collection, whose fields are added and removed one by one. */
export interface Collection {
	name: string;
	label: string;
	/** The label of the button that adds a field. */
	buttonText: string;
	description?: string;
	/** The fields that are in it when the form opens, with their values; each can still be removed. */
	startsWith?: Readonly<IDataObject>;
}

export interface FieldGroup {
	destination: Destination;
	fields: readonly Field[];
	/** Name of the object inside the body that holds the values. */
	bodyObject?: string;
	/** The collection that the fields are in; without it each field is a parameter of its own. */
	collection?: Collection;
	/** Values of 'Specify Fields' that show the group; without it all do. */
	displayedWhen?: { specifyFields: readonly string[] };
}

export interface Layout {
	groups: readonly FieldGroup[];
	/** Fields of the record that is sent, if one is; 'Specify Fields' says where their values come from. */
	bodyFields?: readonly Field[];
}

const emptyFieldsNote =
	'Fields left empty are not sent. To send an empty text, use the input item or JSON.';

const isGroup = (field: Field): field is GroupField => field.type === 'group';

/** A switch cannot be left empty, so that one that the form starts with would always be sent. */
const initialFields = (fields: readonly InputField[]): IDataObject =>
	Object.fromEntries(
		fields
			.filter(({ type }) => type !== 'boolean')
			.map((field) => [parameterName(field.name), initialValueOf(field) as IDataObject]),
	);

/** @param collection without it, the fields are parameters of their own */
const bodyGroup = (
	fields: readonly InputField[],
	collection?: Pick<Collection, 'name' | 'label' | 'description'>,
): FieldGroup => ({
	destination: 'body',
	displayedWhen: { specifyFields: ['form'] },
	fields,
	...(collection && {
		collection: { ...collection, buttonText: 'Add Field', startsWith: initialFields(fields) },
	}),
});

/**
 * The groups of a record's fields: one for each object in it, after that of the other fields. The fields of a bulk
 * patch are parameters of their own, in no collection: a patch is nothing without them.
 */
function bodyGroups(bodyFields: readonly Field[], isBulk: boolean): FieldGroup[] {
	const collection = { name: 'fields', label: 'Fields', description: emptyFieldsNote };
	const objectGroups = bodyFields.filter(isGroup).map(({ name, label, fields, description }) => ({
		...bodyGroup(fields, {
			name,
			label: labelOf({ name, label }),
			description: `${description}. ${emptyFieldsNote}`,
		}),
		bodyObject: name,
	}));
	return [bodyGroup(bodyFields.filter(hasInput), isBulk ? undefined : collection), ...objectGroups];
}

/** The columns of a list that a filter may name: the others are not of the record, and cannot be updated. */
export const updatableColumns = ({ columns, idField }: ListOperation): ScalarField[] =>
	columns.filter(({ name }) => !['rowNum', 'rowVersion', idField].includes(name));

/**
 * The groups that choose the rows of a list, and what is returned of each.
 * @param moreFilters list parameters that are under 'More Filters'
 */
export function rowGroups(operation: ListOperation, moreFilters: readonly Field[]): FieldGroup[] {
	const output: FieldGroup = { destination: 'settings', fields: settingsAt('output', operation) };
	if (!operation.paged) return [output];
	const collection = { name: 'filters', label: 'More Filters', buttonText: 'Add Filter' };
	return [
		{ destination: 'query', fields: rowFilter(namesOf(updatableColumns(operation))) },
		{ destination: 'query', fields: moreFilters, collection },
		output,
	];
}

/** It comes last, as in n8n's own nodes. */
export const optionsCollection: Collection = {
	name: 'options',
	label: 'Options',
	buttonText: 'Add Option',
};

/**
 * The groups of an operation's fields, in the order of the form: required first, options last.
 * @param operation an entry of an area table
 */
export function layoutOf(operation: Operation): Layout {
	const bodyFields = bodyFieldsOf(operation);
	const groups: FieldGroup[] = [
		{ destination: 'settings', fields: settingsAt('start', operation) },
		{
			destination: 'path',
			fields: operation.ids ?? [],
			...(bodyFields && { displayedWhen: { specifyFields: ['form', 'json'] } }),
		},
		...(operation.kind === 'list' ? rowGroups(operation, changeFilters) : []),
		...(bodyFields ? bodyGroups(bodyFields, operation.kind === 'bulk') : []),
		{
			destination: 'settings',
			fields: settingsAt('options', operation),
			collection: { ...optionsCollection, startsWith: initialOptions(operation) },
		},
	];
	return { groups: groups.filter(({ fields }) => fields.length > 0), bodyFields };
}
