// Where each field of an operation stands on the form and where its value goes in the request.
// The form (properties.ts) and the reading of it (values.ts) both follow this one list.
import {
	boolean,
	choice,
	file,
	header,
	integer,
	objects,
	text,
	type Field,
	type GroupField,
	type ListOperation,
	type ObjectsField,
	type Operation,
	type ScalarField,
} from '../area';
import { filterOperators, listFilters } from './filter';
import { humanize, labelOf } from './labels';

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

/** The three ways to give a record's fields. */
const specifyFields = choice(
	'specifyFields',
	[
		{ value: 'form', name: 'Using Fields Below', description: 'Each field on this form' },
		{
			value: 'inputItem',
			name: 'Using the Input Item',
			description:
				'Fields of the item that have the names of the interface, such as stationNumber; the fastest way for many items',
		},
		{ value: 'json', name: 'Using JSON', description: 'The whole record as JSON' },
	],
	{ default: 'form', required: true, fixed: true },
);

const unknownNames = choice(
	'unknownNames',
	[
		{ value: 'ignore', name: 'Ignore' },
		{ value: 'refuse', name: 'Refuse' },
	],
	{
		default: 'ignore',
		description:
			"What to do with fields of the input item that the operation does not know, when 'Specify Fields' uses the input item",
	},
);

const parallelRequests = integer('parallelRequests', {
	min: 1,
	default: 32,
	description:
		'How many requests may be under way at once, when the service answers well; fewer when it is overwhelmed. 1 sends strictly one after another.',
});

/** How long to wait for the service, and how often to ask again. */
const patience: readonly ScalarField[] = [
	integer('maxTries', {
		min: 1,
		default: 4,
		description:
			'How often to send a request at most, when the service cannot be reached or is too busy. A request that writes is only sent again when it certainly was not processed.',
	}),
	integer('maxWait', {
		label: 'Max Wait (Seconds)',
		min: 0,
		default: 300,
		description: 'How long a request may wait between its tries, all waits together',
	}),
	integer('timeout', {
		label: 'Timeout (Seconds)',
		min: 1,
		default: 300,
		description:
			'How long the service may take to answer. For an upload it counts from the last byte that was sent.',
	}),
];

/** Where the interface lists 304 or an ETag. */
const notModified = choice(
	'notModified',
	[
		{ value: 'item', name: 'Return a Marker Item' },
		{ value: 'nothing', name: 'Return Nothing' },
	],
	{
		label: 'If Not Modified',
		default: 'item',
		description:
			'What to return when the service answers that nothing has changed since the version of the ETag (status 304)',
	},
);

const etag = header('etag', {
	label: 'ETag',
	description: 'Current version of the record, sent as the ETag header',
	placeholder: 'e.g. AAAAAAAAB9E=',
});

/** Settings of an operation's kind that the interface leaves open, or that belong to n8n. */
const optionsByKind: Record<Operation['kind'], readonly ScalarField[]> = {
	item: [],
	empty: [],
	list: [
		integer('offset', { min: 0, default: 0, description: 'Number of items to skip' }),
		integer('pageSize', {
			min: 1,
			default: 100,
			description:
				'Number of items to ask for in one request. The service does not state its maximum; if it sends fewer, paging goes on from there.',
		}),
	],
	bulk: [
		integer('batchSize', {
			min: 1,
			default: 100,
			description:
				'Number of input items to send in one request. The service does not state its maximum.',
		}),
	],
	upload: [
		header('partName', {
			label: 'Multipart Part Name',
			default: 'file',
			required: true,
			description:
				'Name of the multipart part that carries the file. The service does not state it.',
		}),
	],
};

const topLevelByKind: Record<Operation['kind'], readonly ScalarField[]> = {
	item: [],
	empty: [],
	bulk: [],
	list: [
		boolean('returnAll', {
			description: 'Whether to return all results or only up to a given limit',
		}),
		integer('limit', {
			min: 1,
			default: 50,
			required: true,
			hiddenBy: 'returnAll',
			description: 'Max number of results to return',
		}),
	],
	upload: [
		file('inputDataFieldName', {
			label: 'Input Data Field Name',
			default: 'data',
			required: true,
			description: 'The name of the input field containing the binary file data to be uploaded',
		}),
	],
};

/** What the conditions of a filter may name: the list's own columns. */
const conditions = (columns: readonly string[]): ObjectsField =>
	objects(
		'conditions',
		[
			choice(
				'field',
				columns.map((value) => ({ value, name: humanize(value) })),
				{ default: columns[0], required: true },
			),
			choice('operator', filterOperators, { default: 'eq', required: true }),
			text('value'),
		],
		{
			label: 'Filter Conditions',
			entry: 'Condition',
			description:
				'Conditions that must all hold. How the service joins them is an assumption; Filter (Raw Text) overrides it.',
		},
	);

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
		{ goesTo: 'settings', fields: topLevelByKind[operation.kind] },
		...(isPaged ? [queryGroup(operation)] : []),
		...(body ? bodyGroups(body, operation.kind === 'bulk') : []),
		{
			goesTo: 'settings',
			fields: [
				...(operation.etag ? [etag] : []),
				...(operation.profile === 'A' ? [notModified] : []),
				...(operation.kind === 'list' && !isPaged ? [] : optionsByKind[operation.kind]),
				...(body ? [unknownNames] : []),
				parallelRequests,
				...patience,
			],
			collection: { name: 'options', label: 'Options', add: 'Add Option' },
		},
	];
	return {
		groups: groups
			.filter(({ fields }) => fields.length > 0)
			.map(({ fields, ...group }) => ({
				...group,
				// n8n lists what a collection offers alphabetically.
				fields: group.collection ? [...fields].sort(byLabel) : fields,
			})),
		hasBody: body !== undefined,
	};
}
