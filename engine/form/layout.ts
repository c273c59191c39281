// Where each field of an operation stands on the form and where its value goes in the request.
// The form (form.ts) and the reading of it (values/) both follow this one list.
import type { Field, GroupField, ListOperation, Operation } from '../area';
import { changeFilters, rowFilter } from './filter';
import { labelOf } from './labels';
import { rowOutput } from './listSettings';
import {
	etagFor,
	inputsByKind,
	notModified,
	optionsByKind,
	parallelRequests,
	retrySettings,
	specifyFields,
	unknownNames,
	writeOptions,
} from './settings';

export type Destination = 'path' | 'query' | 'body' | 'settings';

/** n8n's collection: fields that are added one by one, or are open and can be removed one by one. */
export interface Collection {
	name: string;
	label: string;
	/** What its button says. */
	add: string;
	description?: string;
	isOpen?: boolean;
}

export interface FieldGroup {
	goesTo: Destination;
	fields: readonly Field[];
	/** Name of the object inside the body that holds the values. */
	inside?: string;
	/** Holds the fields; without it each field is a parameter of its own. */
	collection?: Collection;
	/** Values of "Specify Fields" that show the group; without it all do. */
	shownFor?: { specifyFields: readonly string[] };
}

export interface Layout {
	groups: readonly FieldGroup[];
	/** Fields of the record that travels, which may be given in three ways. */
	body?: readonly Field[];
}

const byLabel = (a: Field, b: Field) => labelOf(a).localeCompare(labelOf(b));

/** What is added one by one is listed by the alphabet, as in n8n's own nodes. */
export const collectionGroup = (
	goesTo: Destination,
	collection: Collection,
	fields: readonly Field[],
): FieldGroup => ({ goesTo, collection, fields: [...fields].sort(byLabel) });

const leftEmpty =
	'What is left empty is not sent. To send an empty text, use the input item or JSON.';

const isGroup = (field: Field): field is GroupField => field.type === 'group';

/** Fields that stand together, in the order of the table: an object of its own stands alone. */
function fieldsThatStandTogether(body: readonly Field[]): Field[][] {
	const result: Field[][] = [];
	for (const field of body) {
		const last = result.at(-1);
		if (last && !isGroup(field) && !isGroup(last[0]!)) last.push(field);
		else result.push([field]);
	}
	return result;
}

/** Of a bulk patch each field is a parameter of its own: a patch is nothing without them. */
const bodyGroups = (body: readonly Field[], isBulk: boolean): FieldGroup[] =>
	fieldsThatStandTogether(body).map((fields) => {
		const common = { goesTo: 'body' as const, shownFor: { specifyFields: ['form'] } };
		const open = { add: 'Add Field', isOpen: true };
		const [first] = fields as [Field];
		if (isGroup(first)) {
			const { name, description = '' } = first;
			const sentences = `${description}. ${leftEmpty}`;
			const collection = { ...open, name, label: labelOf(first), description: sentences };
			return { ...common, fields: first.fields, inside: name, collection };
		}
		if (isBulk) return { ...common, fields };
		const collection = { ...open, name: 'fields', label: 'Fields', description: leftEmpty };
		return { ...common, fields, collection };
	});

/** Of a row, but not of its record: they cannot be updated, and so not be filtered by. */
const notUpdatable = (rowID?: string) => ['rowNum', 'rowVersion', rowID];

/**
 * What chooses the rows of a list.
 * @param others list parameters that stand under More Filters
 */
export function filterGroups(
	{ paged, columns, rowID }: ListOperation,
	others: readonly Field[],
): FieldGroup[] {
	if (!paged) return [];
	const updatable = columns.filter((column) => !notUpdatable(rowID).includes(column));
	const filters = { name: 'filters', label: 'More Filters', add: 'Add Filter' };
	return [
		{ goesTo: 'query', fields: rowFilter(updatable) },
		collectionGroup('query', filters, others),
	];
}

const listGroups = (operation: ListOperation): FieldGroup[] => [
	...filterGroups(operation, changeFilters),
	{ goesTo: 'settings', fields: rowOutput(operation.columns) },
];

/** n8n's own nodes have it last. */
export const optionsCollection: Collection = {
	name: 'options',
	label: 'Options',
	add: 'Add Option',
};

function optionsGroup(operation: Operation): FieldGroup {
	const isUnpaged = operation.kind === 'list' && !operation.paged;
	return collectionGroup('settings', optionsCollection, [
		...(operation.etag ? [etagFor(operation)] : []),
		...(operation.profile === 'A' ? [notModified] : []),
		...writeOptions(operation),
		...(isUnpaged ? [] : optionsByKind[operation.kind]),
		parallelRequests,
		...retrySettings,
	]);
}

/** The fields of the record that an operation sends, if it sends one. */
export const bodyFieldsOf = (operation: Operation): readonly Field[] | undefined =>
	'body' in operation ? operation.body : undefined;

/**
 * The groups of an operation's fields, in the order of the form: required first, options last.
 * @param operation an entry of an area table
 */
export function layout(operation: Operation): Layout {
	const body = bodyFieldsOf(operation);
	const groups: FieldGroup[] = [
		{ goesTo: 'settings', fields: body ? [specifyFields, unknownNames] : [] },
		{
			goesTo: 'path',
			fields: operation.ids ?? [],
			...(body && { shownFor: { specifyFields: ['form', 'json'] } }),
		},
		{ goesTo: 'settings', fields: inputsByKind[operation.kind] },
		...(operation.kind === 'list' ? listGroups(operation) : []),
		...(body ? bodyGroups(body, operation.kind === 'bulk') : []),
		optionsGroup(operation),
	];
	return { groups: groups.filter(({ fields }) => fields.length > 0), body };
}
