// Turns one field of a table into its input on the n8n form. Every call builds new objects, since n8n changes the
// descriptions of nodes after loading them.
import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	NodePropertyTypes,
} from 'n8n-workflow';

import type {
	Choice,
	Field,
	GroupField,
	ObjectsField,
	ScalarField,
	ScalarType,
	DisplayConditions,
} from '../area';
import { parameterName, labelOf } from './labels';

/** A field that has one input; a group has one for each of its fields. */
export type InputField = Exclude<Field, GroupField>;

/** n8n's conditions for showing an input. */
export const displayOptionsFor = (conditions: DisplayConditions): IDisplayOptions => ({
	show: Object.fromEntries(
		Object.entries(conditions).map(([name, values]) => [name, structuredClone([...values])]),
	),
});

interface InputKind {
	type: NodePropertyTypes;
	/** What the input starts with, which is nothing that would be sent. */
	emptyValue: string | boolean | string[];
}

const inputKindByType: Record<ScalarType, InputKind> = {
	text: { type: 'string', emptyValue: '' },
	integer: { type: 'number', emptyValue: '' },
	number: { type: 'number', emptyValue: '' },
	boolean: { type: 'boolean', emptyValue: false },
	dateTime: { type: 'dateTime', emptyValue: '' },
	uuid: { type: 'string', emptyValue: '' },
	email: { type: 'string', emptyValue: '' },
	textList: { type: 'string', emptyValue: [''] },
	// n8n's editor for JSON marks an empty one as wrong.
	object: { type: 'string', emptyValue: '' },
	objectList: { type: 'string', emptyValue: '' },
	choice: { type: 'options', emptyValue: '' },
	choices: { type: 'multiOptions', emptyValue: [] },
	header: { type: 'string', emptyValue: '' },
	file: { type: 'string', emptyValue: '' },
};

/** Before a run n8n marks a missing text, but not a missing number, so a required number has an input for text. */
const inputKindOf = ({ type, required, default: initial }: ScalarField): InputKind =>
	inputKindByType[type === 'integer' && required && initial === undefined ? 'text' : type];

/** The name of the list of entries in n8n's fixedCollection, under which values/ reads them. */
export const entriesKey = 'entries';

/** The choice for a value that is not among a text's suggestions; customParameterName() holds the value. */
export const customChoice = 'custom';

/** The name of the parameter with a value that is not among a text's suggestions. */
export const customParameterName = (name: string): string => `${parameterName(name)}Custom`;

/** The names of a field's parameters on the form. */
export const parameterNamesOf = (field: Field): string[] => [
	parameterName(field.name),
	...('suggestions' in field && field.suggestions ? [customParameterName(field.name)] : []),
];

type InitialValue = NonNullable<INodeProperties['default']>;

function initialScalar(field: ScalarField): InitialValue {
	const { default: initial } = field;
	// Each form gets its own copy of a list.
	if (initial !== undefined) return typeof initial === 'object' ? [...initial] : initial;
	if (field.type === 'choice') return field.choices![0]!.value;
	const { emptyValue } = inputKindOf(field);
	return Array.isArray(emptyValue) ? [...emptyValue] : emptyValue;
}

/** What a field's input starts with; a list of objects starts with one entry to fill in. */
export function initialValueOf(field: InputField): InitialValue {
	if (field.type !== 'objects') return initialScalar(field);
	const entry = field.fields.map(
		(entryField) => [parameterName(entryField.name), initialScalar(entryField)] as const,
	);
	return { [entriesKey]: [Object.fromEntries(entry)] };
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

const dropdownOptions = (choices: readonly Choice[]): INodePropertyOptions[] =>
	choices.map((option) => ({ ...option }));

function scalarInput(field: ScalarField): INodeProperties {
	const { type } = inputKindOf(field);
	const placeholder = placeholderOf(field);
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
		displayName: labelOf(field),
		name: parameterName(field.name),
		type,
		default: initialScalar(field),
		...(field.choices && { options: dropdownOptions(field.choices) }),
		...(Object.keys(typeOptions).length > 0 && { typeOptions }),
		...(field.required && { required: true }),
		...(field.noDataExpression && { noDataExpression: true }),
		...(field.description && { description: field.description }),
		...(placeholder && { placeholder }),
		...(holdsJson(field) && { hint: jsonHint(field) }),
	};
}

/** A text with suggestions has a dropdown of them, and an input for any other value. */
function inputsWithSuggestions(
	field: ScalarField,
	suggestions: readonly Choice[],
): INodeProperties[] {
	// The dropdown needs no placeholder: the example is among the suggestions.
	const dropdown = scalarInput(field);
	delete dropdown.placeholder;
	const custom = { value: customChoice, name: 'Custom' };
	// n8n also shows this input when the dropdown is an expression, and must not demand a value then.
	const customInput = { ...dropdown };
	delete customInput.required;
	return [
		{ ...dropdown, type: 'options', options: dropdownOptions([...suggestions, custom]) },
		{
			...customInput,
			displayName: `Custom ${labelOf(field)}`,
			name: customParameterName(field.name),
			default: '',
			displayOptions: { show: { [dropdown.name]: [customChoice] } },
		},
	];
}

function fixedCollectionInput(field: ObjectsField): INodeProperties {
	const label = labelOf(field);
	// n8n would mark what is missing in an entry as soon as the form opens; values/ demands it before anything is sent.
	const entryInput = (entryField: ScalarField) => scalarInput({ ...entryField, required: false });
	return {
		displayName: label,
		name: parameterName(field.name),
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${field.entryLabel ?? label}`,
		default: initialValueOf(field),
		...(field.description && { description: field.description }),
		options: [{ name: entriesKey, displayName: label, values: field.fields.map(entryInput) }],
	};
}

function unconditionalInputs(field: InputField): INodeProperties[] {
	if (field.type === 'objects') return [fixedCollectionInput(field)];
	return field.suggestions ? inputsWithSuggestions(field, field.suggestions) : [scalarInput(field)];
}

/**
 * The inputs of a field: one, or two for a text with suggestions.
 * @param show when n8n shows them; without it always
 */
export const inputsOf = (field: InputField, show: DisplayConditions = {}): INodeProperties[] =>
	unconditionalInputs(field).map((input) => {
		const conditions = {
			...show,
			...field.displayedWhen,
			...('requiresOption' in field &&
				field.requiresOption && { [field.requiresOption]: [{ _cnd: { exists: true } }] }),
			...input.displayOptions?.show,
		} as DisplayConditions;
		const isConditional = Object.keys(conditions).length > 0;
		return { ...input, ...(isConditional && { displayOptions: displayOptionsFor(conditions) }) };
	});
