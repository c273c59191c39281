// Turns one field of a table into its input on the n8n form. Every call builds new objects, since n8n changes the
// descriptions of nodes after loading them.
import type {
	IDataObject,
	IDisplayOptions,
	INodeProperties,
	NodePropertyTypes,
} from 'n8n-workflow';

import type { DisplayConditions, InputField, ObjectsField, ScalarField, ScalarType } from '../area';
import { labelOf, parameterName } from './labels';

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

/** The name of the list of entries in n8n's fixedCollection, under which values/ reads them. */
export const entriesKey = 'entries';

type InitialValue = NonNullable<INodeProperties['default']>;

/** What a field's input starts with; a list of objects starts with one entry to fill in. */
export function initialValueOf(field: InputField): InitialValue {
	const { default: initial } = field;
	// Each form gets its own copy of a list.
	if (initial !== undefined) return typeof initial === 'object' ? [...initial] : initial;
	switch (field.type) {
		case 'objects': {
			const entry = field.fields.map((inner) => [parameterName(inner.name), initialValueOf(inner)]);
			return { [entriesKey]: [Object.fromEntries(entry) as IDataObject] } as InitialValue;
		}
		case 'choice':
			return field.choices![0]!.value;
		case 'boolean':
			return false;
		case 'choices':
			return [];
		case 'textList':
			return [''];
		default:
			return '';
	}
}

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
		...(holdsJson(field) && { hint: jsonHint(field) }),
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
export const shownWhen = (
	conditions: DisplayConditions,
): Pick<INodeProperties, 'displayOptions'> => {
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

/** The values that fields start with, by name; those of the others are not there. */
export const defaultsOf = (fields: readonly ScalarField[]): IDataObject =>
	Object.fromEntries(
		fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])),
	) as IDataObject;
