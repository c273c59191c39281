// Turns fields and area tables into the properties of an n8n node, and finds the operation that was chosen. Every call
// builds new properties, because n8n changes descriptions after loading them.
import type { IExecuteFunctions, INodeParameters, INodeProperties } from 'n8n-workflow';

import {
	choice,
	type Area,
	type DisplayConditions,
	type InputField,
	type ObjectsField,
	type Operation,
	type Resource,
	type ScalarField,
	type ScalarType,
	type WatchedList,
} from '../area';
import { Failure } from '../failure';
import { entriesName, namesWithin, parameterName, sampleText, savedAndShown } from './labels';
import { layoutOf, type Collection, type FieldGroup } from './layout';
import { rowsInJson } from './settings';
import { triggerOn } from './trigger';

/** Also has the value of an empty input. */
type InputType = Pick<INodeProperties, 'type' | 'typeOptions' | 'default'>;

const textInput: InputType = { type: 'string', default: '' };
/** n8n's JSON editor marks empty JSON as invalid, so JSON that may stay empty has a text input. */
const jsonInput: InputType = { ...textInput, typeOptions: { rows: 3 } };

/** Inputs other than a line of text. */
const inputTypes: Partial<Record<ScalarType, InputType>> = {
	integer: { type: 'number', default: '', typeOptions: { numberPrecision: 0 } },
	number: { type: 'number', default: '' },
	boolean: { type: 'boolean', default: false },
	dateTime: { type: 'dateTime', default: '' },
	choice: { type: 'options', default: '' },
	choices: { type: 'multiOptions', default: [] },
	textList: { type: 'string', default: [''], typeOptions: { multipleValues: true } },
	object: jsonInput,
	objectList: jsonInput,
};

function inputTypeOf({ type, required, choices, default: initial }: ScalarField): InputType {
	// Before a run, n8n marks missing text but not missing numbers, so a required integer has a text input.
	if (type === 'integer' && required && initial === undefined) return textInput;
	if (choices && type === 'text') return { ...textInput, type: 'options' };
	if (type === 'object' && initial !== undefined) return { type: 'json', default: '' };
	return inputTypes[type] ?? textInput;
}

/** The initial value of a field's input; a list of objects starts with one entry to fill in. */
function initialValueOf(field: InputField): InputType['default'] {
	if (field.type === 'objects') return { [entriesName]: [initialValuesOf(field.fields)] };
	if (field.type === 'object' && field.default) return JSON.stringify(field.default);
	const firstChoice = field.type === 'choice' ? field.choices![0]!.value : undefined;
	const initial = field.default ?? firstChoice ?? inputTypeOf(field).default;
	// Each form gets its own copy of a list.
	return structuredClone(initial) as InputType['default'];
}

const initialValuesOf = (fields: readonly InputField[]): INodeParameters =>
	Object.fromEntries(fields.map((field) => [parameterName(field.name), initialValueOf(field)]));

/** The placeholder of an empty input. It is never sent. */
function exampleIn({ type, example, choices }: ScalarField): string | undefined {
	if (example === undefined || choices || type === 'boolean') return undefined;
	const [first] = [example as unknown].flat();
	return `e.g. ${inputTypes[type] === jsonInput ? JSON.stringify(example) : String(first)}`;
}

/** The attributes of a scalar field's input. */
function scalarInput(field: ScalarField) {
	const { min, max, choices, required, noDataExpression } = field;
	const { type, typeOptions = {} } = inputTypeOf(field);
	const limits = type === 'number' ? { minValue: min, maxValue: max } : {};
	const button = field.type === 'textList' ? { multipleValueButtonText: buttonOf(field) } : {};
	return {
		type,
		options: choices?.map((choice) => ({ ...choice })),
		typeOptions: { ...typeOptions, ...limits, ...button },
		required,
		noDataExpression,
		placeholder: exampleIn(field),
	};
}

/** The text of a list's button. */
const buttonOf = ({ label, entryLabel = label }: Collection): string => `Add ${entryLabel}`;

/** The attributes of the input of a list of objects. */
function objectsInput(field: ObjectsField) {
	// n8n would mark empty fields of an entry as soon as the form opens; values/ requires them before anything is sent.
	const values = field.fields.map((entryField) => inputOf({ ...entryField, required: undefined }));
	return {
		type: 'fixedCollection' as const,
		typeOptions: { multipleValues: true },
		placeholder: buttonOf(field),
		options: [{ name: entriesName, displayName: field.label, values }],
	};
}

/** n8n's conditions for showing an input. */
const shownWhen = (conditions: DisplayConditions) =>
	({ show: structuredClone(conditions) }) as INodeProperties['displayOptions'];

/** @param conditions when n8n shows the input, besides the field's own conditions */
export function inputOf(field: InputField, conditions: DisplayConditions = {}): INodeProperties {
	const { description, displayedWhen } = field;
	return {
		displayName: field.label,
		name: parameterName(field.name),
		default: initialValueOf(field),
		description,
		...(field.type === 'objects' ? objectsInput(field) : scalarInput(field)),
		displayOptions: shownWhen({ ...conditions, ...displayedWhen }),
	};
}

/** The choices of a dropdown. */
type Named = Pick<Resource, 'name' | 'label'> &
	Partial<Pick<Operation, 'action' | 'description' | 'route'>>;

const choicesFrom = (named: readonly Named[]) =>
	named.map(({ name: value, label, action, description }) => {
		return { value, name: label, action, description };
	});

function dropdown(name: string, named: readonly Named[], show?: DisplayConditions) {
	const choices = choicesFrom(named);
	// The default is an operation that reads: n8n silently fills it in where a node names none.
	const initial = named.find(({ route }) => route?.startsWith('GET '))?.name;
	return inputOf(choice(name, { choices, noDataExpression: true, default: initial }), show);
}

/** The dropdowns 'Resource' and, for each resource that has operations, 'Operation'. */
const dropdowns = (resources: ReadonlyArray<Named & Partial<Resource>>): INodeProperties[] => [
	dropdown('resource', resources),
	...resources.flatMap(({ name, operations }) =>
		operations ? dropdown('operation', operations, { resource: [name] }) : [],
	),
];

const emptyFieldsNote = 'Empty fields are not sent: for empty text, use the input item or JSON.';

/**
 * The properties of one group of fields.
 * @param conditions when n8n shows the group, besides the group's own conditions
 */
function groupProperties(group: FieldGroup, conditions: DisplayConditions): INodeProperties[] {
	const { fields, collection, displayedWhen, destination } = group;
	const show = { ...conditions, ...displayedWhen };
	if (!collection) return fields.map((field) => inputOf(field, show));
	const { description } = collection;
	// A record's fields are all open except switches, which cannot be left empty and would always be sent.
	const open = destination === 'body' ? fields.filter(({ type }) => type !== 'boolean') : [];
	return [
		{
			displayName: collection.label,
			name: collection.name,
			type: 'collection',
			placeholder: buttonOf(collection),
			default: initialValuesOf(open),
			description: description && `${description}. ${emptyFieldsNote}`,
			displayOptions: shownWhen(show),
			// n8n would require the field even before it is added; values/ requires it once it is.
			options: fields.map((field) => inputOf({ ...field, required: undefined })),
		},
	];
}

const notice = (name: string, displayName: string, show: DisplayConditions): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	displayOptions: shownWhen(show),
});

/** The inputs that replace the fields when the record is the input item or JSON. */
function recordProperties(operation: Operation, conditions: DisplayConditions): INodeProperties[] {
	const { ids = [], body } = operation;
	if (!body) return [];
	const itemFields = `Fields read from each item: ${namesWithin([...ids, ...body])}`;
	return [
		notice('inputItemNotice', itemFields, { ...conditions, specifyFields: ['inputItem'] }),
		{
			displayName: 'JSON',
			name: 'json',
			type: 'json',
			default: sampleText(body),
			required: true,
			description: `The record, with the service's names, in place of the sample, which is refused. ${rowsInJson}`,
			displayOptions: shownWhen({ ...conditions, specifyFields: ['json'] }),
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

/** The `properties` of an area's node: Resource, Operation, then each operation's fields. */
export const nodeProperties = ({ resources }: Area): INodeProperties[] => [
	...dropdowns(resources),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => operationProperties(resource, operation)),
	),
];

/**
 * The `properties` of the trigger: Resource, Trigger On, then the fields of each list. Trigger On is one input for all
 * lists, because n8n resets a multi-select that depends on the resource when another one is chosen.
 * @param first the name of the list that a new trigger watches
 */
export const triggerProperties = (lists: readonly WatchedList[], first: string) => [
	...dropdowns(lists).map((dropdown) => ({ ...dropdown, default: first })),
	inputOf(triggerOn),
	...lists.flatMap(({ name: resource, operation }) =>
		layoutOf(operation)
			.groups.flatMap((group) => groupProperties(group, { resource: [resource] }))
			.filter(({ name }) => name !== triggerOn.name),
	),
];

/** The failure of a node whose dropdown has a value it does not offer. */
export function noSuchChoice(name: string, value: unknown, named: readonly Named[]): Failure {
	const message = `This node has no ${name} "${String(value)}": it has ${savedAndShown(choicesFrom(named))}`;
	const advice = 'For a custom API call, use an operation of Agency Records Request.';
	return new Failure(message, 'notSent', { code: 'settingsUnusable', advice });
}

/**
 * n8n adds "Custom API Call" to the dropdowns of every node with a credential, but no node here has that operation.
 * @throws Failure if the node has no such operation
 */
export function chosenOperation(ctx: IExecuteFunctions, area: Area): Operation {
	const resourceName = ctx.getNodeParameter('resource', 0);
	const operationName = ctx.getNodeParameter('operation', 0, '');
	const resource = area.resources.find(({ name }) => name === resourceName);
	if (!resource) throw noSuchChoice('resource', resourceName, area.resources);
	const operation = resource.operations.find(({ name }) => name === operationName);
	if (!operation) throw noSuchChoice('operation', operationName, resource.operations);
	const { path = '' } = ctx.getNode().parameters as { path?: string };
	const circuit = operation.route.replace('{+path}', () => path.replace(/^=/, ''));
	return { ...operation, circuit };
}
