// Turns an area table into the properties of an n8n node. Every call builds new objects, since n8n changes the
// descriptions of nodes after loading them.
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	beforeVersion2,
	sinceVersion2,
	type Area,
	type Field,
	type Operation,
	type Resource,
	type DisplayConditions,
} from '../area';
import { namesAndTypes, sampleText } from './recordSample';
import { inputsOf, displayOptionsFor, initialValueOf, type InputField } from './inputs';
import { parameterName } from './labels';
import {
	bodyFieldsOf,
	layoutOf,
	type Collection,
	type FieldGroup,
	type RetiredInput,
} from './layout';

const hasInput = (field: Field): field is InputField => field.type !== 'group';

/** A switch cannot be left empty, so that one that the form starts with would always be sent. */
const isInitiallyShown = ({ type }: Field): boolean => type !== 'boolean';

/** The value of a collection that starts with its fields; each can still be removed. */
const initialFields = (fields: readonly InputField[]) =>
	Object.fromEntries(
		fields
			.filter(isInitiallyShown)
			.map((field) => [parameterName(field.name), initialValueOf(field)]),
	);

/** n8n drops from a saved node what its form does not know, so that without this nobody would notice. */
const retiredInput = ({ name, label, instead }: RetiredInput): INodeProperties => ({
	displayName: label,
	name,
	type: 'json',
	default: '',
	description: `Not used any more: ${instead}, then remove this`,
	displayOptions: displayOptionsFor({ [name]: [{ _cnd: { exists: true } }] }),
});

/** The inputs of a collection; those that are retired are found where their names belong. */
function inputsIn({ retired }: Collection, fields: readonly InputField[]): INodeProperties[] {
	const inputs = fields.flatMap((field) => inputsOf({ ...field, required: false }));
	if (!retired) return inputs;
	return [...inputs, ...retired.map(retiredInput)].sort((a, b) =>
		a.displayName.localeCompare(b.displayName),
	);
}

/**
 * The properties of one group of fields.
 * @param conditions when n8n shows the group, besides the group's own conditions
 */
export function groupProperties(
	group: FieldGroup,
	conditions: DisplayConditions,
): INodeProperties[] {
	const { collection } = group;
	const show = { ...conditions, ...group.displayedWhen };
	const fields = group.fields.filter(hasInput);
	if (!collection) return fields.flatMap((field) => inputsOf(field, show));
	const property = (initial: object, version: DisplayConditions = {}): INodeProperties => ({
		displayName: collection.label,
		name: collection.name,
		type: 'collection',
		placeholder: collection.buttonText,
		default: { ...initial },
		...(collection.description && { description: collection.description }),
		displayOptions: displayOptionsFor({ ...show, ...version }),
		// n8n would demand a required field even while it is not added; values/ demands it once it is.
		options: inputsIn(collection, fields),
	});
	if (collection.startsWith)
		return [property({}, beforeVersion2), property(collection.startsWith, sinceVersion2)];
	return [property(collection.startsOpen ? initialFields(fields) : {})];
}

export const notice = (
	name: string,
	displayName: string,
	show: DisplayConditions,
): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	displayOptions: displayOptionsFor(show),
});

/** What the form shows instead of the fields when the record is the input item or JSON. */
function recordProperties(operation: Operation, conditions: DisplayConditions): INodeProperties[] {
	const bodyFields = bodyFieldsOf(operation);
	if (!bodyFields) return [];
	const showFor = (specifyFields: string) => ({ ...conditions, specifyFields: [specifyFields] });
	const itemFields = namesAndTypes([...(operation.ids ?? []), ...bodyFields]);
	return [
		notice(
			'inputItemNotice',
			`Fields of each item that are read: ${itemFields}`,
			showFor('inputItem'),
		),
		notice('jsonNotice', `The JSON may hold: ${namesAndTypes(bodyFields)}`, showFor('json')),
		{
			displayName: 'JSON',
			name: 'json',
			type: 'json',
			default: sampleText(bodyFields),
			required: true,
			description:
				"The record, with the service's names: JSON text, or an object from an expression. The field starts with a sample, which is refused until you change it.",
			displayOptions: displayOptionsFor(showFor('json')),
		},
	];
}

function operationProperties(resource: Resource, operation: Operation): INodeProperties[] {
	const show: DisplayConditions = { resource: [resource.name], operation: [operation.name] };
	const groups = layoutOf(operation).groups.map((group) => groupProperties(group, show));
	return [
		...(operation.notice ? [notice(`${operation.name}Notice`, operation.notice, show)] : []),
		...groups.slice(0, -1).flat(),
		...recordProperties(operation, show),
		// The options come last.
		...groups.slice(-1).flat(),
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
		displayOptions: displayOptionsFor({ resource: [resource.name] }),
		options: resource.operations.map(operationOption),
		default: resource.operations[0]?.name ?? '',
	};
}

/**
 * The `properties` of an area's node: Resource, Operation, then each operation's fields.
 */
export function nodeProperties(area: Area): INodeProperties[] {
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
