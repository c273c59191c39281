// Turns an area table into the properties of an n8n node. Every call builds new objects, since n8n changes the
// descriptions of nodes after loading them.
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import {
	bodyFieldsOf,
	choice,
	type Area,
	type Choice,
	type DisplayConditions,
	type Operation,
	type Resource,
} from '../area';
import { inputOf, shownWhen } from './inputs';
import { layoutOf, type FieldGroup } from './layout';
import { namesAndTypes, sampleText } from './recordSample';

type NamedOperation = Pick<Operation, 'name' | 'label' | 'action' | 'description'>;

const dropdown = (
	name: 'resource' | 'operation',
	choices: readonly Choice[],
	show: DisplayConditions = {},
): INodeProperties => inputOf(choice(name, { choices, noDataExpression: true }), show);

/** The dropdowns 'Resource' and, for each resource that has operations, 'Operation'. */
export const dropdowns = (
	resources: ReadonlyArray<
		Pick<Resource, 'name' | 'label'> & { operations?: readonly NamedOperation[] }
	>,
): INodeProperties[] => [
	dropdown(
		'resource',
		resources.map(({ name, label }) => ({ value: name, name: label })),
	),
	...resources.flatMap(({ name: resource, operations = [] }) => {
		const choices = operations.map(({ name, label, action, description }) => {
			return { value: name, name: label, action, description };
		});
		return choices.length > 0 ? dropdown('operation', choices, { resource: [resource] }) : [];
	}),
];

/**
 * The properties of one group of fields.
 * @param conditions when n8n shows the group, besides the group's own conditions
 */
export function groupProperties(
	{ collection, displayedWhen, fields }: FieldGroup,
	conditions: DisplayConditions = {},
): INodeProperties[] {
	const show = { ...conditions, ...displayedWhen };
	if (!collection) return fields.map((field) => inputOf(field, show));
	const { name, label, buttonText, description, startsWith } = collection;
	return [
		{
			displayName: label,
			name,
			type: 'collection',
			placeholder: buttonText,
			default: { ...startsWith } as INodeParameters,
			...(description && { description }),
			...shownWhen(show),
			// n8n would demand a required field even while it is not added; values/ demands it once it is.
			options: fields.map((field) => inputOf({ ...field, required: false })),
		},
	];
}

const notice = (name: string, displayName: string, show: DisplayConditions): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	...shownWhen(show),
});

/** What the form shows instead of the fields when the record is the input item or JSON. */
function recordProperties(operation: Operation, conditions: DisplayConditions): INodeProperties[] {
	const bodyFields = bodyFieldsOf(operation);
	if (!bodyFields) return [];
	const fromInputItem = { ...conditions, specifyFields: ['inputItem'] };
	const fromJson = { ...conditions, specifyFields: ['json'] };
	const itemFields = namesAndTypes([...(operation.ids ?? []), ...bodyFields]);
	return [
		notice('inputItemNotice', `Fields of each item that are read: ${itemFields}`, fromInputItem),
		notice('jsonNotice', `The JSON may hold: ${namesAndTypes(bodyFields)}`, fromJson),
		{
			displayName: 'JSON',
			name: 'json',
			type: 'json',
			default: sampleText(bodyFields),
			required: true,
			description:
				"The record, with the service's names: JSON text, or an object from an expression. The field starts with a sample, which is refused until you change it.",
			...shownWhen(fromJson),
		},
	];
}

function operationProperties(resource: Resource, operation: Operation): INodeProperties[] {
	const show = { resource: [resource.name], operation: [operation.name] };
	const groups = layoutOf(operation).groups.map((group) => groupProperties(group, show));
	return [
		...(operation.notice ? [notice(`${operation.name}Notice`, operation.notice, show)] : []),
		...groups.slice(0, -1).flat(),
		...recordProperties(operation, show),
		// The options come last.
		...groups.slice(-1).flat(),
	];
}

/**
 * The `properties` of an area's node: Resource, Operation, then each operation's fields.
 */
export const nodeProperties = ({ resources }: Area): INodeProperties[] => [
	...dropdowns(resources),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => operationProperties(resource, operation)),
	),
];
