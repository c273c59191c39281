// What n8n (from 2.x on) tells an AI assistant that builds a workflow, made of the tables. Its type definitions show
// neither placeholders, nor what is required inside a collection, nor the description of a choice.
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

const exampleOf = (field: InputField): unknown =>
	field.type === 'objects' ? undefined : field.example;

/** Formats that a type definition does not show. */
const formats: Partial<Record<Field['type'], string>> = {
	dateTime: 'ISO 8601 text',
	object: 'Text of one JSON object',
	objectList: 'Text of a JSON list of objects',
	textList: 'List of texts',
};

/** What options do that an assistant has to know of, beside their descriptions. */
const ofOptions: Record<string, string> = {
	checkOnly: 'true sends nothing: items come out with wouldSend',
	sendOnceKey: 'Set it for schedules. A row whose key was sent comes out with alreadySent: true',
	include: 'Without it, the sent fields come out beside the response',
	additionalFields: 'Only for fields that this operation does not have',
};

/** The hint of a field inside a collection. */
function hintOf(field: InputField): string {
	const { required, default: initial } = field as ScalarField;
	const example = exampleOf(field);
	return [
		ofOptions[field.name],
		required && initial === undefined && 'Required',
		formats[field.type],
		example !== undefined && `such as ${JSON.stringify([example].flat()[0])}`,
	]
		.filter(Boolean)
		.join(', ');
}

/** The properties of an area's node, with hints for its fields. */
export function propertiesOf(area: Area): INodeProperties[] {
	const fields = area.resources
		.flatMap(({ operations }) => operations)
		.flatMap((operation) => layoutOf(operation).groups.flatMap((group) => group.fields));
	const hinted = (property: INodeProperties): INodeProperties => {
		const field = fields.find(({ name }) => parameterName(name) === property.name);
		const propertyHint = field && property.type !== 'hidden' && hintOf(field);
		if (property.type !== 'collection')
			return propertyHint ? { ...property, builderHint: { propertyHint } } : property;
		return { ...property, options: (property.options as INodeProperties[]).map(hinted) };
	};
	return withHidden(nodeProperties(area), 'method').map(hinted);
}

const expression = (text: string): string => `expr('{{ ${text} }}')`;

/** What a field of a row gives, as a pattern shows it. */
function valueOf(field: Field): string {
	if (field.type === 'group') return `{ ${field.fields.map(entryOf).join(', ')} }`;
	if (field.type === 'objects')
		return `{ ${entriesName}: [{ ${field.fields.map(entryOf).join(', ')} }] }`;
	return field.default === undefined || typeof field.default === 'object'
		? expression(`$json.${field.name.replace(/\W/g, '_')}`)
		: JSON.stringify(field.default);
}
const entryOf = (field: Field): string => `${parameterName(field.name)}: ${valueOf(field)}`;

/** The parameters of a whole node that is right. */
export function patternOf(resource: string, operation: Operation): string {
	const { groups } = layoutOf(operation);
	const body = operation.body ?? [];
	const required = body.filter((field: Field) => field.required);
	const ofForm = required.length > 0 ? required : body.slice(0, 1);
	const entriesOf = (fields: readonly Field[]) => fields.map(entryOf);
	const inFields = entriesOf(ofForm.filter(({ type }) => type !== 'group'));
	// An object in the record is a collection of its own.
	const objects = entriesOf(ofForm.filter(({ type }) => type === 'group'));
	const ofRecord =
		operation.kind === 'bulk'
			? entriesOf(body)
			: [...(inFields.length > 0 ? [`fields: { ${inFields.join(', ')} }`] : []), ...objects];
	const parts = [
		`resource: '${resource}'`,
		`operation: '${operation.name}'`,
		...(operation.ids ?? []).map((id) =>
			id.name === 'path' ? `path: ${JSON.stringify(id.example)}` : entryOf(id),
		),
		...ofRecord,
		...(groups.some(({ fields: all }) => all.some(({ name }) => name === 'body'))
			? [`body: ${expression('{ name: $json.name }')}`]
			: []),
		...(groups.some(({ fields: all }) => all.some(({ name }) => name === 'rowsKey'))
			? ["rowsKey: 'vendors'"]
			: []),
		...(operation.kind === 'list' ? ['returnAll: true'] : []),
		...(isWriting(operation) ? [`options: { sendOnceKey: ${expression('$json.rowID')} }`] : []),
	];
	return `{ ${parts.join(', ')} }`;
}

const packageName = 'n8n-nodes-agency-records';

/** The hints of a node as a whole. */
export function builderHintOf(area: Area): IBuilderHint {
	const all = area.resources.flatMap(({ name, operations }) =>
		operations.map((operation) => ({ resource: name, operation })),
	);
	const patterns = all.map(
		({ resource, operation }) =>
			`<pattern title="${operation.action}">\nparameters: ${patternOf(resource, operation)}\n</pattern>`,
	);
	const isOfAnyRequest = all.some(({ operation }) => !isDocumented(operation));
	const names = all.map(({ resource, operation }) => `${resource}.${operation.name}`).join(', ');
	return {
		searchHint: isOfAnyRequest
			? "Always set 'operation' (get, getMany, post, put, patch, delete): there is no 'method', 'url' or 'queryParameters'. 'path' stands below the Base URL, with its query. Prefer the area nodes where one has the operation."
			: `Has ${names}. Always set 'operation'. Fields stand under 'fields' (of bulk updates: beside it), options under 'options'. A failed item under On Error: continue has 'message' and 'error' (code, outcome, fault, retryable).`,
		...(!isOfAnyRequest && {
			relatedNodes: [
				{
					nodeType: `${packageName}.agencyRecordsRequest`,
					relationHint: 'Requests that no other node has, such as lists of IDs',
				},
			],
		}),
		extraTypeDefContent: [{ content: `<patterns>\n${patterns.join('\n')}\n</patterns>` }],
	};
}
