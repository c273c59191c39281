// Where each field of an operation stands on the form and where its value goes in the request.
// The form (properties.ts) and the reading of it (values.ts) both follow this one list.
import {
	boolean,
	file,
	header,
	integer,
	type Field,
	type Operation,
	type ScalarField,
} from './area';
import { labelOf } from './labels';

export type Destination = 'path' | 'query' | 'body' | 'settings';

export interface FieldGroup {
	goesTo: Destination;
	fields: readonly Field[];
	/** n8n collection that holds the fields; without it each field is a parameter of its own. */
	collection?: { name: string; label: string; add: string; needsOne: boolean };
}

const parallelRequests = integer('parallelRequests', {
	min: 1,
	default: 8,
	description: 'How many requests may be under way at once. 1 sends strictly one after another.',
});

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

const byLabel = (a: ScalarField, b: ScalarField) => labelOf(a).localeCompare(labelOf(b));

/**
 * The groups of an operation's fields, in the order of the form: required first, options last.
 * @param operation an entry of an area table
 */
export function layout(operation: Operation): FieldGroup[] {
	const groups: FieldGroup[] = [
		{ goesTo: 'path', fields: operation.ids ?? [] },
		{ goesTo: 'settings', fields: topLevelByKind[operation.kind] },
	];
	if (operation.kind === 'list') {
		groups.push({
			goesTo: 'query',
			fields: operation.filters,
			collection: { name: 'filters', label: 'Filters', add: 'Add Filter', needsOne: false },
		});
	}
	if (operation.kind === 'bulk') groups.push({ goesTo: 'body', fields: operation.body });
	if ((operation.kind === 'item' || operation.kind === 'empty') && operation.body) {
		groups.push({
			goesTo: 'body',
			fields: operation.body,
			collection: { name: 'fields', label: 'Fields', add: 'Add Field', needsOne: true },
		});
	}
	const options = [
		...(operation.etag ? [etag] : []),
		...optionsByKind[operation.kind],
		parallelRequests,
	];
	groups.push({
		goesTo: 'settings',
		fields: options.sort(byLabel),
		collection: { name: 'options', label: 'Options', add: 'Add Option', needsOne: false },
	});
	return groups.filter((group) => group.fields.length > 0);
}
