// Area table → the n8n form. Every call builds new objects: n8n changes descriptions after loading.
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Area, Field, Operation, Resource, ShownFor } from '../area';
import { namesAndTypes, sampleText } from './recordSample';
import { inputsOf, displayOptionsFor, initialValueOf, type InputField } from './inputs';
import { formName } from './labels';
import { bodyFieldsOf, layout, type FieldGroup } from './layout';

const hasInput = (field: Field): field is InputField => field.type !== 'group';

/** A switch cannot be left empty: as part of a form that is open it would always be sent. */
const isOpened = ({ type }: Field): boolean => type !== 'boolean';

/** An open collection shows its fields at once; each can still be removed. */
const opened = (fields: readonly InputField[]) =>
	Object.fromEntries(
		fields.filter(isOpened).map((field) => [formName(field.name), initialValueOf(field)]),
	);

/** @param ofOperation when n8n is to show the group */
export function groupProperties(group: FieldGroup, ofOperation: ShownFor): INodeProperties[] {
	const { collection } = group;
	const show = { ...ofOperation, ...group.shownFor };
	const fields = group.fields.filter(hasInput);
	if (!collection) return fields.flatMap((field) => inputsOf(field, show));
	return [
		{
			displayName: collection.label,
			name: collection.name,
			type: 'collection',
			placeholder: collection.add,
			default: collection.isOpen ? opened(fields) : {},
			...(collection.description && { description: collection.description }),
			displayOptions: displayOptionsFor(show),
			// n8n would ask for a required field also when it was not added; values/ asks for it once it is.
			options: fields.flatMap((field) => inputsOf({ ...field, required: false })),
		},
	];
}

export const notice = (name: string, displayName: string, show: ShownFor): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	displayOptions: displayOptionsFor(show),
});

/** What stands in the place of the fields when the item or JSON gives the record. */
function recordProperties(operation: Operation, ofOperation: ShownFor): INodeProperties[] {
	const body = bodyFieldsOf(operation);
	if (!body) return [];
	const show = (way: string) => ({ ...ofOperation, specifyFields: [way] });
	const ofItem = namesAndTypes([...(operation.ids ?? []), ...body]);
	return [
		notice('inputItemNotice', `Fields of each item that are read: ${ofItem}`, show('inputItem')),
		notice('jsonNotice', `The JSON may hold: ${namesAndTypes(body)}`, show('json')),
		{
			displayName: 'JSON',
			name: 'json',
			type: 'json',
			default: sampleText(body),
			required: true,
			description:
				"The record, with the service's names: JSON text, or an object from an expression. The field starts with a sample, which is refused until you change it.",
			displayOptions: displayOptionsFor(show('json')),
		},
	];
}

function operationProperties(resource: Resource, operation: Operation): INodeProperties[] {
	const show: ShownFor = { resource: [resource.name], operation: [operation.name] };
	const groups = layout(operation).groups.map((group) => groupProperties(group, show));
	return [
		...(operation.notice ? [notice(`${operation.name}Notice`, operation.notice, show)] : []),
		...groups.slice(0, -1).flat(),
		...recordProperties(operation, show),
		// The options are last.
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
