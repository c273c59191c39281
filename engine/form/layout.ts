// Where each field of an operation is on the form, and where its value goes in the request. The form (form.ts) and the
// code that reads it (values/) both use this list, so they cannot differ.
import { integer, type Field, type InputField, type ListOperation, type Operation } from '../area';
import { filter, listFilters, showArchived } from './filter';
import { settingsAt } from './settings';

/** The part of the request or of the run that a value is for. */
export type Destination = 'path' | 'query' | 'body' | 'settings';

/** n8n's collection, whose fields are added and removed one by one. */
export type Collection = Pick<Field, 'name' | 'label' | 'entryLabel' | 'description'>;

export interface FieldGroup {
	destination: Destination;
	fields: readonly InputField[];
	/** Name of the object inside the body that holds the values. */
	bodyObject?: string;
	/** The collection that holds the fields; without it, each field is its own parameter. */
	collection?: Collection;
	/** Values of 'Specify Fields' that show the group; by default, all do. */
	displayedWhen?: { specifyFields: readonly string[] };
}

export interface Layout {
	groups: readonly FieldGroup[];
	/** Fields of the record, if one is sent; 'Specify Fields' chooses where their values come from. */
	bodyFields?: readonly Field[];
	/** Fields that the request already has: additional fields may not have their names. */
	requestFields: readonly Field[];
}

/**
 * The groups of a record's fields: one for each object in it, after the group of the other fields. The fields of a bulk
 * patch are not in a collection, because every patch needs them.
 */
function bodyGroups(bodyFields: readonly Field[], isBulk: boolean): FieldGroup[] {
	const common = { destination: 'body', displayedWhen: { specifyFields: ['form'] } } as const;
	const collection = {
		name: 'fields',
		label: 'Fields',
		entryLabel: 'Field',
		description: 'The fields of the record',
	};
	const fields = bodyFields.filter((field) => field.type !== 'group');
	const objects = bodyFields.filter((field) => field.type === 'group');
	return [
		{ ...common, fields, ...(!isBulk && { collection }) },
		...objects.map((object) => ({
			...common,
			fields: object.fields,
			bodyObject: object.name,
			collection: { ...object, entryLabel: 'Field' },
		})),
	];
}

/** The groups that choose the rows of a list, and the fields returned for each. */
function rowGroups(operation: ListOperation): FieldGroup[] {
	const output: FieldGroup = { destination: 'settings', fields: settingsAt('output', operation) };
	if (!operation.paged) return [output];
	const fields = operation.isWatched ? [filter, showArchived] : listFilters;
	const collection = { name: 'filters', label: 'Filters', entryLabel: 'Filter' };
	return [{ destination: 'query', fields, collection }, output];
}

/** The parameters that the API spec names for lists with pages. */
const listParameters = [integer('limit'), integer('offset'), ...listFilters];

/** It comes last, as in n8n's own nodes. */
const optionsCollection = { name: 'options', label: 'Options', entryLabel: 'Option' };

/**
 * The groups of an operation's fields, in the order of the form: required first, options last.
 * @param operation an entry of an area table
 */
export function layoutOf(operation: Operation): Layout {
	const { ids: idFields = [], body: bodyFields } = operation;
	const start: FieldGroup = { destination: 'settings', fields: settingsAt('start', operation) };
	const ids: FieldGroup = { destination: 'path', fields: idFields };
	const groups: FieldGroup[] = [
		...(bodyFields
			? [start, { ...ids, displayedWhen: { specifyFields: ['form', 'json'] } }]
			: [ids, start]),
		...(operation.kind === 'list' ? rowGroups(operation) : []),
		...(bodyFields ? bodyGroups(bodyFields, operation.kind === 'bulk') : []),
		{ ...start, fields: settingsAt('options', operation), collection: optionsCollection },
	];
	const recordFields = bodyFields ? [...idFields, ...bodyFields] : [];
	const requestFields = 'paged' in operation && operation.paged ? listParameters : recordFields;
	const isShown = ({ fields, collection }: FieldGroup) => fields.length > 0 || !collection;
	return { groups: groups.filter(isShown), bodyFields, requestFields };
}
