// Area table → the n8n form. Every call builds new objects: n8n changes descriptions after loading.
import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

import type { Area, Field, Operation, Resource, ScalarField, ScalarType } from './area';
import { labelOf } from './labels';
import { layout, type FieldGroup } from './layout';

interface Input {
	type: NodePropertyTypes;
	empty: string | number | boolean;
	placeholder?: string;
}

const inputs: Record<ScalarType, Input> = {
	text: { type: 'string', empty: '' },
	integer: { type: 'number', empty: 0 },
	number: { type: 'number', empty: 0 },
	boolean: { type: 'boolean', empty: false },
	dateTime: { type: 'dateTime', empty: '' },
	uuid: { type: 'string', empty: '', placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301' },
	email: { type: 'string', empty: '', placeholder: 'e.g. name@email.com' },
	header: { type: 'string', empty: '' },
	file: { type: 'string', empty: '' },
};

type Show = Record<string, Array<string | boolean>>;

/** The name n8n's fixedCollection gives the list of entries; values.ts reads it back. */
export const entriesKey = 'entries';

function scalarProperty(field: ScalarField): INodeProperties {
	const { type, empty, placeholder = field.placeholder } = inputs[field.type];
	const typeOptions = {
		...(field.type === 'integer' && { numberPrecision: 0 }),
		...(field.min !== undefined && { minValue: field.min }),
	};
	return {
		displayName: labelOf(field),
		name: field.name,
		type,
		default: field.default ?? empty,
		...(Object.keys(typeOptions).length > 0 && { typeOptions }),
		...(field.required && { required: true }),
		...(field.description && { description: field.description }),
		...(placeholder && { placeholder }),
	};
}

function property(field: Field): INodeProperties {
	if (field.type !== 'objects') return scalarProperty(field);
	const label = labelOf(field);
	return {
		displayName: label,
		name: field.name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${label}`,
		default: {},
		...(field.required && { required: true }),
		...(field.description && { description: field.description }),
		options: [
			{
				name: entriesKey,
				displayName: label,
				values: field.fields.map((inner) => property(inner)),
			},
		],
	};
}

function groupProperties(group: FieldGroup, show: Show): INodeProperties[] {
	const { collection } = group;
	if (collection) {
		return [
			{
				displayName: collection.label,
				name: collection.name,
				type: 'collection',
				placeholder: collection.add,
				default: {},
				displayOptions: { show },
				// n8n would ask for a required field also when it was not added; values.ts asks for it once it is.
				options: group.fields.map((field) => property({ ...field, required: false })),
			},
		];
	}
	return group.fields.map((field) => ({
		...property(field),
		displayOptions: {
			show:
				'hiddenBy' in field && field.hiddenBy
					? { ...show, [field.hiddenBy]: [false] }
					: { ...show },
		},
	}));
}

function operationOption(operation: Operation): INodePropertyOptions {
	const { label: name, name: value, action, description } = operation;
	return { name, value, action, description };
}

function operationProperty(resource: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.name] } },
		options: resource.operations.map(operationOption),
		default: resource.operations[0]?.name ?? '',
	};
}

/**
 * The `properties` of a node: Resource, Operation, then each operation's fields.
 * @param area an area table
 */
export function form(area: Area): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: area.resources.map(({ label, name }) => ({ name: label, value: name })),
			default: area.resources[0]?.name ?? '',
		},
		...area.resources.map(operationProperty),
		...area.resources.flatMap((resource) =>
			resource.operations.flatMap((operation) =>
				layout(operation).flatMap((group) =>
					groupProperties(group, { resource: [resource.name], operation: [operation.name] }),
				),
			),
		),
	];
}
