// Says where each field of an operation is on the form, and where its value goes in the request. The form (form.ts)
// and the code that reads it (values/) both follow this one list, so that they cannot differ.
import {
	namesOf,
	type Field,
	type GroupField,
	type ListOperation,
	type Operation,
	type ScalarField,
} from '../area';
import { changeFilters, rowFilter } from './filter';
import { labelOf } from './labels';
import { rowOutput } from './listSettings';
import {
	dangerousOptions,
	etagOptions,
	initialOptions,
	inputsByKind,
	optionsByKind,
	parallelRequests,
	retrySettings,
	specifyFields,
	unknownNames,
	writeOptions,
} from './settings';

/** The part of the request or of the run that a value is for. */
export type Destination = 'path' | 'query' | 'body' | 'settings';

/** n8n's collection, whose fields are added and removed one by one. */
export interface Collection {
	name: string;
	label: string;
	/** The label of the button that adds a field. */
	buttonText: string;
	description?: string;
	/** Whether the form starts with the fields in it; each can still be removed. */
	startsOpen?: boolean;
	/** What earlier versions of the node had in it. A saved node that has one is refused, since nothing is ignored. */
	retired?: readonly RetiredInput[];
	/** What a node of the second version or a later one starts with; it can still be removed. */
	startsWith?: Readonly<Record<string, string>>;
}

/** An input that an earlier version had. The form shows it only where it was saved, so that it can be removed. */
export interface RetiredInput {
	name: string;
	label: string;
	/** What takes its place, as a request. */
	instead: string;
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

const byLabel = (a: Field, b: Field) => labelOf(a).localeCompare(labelOf(b));

/** A collection lists its fields alphabetically, as n8n's own nodes do. */
export const collectionGroup = (
	destination: Destination,
	collection: Collection,
	fields: readonly Field[],
): FieldGroup => ({ destination, collection, fields: [...fields].sort(byLabel) });

const emptyFieldsNote =
	'What is left empty is not sent. To send an empty text, use the input item or JSON.';

const isGroup = (field: Field): field is GroupField => field.type === 'group';

/** Cuts the fields, in the table's order, into those that share a group of the form; an object has its own group. */
function fieldsByGroup(bodyFields: readonly Field[]): Field[][] {
	const groups: Field[][] = [];
	for (const field of bodyFields) {
		const last = groups.at(-1);
		if (last && !isGroup(field) && !isGroup(last[0]!)) last.push(field);
		else groups.push([field]);
	}
	return groups;
}

/** The fields of a bulk patch are parameters of their own, in no collection: a patch is nothing without them. */
const bodyGroups = (bodyFields: readonly Field[], isBulk: boolean): FieldGroup[] =>
	fieldsByGroup(bodyFields).map((fields) => {
		const common = { destination: 'body' as const, displayedWhen: { specifyFields: ['form'] } };
		const open = { buttonText: 'Add Field', startsOpen: true };
		const [first] = fields as [Field];
		if (isGroup(first)) {
			const { name, description = '' } = first;
			const sentences = `${description}. ${emptyFieldsNote}`;
			const collection = { ...open, name, label: labelOf(first), description: sentences };
			return { ...common, fields: first.fields, bodyObject: name, collection };
		}
		if (isBulk) return { ...common, fields };
		const collection = { ...open, name: 'fields', label: 'Fields', description: emptyFieldsNote };
		return { ...common, fields, collection };
	});

/** Fields of a row that are not its record's: they cannot be updated, and a filter takes only updatable fields. */
const fieldsNotUpdatable = (rowID?: string) => ['rowNum', 'rowVersion', rowID];

/** The columns of a list that a filter may name. */
export const updatableColumns = ({
	columns,
	idField,
}: Pick<ListOperation, 'columns' | 'idField'>): ScalarField[] =>
	columns.filter(({ name }) => !fieldsNotUpdatable(idField).includes(name));

const retiredFilters: readonly RetiredInput[] = [
	{
		name: 'conditions',
		label: 'Conditions (Earlier Version)',
		instead: "set 'Filter' to 'Conditions' and enter them there",
	},
	{
		name: 'filter',
		label: 'Filter (Earlier Version)',
		instead: "set 'Filter' to 'Text' and enter it there",
	},
];

/**
 * The groups that choose the rows of a list.
 * @param others list parameters that are under 'More Filters'
 */
export function filterGroups(
	{ paged, columns, idField }: ListOperation,
	others: readonly Field[],
): FieldGroup[] {
	if (!paged) return [];
	const updatable = namesOf(updatableColumns({ columns, idField }));
	const filters = {
		name: 'filters',
		label: 'More Filters',
		buttonText: 'Add Filter',
		retired: retiredFilters,
	};
	return [
		{ destination: 'query', fields: rowFilter(updatable) },
		collectionGroup('query', filters, others),
	];
}

const listGroups = (operation: ListOperation): FieldGroup[] => [
	...filterGroups(operation, changeFilters),
	{ destination: 'settings', fields: rowOutput(namesOf(operation.columns)) },
];

/** It comes last, as in n8n's own nodes. */
export const optionsCollection: Collection = {
	name: 'options',
	label: 'Options',
	buttonText: 'Add Option',
};

/** In the order in which a person thinks of them: what is dangerous comes last. */
function optionsGroup(operation: Operation): FieldGroup {
	const isUnpaged = operation.kind === 'list' && !operation.paged;
	const fields = [
		...writeOptions(operation),
		...etagOptions(operation),
		...(isUnpaged ? [] : optionsByKind[operation.kind]),
		parallelRequests,
		...retrySettings,
		...dangerousOptions(operation),
	];
	const startsWith = initialOptions(operation);
	return { destination: 'settings', collection: { ...optionsCollection, startsWith }, fields };
}

/** The fields of the record that an operation sends, if it sends one. */
export const bodyFieldsOf = (operation: Operation): readonly Field[] | undefined =>
	'body' in operation ? operation.body : undefined;

/**
 * The groups of an operation's fields, in the order of the form: required first, options last.
 * @param operation an entry of an area table
 */
export function layoutOf(operation: Operation): Layout {
	const bodyFields = bodyFieldsOf(operation);
	const groups: FieldGroup[] = [
		{ destination: 'settings', fields: bodyFields ? [specifyFields, unknownNames] : [] },
		{
			destination: 'path',
			fields: operation.ids ?? [],
			...(bodyFields && { displayedWhen: { specifyFields: ['form', 'json'] } }),
		},
		{ destination: 'settings', fields: inputsByKind[operation.kind] },
		...(operation.kind === 'list' ? listGroups(operation) : []),
		...(bodyFields ? bodyGroups(bodyFields, operation.kind === 'bulk') : []),
		optionsGroup(operation),
	];
	return { groups: groups.filter(({ fields }) => fields.length > 0), bodyFields };
}
