// One field of a table → its input on the n8n form. Every call builds new objects: n8n changes descriptions.
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
	ShownFor,
} from '../area';
import { formName, labelOf } from './labels';

/** A field that has an input; a group has several. */
export type InputField = Exclude<Field, GroupField>;

/** n8n's condition for showing an input. */
export const displayOptionsFor = (conditions: ShownFor): IDisplayOptions => ({
	show: Object.fromEntries(Object.entries(conditions).map(([name, values]) => [name, [...values]])),
});

interface Input {
	type: NodePropertyTypes;
	/** What it starts with: nothing that would be sent. */
	empty: string | boolean | string[];
}

const inputs: Record<ScalarType, Input> = {
	text: { type: 'string', empty: '' },
	integer: { type: 'number', empty: '' },
	number: { type: 'number', empty: '' },
	boolean: { type: 'boolean', empty: false },
	dateTime: { type: 'dateTime', empty: '' },
	uuid: { type: 'string', empty: '' },
	email: { type: 'string', empty: '' },
	textList: { type: 'string', empty: [''] },
	object: { type: 'json', empty: '' },
	objectList: { type: 'json', empty: '' },
	choice: { type: 'options', empty: '' },
	choices: { type: 'multiOptions', empty: [] },
	header: { type: 'string', empty: '' },
	file: { type: 'string', empty: '' },
};

/** n8n marks a text that is missing before a run, but no number: one that must be given is typed as text. */
const inputOf = ({ type, required, default: initial }: ScalarField): Input =>
	inputs[type === 'integer' && required && initial === undefined ? 'text' : type];

/** The name n8n's fixedCollection gives the list of entries; values/ reads it back. */
export const entriesKey = 'entries';

/** What the list of a text's suggestions says when the person gives another; see customName(). */
export const customChoice = 'custom';

/** The parameter that holds a value which is not among a text's suggestions. */
export const customName = (name: string): string => `${formName(name)}Custom`;

/** Names of a field's parameters on the form. */
export const parametersOf = (field: Field): string[] => [
	formName(field.name),
	...('suggestions' in field && field.suggestions ? [customName(field.name)] : []),
];

type InitialValue = NonNullable<INodeProperties['default']>;

function initialScalar(field: ScalarField): InitialValue {
	const { default: initial } = field;
	// A list of its own for each form.
	if (initial !== undefined) return typeof initial === 'object' ? [...initial] : initial;
	if (field.type === 'choice') return field.choices![0]!.value;
	const { empty } = inputOf(field);
	return Array.isArray(empty) ? [...empty] : empty;
}

/** What a field's input holds before a person fills it in; a list of objects has one entry to fill in. */
export function initialValueOf(field: InputField): InitialValue {
	if (field.type !== 'objects') return initialScalar(field);
	const entry = field.fields.map((inner) => [formName(inner.name), initialScalar(inner)] as const);
	return { [entriesKey]: [Object.fromEntries(entry)] };
}

/** @returns undefined for what needs none, such as a switch */
function exampleOf({ example }: ScalarField): string | undefined {
	const first: unknown = Array.isArray(example) ? example[0] : example;
	return typeof first === 'string' || typeof first === 'number' ? `e.g. ${first}` : undefined;
}

/**
 * n8n's editor of JSON has no placeholder: a sample stands below it, and is never sent. So does the whole label,
 * which n8n cuts off after some 25 letters.
 */
const jsonHint = (field: ScalarField): string =>
	`${labelOf(field)}, for instance: ${JSON.stringify(field.example)}. This is an assumption: the interface does not show the inner fields.`;

const dropdownOptions = (choices: readonly Choice[]): INodePropertyOptions[] =>
	choices.map((entry) => ({ ...entry }));

function scalarInput(field: ScalarField): INodeProperties {
	const { type } = inputOf(field);
	const placeholder = type === 'json' ? undefined : exampleOf(field);
	const typeOptions = {
		...(type === 'number' && field.type === 'integer' && { numberPrecision: 0 }),
		...(type === 'number' && field.min !== undefined && { minValue: field.min }),
		...(type === 'number' && field.max !== undefined && { maxValue: field.max }),
		...(field.type === 'textList' && {
			multipleValues: true,
			multipleValueButtonText: `Add ${field.entry ?? labelOf(field)}`,
		}),
	};
	return {
		displayName: labelOf(field),
		name: formName(field.name),
		type,
		default: initialScalar(field),
		...(field.choices && { options: dropdownOptions(field.choices) }),
		...(Object.keys(typeOptions).length > 0 && { typeOptions }),
		...(field.required && { required: true }),
		...(field.fixed && { noDataExpression: true }),
		...(field.description && { description: field.description }),
		...(placeholder && { placeholder }),
		...(type === 'json' && { hint: jsonHint(field) }),
	};
}

/** A text with suggestions: a list of them, and an input for any other. */
function suggestingInputs(field: ScalarField, suggestions: readonly Choice[]): INodeProperties[] {
	// The example is among the suggestions.
	const list = scalarInput(field);
	delete list.placeholder;
	const own = { value: customChoice, name: 'Custom' };
	// n8n shows it also when the list is an expression: it must not ask for it then.
	const text = { ...list };
	delete text.required;
	return [
		{ ...list, type: 'options', options: dropdownOptions([...suggestions, own]) },
		{
			...text,
			displayName: `Custom ${labelOf(field)}`,
			name: customName(field.name),
			default: '',
			displayOptions: { show: { [list.name]: [customChoice] } },
		},
	];
}

function listInput(field: ObjectsField): INodeProperties {
	const label = labelOf(field);
	// An entry that was left empty is none: it may only be marked as missing where an entry is required.
	const inner = ({ required, ...one }: ScalarField) =>
		scalarInput({ ...one, required: required && field.required });
	return {
		displayName: label,
		name: formName(field.name),
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${field.entry ?? label}`,
		default: initialValueOf(field),
		...(field.required && { required: true }),
		...(field.description && { description: field.description }),
		options: [{ name: entriesKey, displayName: label, values: field.fields.map(inner) }],
	};
}

function inputsAnywhere(field: InputField): INodeProperties[] {
	if (field.type === 'objects') return [listInput(field)];
	return field.suggestions ? suggestingInputs(field, field.suggestions) : [scalarInput(field)];
}

/**
 * The inputs of a field, one as a rule.
 * @param show when n8n is to show them; without it always
 */
export const inputsOf = (field: InputField, show: ShownFor = {}): INodeProperties[] =>
	inputsAnywhere(field).map((input) => {
		const conditions = { ...show, ...field.shownFor, ...input.displayOptions?.show } as ShownFor;
		const isConditional = Object.keys(conditions).length > 0;
		return { ...input, ...(isConditional && { displayOptions: displayOptionsFor(conditions) }) };
	});
