// Area table → the n8n form. Every call builds new objects: n8n changes descriptions after loading.
import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

import type {
	Area,
	Field,
	GroupField,
	Operation,
	Resource,
	ScalarField,
	ScalarType,
} from '../area';
import { formName, labelOf } from './labels';
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
	textList: { type: 'string', empty: '' },
	object: { type: 'json', empty: '{}' },
	objectList: { type: 'json', empty: '[]' },
	choice: { type: 'options', empty: '' },
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
		...(field.max !== undefined && { maxValue: field.max }),
		...(field.type === 'textList' && {
			multipleValues: true,
			multipleValueButtonText: `Add ${field.entry ?? labelOf(field)}`,
		}),
	};
	return {
		displayName: labelOf(field),
		name: formName(field.name),
		type,
		default: field.default ?? (field.type === 'textList' ? [] : empty),
		...(field.choices && { options: field.choices.map((entry) => ({ ...entry })) }),
		...(Object.keys(typeOptions).length > 0 && { typeOptions }),
		...(field.required && { required: true }),
		...(field.fixed && { noDataExpression: true }),
		...(field.description && { description: field.description }),
		...(placeholder && { placeholder }),
	};
}

function property(field: Exclude<Field, GroupField>): INodeProperties {
	if (field.type !== 'objects') return scalarProperty(field);
	const label = labelOf(field);
	return {
		displayName: label,
		name: formName(field.name),
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${field.entry ?? label}`,
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

const isOneField = (field: Field): field is Exclude<Field, GroupField> => field.type !== 'group';

function groupProperties(group: FieldGroup, show: Show): INodeProperties[] {
	const { collection } = group;
	const fields = group.fields.filter(isOneField);
	if (collection) {
		return [
			{
				displayName: collection.label,
				name: collection.name,
				type: 'collection',
				placeholder: collection.add,
				default: {},
				displayOptions: { show },
				// n8n would ask for a required field also when it was not added; values/ asks for it once it is.
				options: fields.map((field) => property({ ...field, required: false })),
			},
		];
	}
	return fields.map((field) => ({
		...property(field),
		displayOptions: {
			show:
				'hiddenBy' in field && field.hiddenBy
					? { ...show, [field.hiddenBy]: [false] }
					: { ...show },
		},
	}));
}

const jsonProperty = (show: Show): INodeProperties => ({
	displayName: 'JSON',
	name: 'json',
	type: 'json',
	default: '{}',
	required: true,
	description:
		'The record, with the names of the interface: JSON text, or an object from an expression',
	displayOptions: { show: { ...show, specifyFields: ['json'] } },
});

function operationProperties(resource: Resource, operation: Operation): INodeProperties[] {
	const show: Show = { resource: [resource.name], operation: [operation.name] };
	const { groups, hasBody } = layout(operation);
	const notice: INodeProperties[] = operation.notice
		? [
				{
					displayName: operation.notice,
					name: `${operation.name}Notice`,
					type: 'notice',
					default: '',
					displayOptions: { show },
				},
			]
		: [];
	const fields = groups.flatMap((group) =>
		groupProperties(
			group,
			hasBody && group.shownFor ? { ...show, specifyFields: [...group.shownFor] } : show,
		),
	);
	// The JSON stands where the fields would, before the options.
	return [
		...notice,
		...fields.slice(0, -1),
		...(hasBody ? [jsonProperty(show)] : []),
		...fields.slice(-1),
	];
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
			resource.operations.flatMap((operation) => operationProperties(resource, operation)),
		),
	];
}
