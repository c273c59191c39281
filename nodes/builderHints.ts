// Hints that n8n (from 2.x on) gives an AI assistant that builds a workflow, made from the tables. Its type definitions
// omit placeholders, and do not say which fields in a collection are required.
import type { IBuilderHint, INodeProperties } from 'n8n-workflow';

import {
	isDocumented,
	isWriting,
	type Area,
	type Field,
	type InputField,
	type Operation,
	type ScalarField,
} from '../engine/area';
import { nodeProperties } from '../engine/form/form';
import { entriesName, parameterName } from '../engine/form/labels';
import { layoutOf } from '../engine/form/layout';
import { withHidden } from '../engine/form/misplaced';

/** Formats that a type definition does not show. */
const formats: Partial<Record<Field['type'], string>> = {
	dateTime: 'ISO 8601 text',
	object: 'an object',
	objectList: 'a list of objects',
	textList: 'a list of texts',
};

/** What assistants need to know about options, besides their descriptions. */
const effects: Record<string, string> = {
	checkOnly: 'With true, nothing is sent: each item has wouldSend',
	sendOnceKey: 'Set it in schedules. A row whose key was sent has alreadySent: true',
	sendOnceCompare:
		"A sent key with other values: in doubt with 'keysAndValues', already sent with 'keys'",
	datesInRows: 'monthFirst reads 12/1/2026 7:00 AM, dayFirst 1.12.2026 07:00, excel 46357.29',
	include: 'Without it, the sent fields come with the response',
	additionalFields: 'Only for fields that this operation does not have',
	body: "For values of a row, an object: expr('{{ { name: $json.name } }}')",
	json: "For values of a row, an object: expr('{{ { name: $json.name } }}')",
};

/** @param isOptional whether the field is only there once it is added, and then needs a value */
function hintOf(field: InputField, isOptional: boolean): string {
	const { name, type, required, default: initial, example } = field as ScalarField;
	return [
		effects[name],
		required && !isOptional && initial === undefined && 'Required',
		formats[type],
		example !== undefined && `such as ${JSON.stringify(example)}`,
	]
		.filter(Boolean)
		.join(', ');
}

type Hint = [input: string, hint: string];

/** Adds hints for the fields of a form's operations to its inputs. */
export function withHints(
	inputs: INodeProperties[],
	operations: readonly Operation[],
): INodeProperties[] {
	const groups = operations.flatMap((operation) => layoutOf(operation).groups);
	const hintsOf = (fields: readonly InputField[], isOptional: boolean, inside = ''): Hint[] =>
		fields.flatMap((field) => [
			[inside + parameterName(field.name), hintOf(field, isOptional)],
			...('fields' in field ? hintsOf(field.fields, isOptional, `${field.name}.`) : []),
		]);
	const hints = new Map([
		['json', effects.json!],
		...groups.flatMap(({ fields, collection, destination }) =>
			hintsOf(fields, collection !== undefined && destination !== 'body'),
		),
	]);
	const addHints = (level: readonly INodeProperties[], inside = ''): void => {
		for (const input of level.filter(({ type }) => type !== 'hidden')) {
			const propertyHint = hints.get(inside + input.name);
			if (propertyHint) input.builderHint = { propertyHint };
			for (const part of input.options ?? []) {
				if ('values' in part) addHints(part.values, `${input.name}.`);
				else if ('type' in part) addHints([part]);
			}
		}
	};
	addHints(inputs);
	return inputs;
}

/** The properties of an area's node, with hints. */
export const propertiesOf = (area: Area): INodeProperties[] =>
	withHints(
		withHidden(nodeProperties(area)),
		area.resources.flatMap(({ operations }) => operations),
	);

const expression = (text: string): string => `expr('{{ ${text} }}')`;

/** The value that a field gets from a row, in the words of a pattern. */
function valueOf(field: Field): string {
	if (field.type === 'group') return `{ ${field.fields.map(entryOf).join(', ')} }`;
	if (field.type === 'objects')
		return `{ ${entriesName}: [{ ${field.fields.map(entryOf).join(', ')} }] }`;
	return field.default === undefined || typeof field.default === 'object'
		? expression(`$json.${field.name.replace(/\W/g, '_')}`)
		: JSON.stringify(field.default);
}
const entryOf = (field: Field): string => `${parameterName(field.name)}: ${valueOf(field)}`;

/** A path that fits the method of any request. */
function pathFor({ kind, route }: Operation): string {
	if (kind === 'list') return '/agencyvendors/vendors';
	return route.startsWith('POST ')
		? '/agencyshiftschedules/shiftschedules'
		: '/agencyshifts/shifts/101';
}

/** The parameters of a complete, correct node. */
export function patternOf(resource: string, operation: Operation): string {
	const { body = [], ids = [], kind, name, route } = operation;
	const isOther = !isDocumented(operation);
	const required = body.filter((field: Field) => field.required);
	const given: readonly Field[] =
		kind === 'bulk' ? body : required.length > 0 ? required : body.slice(0, 1);
	// A bulk patch has no collection, and an object inside the record has its own.
	const isInFields = ({ type }: Field) => kind !== 'bulk' && type !== 'group';
	const inFields = given.filter(isInFields).map(entryOf);
	const parts = [
		`resource: '${resource}'`,
		`operation: '${name}'`,
		...(isOther ? [`path: '${pathFor(operation)}'`] : ids.map(entryOf)),
		...(inFields.length > 0 ? [`fields: { ${inFields.join(', ')} }`] : []),
		...given.filter((field) => !isInFields(field)).map(entryOf),
		...(isOther && /^P/.test(route) ? [`body: ${expression('{ name: $json.name }')}`] : []),
		...(isOther && kind === 'list' ? ["rowsKey: 'vendors'"] : []),
		...(kind === 'list' ? ['returnAll: true'] : []),
		...(isWriting(operation) ? [`options: { sendOnceKey: ${expression('$json.rowID')} }`] : []),
	];
	return `{ ${parts.join(', ')} }`;
}

const failedItems =
	"Under On Error: continue, a failed item has 'message' and 'error' (code, outcome, fault, retryable).";

/**
 * Patterns of complete nodes, which n8n shows with a type definition.
 * @param notes sentences to read before them: n8n does not show the form's notices
 */
export const patternsHint = (
	patterns: ReadonlyArray<readonly [title: string, parameters: string]>,
	notes: readonly string[] = [],
) => {
	const all = patterns.map(
		([title, parameters]) => `<pattern title="${title}">\nparameters: ${parameters}\n</pattern>`,
	);
	return [{ content: [...notes, '<patterns>', ...all, '</patterns>'].join('\n') }];
};

/** The hints about a node as a whole. */
export function builderHintOf(area: Area): IBuilderHint {
	const all = area.resources.flatMap(({ name, operations }) =>
		operations.map((operation) => ({ name, operation })),
	);
	const notices = all.flatMap(({ operation }) => operation.notice ?? []);
	const writes = all.some(({ operation }) => isWriting(operation));
	const extraTypeDefContent = patternsHint(
		all.map(({ name, operation }) => [operation.action, patternOf(name, operation)]),
		[...notices, ...(writes ? [failedItems] : [])],
	);
	if (!all.every(({ operation }) => isDocumented(operation)))
		return {
			searchHint:
				"Always set 'operation': there is no 'method', 'url' or 'queryParameters'. 'path' is below the Base URL, with its query. Prefer the node of an area that has the operation.",
			extraTypeDefContent,
		};
	const relationHint = 'Requests that no other node has, such as lists of IDs';
	const nodeType = 'n8n-nodes-agency-records.agencyRecordsRequest';
	return { relatedNodes: [{ nodeType, relationHint }], extraTypeDefContent };
}
