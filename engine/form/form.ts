// Turns fields and area tables into the properties of an n8n node, and finds the operation that was chosen there. Every
// call builds new properties, since n8n changes the descriptions of nodes after loading them.
import type {
	IDisplayOptions,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
	NodePropertyTypes,
} from 'n8n-workflow';

import {
	bodyFieldsOf,
	choice,
	type Area,
	type DisplayConditions,
	type InputField,
	type ObjectsField,
	type Operation,
	type Resource,
	type ScalarField,
	type ScalarType,
} from '../area';
import { Failure } from '../failure';
import { entriesKey, labelOf, namesAndTypes, parameterName, sampleText } from './labels';
import { layoutOf, type FieldGroup } from './layout';
import { conventionFields, setsConventions } from './serviceConventions';

/** The types of inputs that are not for text. n8n's editor for JSON marks an empty one as wrong: it is text as well. */
const inputTypes: Partial<Record<ScalarType, NodePropertyTypes>> = {
	integer: 'number',
	number: 'number',
	boolean: 'boolean',
	dateTime: 'dateTime',
	choice: 'options',
	choices: 'multiOptions',
};

/** Before a run n8n marks a missing text, but not a missing number, so a required number has an input for text. */
function inputTypeOf({ type, required, choices, default: initial }: ScalarField) {
	if (type === 'integer' && required && initial === undefined) return 'string';
	return inputTypes[type] ?? (choices ? 'options' : 'string');
}

type InitialValue = NonNullable<INodeProperties['default']>;

/** Inputs that are not empty text when they are empty. */
const emptyInputs: Partial<Record<ScalarType, InitialValue>> = {
	boolean: false,
	choices: [],
	textList: [''],
};

/** The value that a field's input starts with; a list of objects starts with one entry to fill in. */
function initialValueOf(field: InputField): InitialValue {
	if (field.type === 'objects') return { [entriesKey]: [initialValuesOf(field.fields)] };
	const firstChoice = field.type === 'choice' ? field.choices![0]!.value : '';
	const initial = field.default ?? emptyInputs[field.type] ?? firstChoice;
	// Each form gets its own copy of a list.
	return Array.isArray(initial) ? [...(initial as string[])] : (initial as InitialValue);
}

const initialValuesOf = (fields: readonly InputField[]): INodeParameters =>
	Object.fromEntries(
		fields.map((field) => [parameterName(field.name), initialValueOf(field)]),
	) as INodeParameters;

/** @returns undefined for a field that needs no example, such as a switch */
function placeholderOf({ example }: ScalarField): string | undefined {
	const first: unknown = Array.isArray(example) ? example[0] : example;
	return typeof first === 'string' || typeof first === 'number' ? `e.g. ${first}` : undefined;
}

const holdsJson = ({ type }: ScalarField): boolean => type === 'object' || type === 'objectList';

/** The hint below a field for JSON: an example, too long for a placeholder. It is never sent. */
const jsonHint = ({ example }: ScalarField): string =>
	`For instance: ${JSON.stringify(example)}. This is an assumption: the interface does not show the inner fields.`;

/** What the input of a scalar field has of its own. */
function scalarInput(field: ScalarField) {
	const type = inputTypeOf(field);
	const placeholder = type === 'options' ? undefined : placeholderOf(field);
	const typeOptions = {
		...(holdsJson(field) && { rows: 3 }),
		...(type === 'number' && field.type === 'integer' && { numberPrecision: 0 }),
		...(type === 'number' && field.min !== undefined && { minValue: field.min }),
		...(type === 'number' && field.max !== undefined && { maxValue: field.max }),
		...(field.type === 'textList' && {
			multipleValues: true,
			multipleValueButtonText: `Add ${field.entryLabel ?? labelOf(field)}`,
		}),
	};
	return {
		type,
		...(field.choices && { options: field.choices.map((choice) => ({ ...choice })) }),
		...(Object.keys(typeOptions).length > 0 && { typeOptions }),
		...(field.required && { required: true }),
		...(field.noDataExpression && { noDataExpression: true }),
		...(placeholder && { placeholder }),
		...(holdsJson(field) && field.example && { hint: jsonHint(field) }),
	};
}

/** What the input of a list of objects has of its own. */
function objectsInput(field: ObjectsField) {
	const displayName = labelOf(field);
	// n8n would mark what is missing in an entry as soon as the form opens; values/ demands it before anything is sent.
	const values = field.fields.map((entryField) => inputOf({ ...entryField, required: false }));
	return {
		type: 'fixedCollection' as const,
		typeOptions: { multipleValues: true },
		placeholder: `Add ${field.entryLabel ?? displayName}`,
		options: [{ name: entriesKey, displayName, values }],
	};
}

/** n8n's conditions for showing an input, if there are any. */
const shownWhen = (conditions: DisplayConditions): Pick<INodeProperties, 'displayOptions'> => {
	const show = Object.entries(conditions).map(([name, values]) => [name, [...values]]);
	return show.length > 0
		? { displayOptions: { show: Object.fromEntries(show) as IDisplayOptions['show'] } }
		: {};
};

/** @param conditions when n8n shows the input, besides the field's own conditions */
export function inputOf(field: InputField, conditions: DisplayConditions = {}): INodeProperties {
	const { description, displayedWhen } = field;
	const requiresOption = 'requiresOption' in field ? field.requiresOption : undefined;
	return {
		displayName: labelOf(field),
		name: parameterName(field.name),
		default: initialValueOf(field),
		...(description && { description }),
		...(field.type === 'objects' ? objectsInput(field) : scalarInput(field)),
		...shownWhen({ ...conditions, ...displayedWhen }),
		...(requiresOption && {
			displayOptions: { show: { [requiresOption]: [{ _cnd: { exists: true } }] } },
		}),
	};
}

/** What a dropdown offers. */
type Named = Pick<Resource, 'name' | 'label'> & Partial<Pick<Operation, 'action' | 'description'>>;

function dropdown(name: string, named: readonly Named[], show?: DisplayConditions) {
	const choices = named.map(({ name: value, label, action, description }) => {
		return { value, name: label, ...(action && { action, description }) };
	});
	return inputOf(choice(name, { choices, noDataExpression: true }), show);
}

/** The dropdowns 'Resource' and, for each resource that has operations, 'Operation'. */
export const dropdowns = (
	resources: ReadonlyArray<Named & { operations?: readonly Named[] }>,
): INodeProperties[] => [
	dropdown('resource', resources),
	...resources.flatMap(({ name, operations }) =>
		operations ? dropdown('operation', operations, { resource: [name] }) : [],
	),
];

const emptyFieldsNote =
	'Fields left empty are not sent. To send an empty text, use the input item or JSON.';

/**
 * What a collection holds when the form opens. The fields of a record all stand open but for switches: one cannot be
 * left empty, and would always be sent.
 */
const initialFieldsOf = ({ destination, fields, collection }: FieldGroup): INodeParameters =>
	destination === 'body'
		? initialValuesOf(fields.filter(({ type }) => type !== 'boolean'))
		: ({ ...collection?.startsWith } as INodeParameters);

/**
 * The properties of one group of fields.
 * @param conditions when n8n shows the group, besides the group's own conditions
 */
export function groupProperties(
	group: FieldGroup,
	conditions: DisplayConditions = {},
): INodeProperties[] {
	const { destination, fields, collection, displayedWhen } = group;
	const show = { ...conditions, ...displayedWhen };
	if (!collection) return fields.map((field) => inputOf(field, show));
	const notes = [collection.description, destination === 'body' && emptyFieldsNote].filter(Boolean);
	return [
		{
			displayName: collection.label,
			name: collection.name,
			type: 'collection',
			placeholder: `Add ${collection.entryLabel}`,
			default: initialFieldsOf(group),
			...(notes.length > 0 && { description: notes.join('. ') }),
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

/** The `properties` of an area's node: Resource, Operation, then each operation's fields. */
export const nodeProperties = ({ resources }: Area): INodeProperties[] => [
	...dropdowns(resources),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => operationProperties(resource, operation)),
	),
];

/** The properties of the credential that say how the service works. */
export const conventionProperties = (): INodeProperties[] => [
	inputOf(setsConventions),
	...conventionFields.map((field) => inputOf(field, { [setsConventions.name]: [true] })),
];

/** n8n adds "Custom API Call" to the dropdowns of every node that has a credential. */
const customApiCall = '__CUSTOM_API_CALL__';

/** @throws Failure when the node has no such operation */
export function chosenOperation(ctx: IExecuteFunctions, area: Area): Operation {
	const resourceName = ctx.getNodeParameter('resource', 0);
	const operationName = ctx.getNodeParameter('operation', 0, '');
	if (resourceName === customApiCall || operationName === customApiCall) {
		throw new Failure('This node cannot make a custom API call', 'notSent', {
			code: 'invalidNode',
			advice:
				"Use the HTTP Request node with the predefined credential type 'Agency Records API', or choose an operation of this node.",
		});
	}
	const operation = area.resources
		.find(({ name }) => name === resourceName)
		?.operations.find(({ name }) => name === operationName);
	if (operation) return operation;
	throw new Failure(
		`This node has no operation "${operationName}" for the resource "${resourceName}"`,
		'notSent',
		{ code: 'invalidNode', advice: "Choose 'Resource' and 'Operation' from their lists." },
	);
}
