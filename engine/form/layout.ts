// Where each field of an operation stands on the form and where its value goes in the request.
// The form (form.ts) and the reading of it (values/) both follow this one list.
import type { Field, GroupField, ListOperation, Operation } from '../area';
import { conditions, listFilters } from './filter';
import { labelOf } from './labels';
import {
	etagFor,
	inputsByKind,
	notModified,
	optionsByKind,
	parallelRequests,
	retries,
	specifyFields,
	unknownNames,
} from './settings';

export type Destination = 'path' | 'query' | 'body' | 'settings';

export interface FieldGroup {
	goesTo: Destination;
	fields: readonly Field[];
	/** Name of the object inside the body that holds the values. */
	inside?: string;
	/** n8n collection that holds the fields; without it each field is a parameter of its own. */
	collection?: { name: string; label: string; add: string };
	/** Values of "Specify Fields" that show the group; without it all do. */
	shownFor?: readonly string[];
}

export interface Layout {
	groups: readonly FieldGroup[];
	/** Whether a record travels, which may be given in three ways. */
	hasBody: boolean;
}

const byLabel = (a: Field, b: Field) => labelOf(a).localeCompare(labelOf(b));

function queryGroup({ columns = [] }: ListOperation): FieldGroup {
	const filters = [...listFilters, ...(columns.length > 0 ? [conditions(columns)] : [])];
	return {
		goesTo: 'query',
		fields: filters,
		collection: { name: 'filters', label: 'Filters', add: 'Add Filter' },
	};
}

const isGroup = (field: Field): field is GroupField => field.type === 'group';

/** Of a bulk patch each field is a parameter of its own: a patch is nothing without them. */
function bodyGroups(body: readonly Field[], isBulk: boolean): FieldGroup[] {
	const collection = { name: 'fields', label: 'Fields', add: 'Add Field' };
	const first: FieldGroup = {
		goesTo: 'body',
		fields: body.filter((field) => !isGroup(field)),
		shownFor: ['form'],
	};
	return [
		isBulk ? first : { ...first, collection },
		...body.filter(isGroup).map(
			(field): FieldGroup => ({
				goesTo: 'body',
				fields: field.fields,
				inside: field.name,
				collection: { name: field.name, label: labelOf(field), add: 'Add Field' },
				shownFor: ['form'],
			}),
		),
	];
}

/**
 * The groups of an operation's fields, in the order of the form: required first, options last.
 * @param operation an entry of an area table
 */
export function layout(operation: Operation): Layout {
	const body = 'body' in operation ? operation.body : undefined;
	const isPaged = operation.kind === 'list' && operation.paged;
	const groups: FieldGroup[] = [
		{ goesTo: 'settings', fields: body ? [specifyFields] : [] },
		{ goesTo: 'path', fields: operation.ids ?? [], shownFor: ['form', 'json'] },
		{ goesTo: 'settings', fields: inputsByKind[operation.kind] },
		...(isPaged ? [queryGroup(operation)] : []),
		...(body ? bodyGroups(body, operation.kind === 'bulk') : []),
		{
			goesTo: 'settings',
			fields: [
				...(operation.etag ? [etagFor(operation)] : []),
				...(operation.profile === 'A' ? [notModified] : []),
				...(operation.kind === 'list' && !isPaged ? [] : optionsByKind[operation.kind]),
				...(body ? [unknownNames] : []),
				parallelRequests,
				...retries,
			],
			collection: { name: 'options', label: 'Options', add: 'Add Option' },
		},
	];
	return {
		groups: groups
			.filter(({ fields }) => fields.length > 0)
			.map(({ fields, ...group }) => ({
				...group,
				// In the order in which n8n's own nodes list what a collection offers.
				fields: group.collection ? [...fields].sort(byLabel) : fields,
			})),
		hasBody: body !== undefined,
	};
}
