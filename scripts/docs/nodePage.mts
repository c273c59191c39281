// A node's page with its purpose, fields, output and an executed example; and the README's list of nodes.
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import type { Operation } from '../../engine/area.ts';
import { pageOfNode } from '../addresses.mjs';
import type { Example } from './examples.mts';
import { notesOf, placedFields, type PlacedField } from './formFields.mts';
import { code, codeBlock, label, table } from './markdown.mts';
import { fieldsOf, requestFields, type DescribedOperation, type Schema } from './openapi.mts';
import {
	isWriting,
	type DocumentedNode,
	type DocumentedOperation,
	type DocumentedPackage,
} from './package.mts';
import type { ExampleRun } from './runExamples.mts';

/** An optional list can require fields in each of its entries; a hidden field is never required. */
function requiredOf({ field, name }: PlacedField): string {
	if (!('required' in field) || !field.required) return '';
	if (name.includes('[]')) return 'in each';
	return 'displayedWhen' in field ? 'if shown' : 'yes';
}

/** The fields of the API; '' for an operation without any. All lists have the same: docs/lists.md describes them. */
function fieldTable(operation: Operation, described: DescribedOperation): string {
	if (operation.kind === 'list') return '';
	const known = requestFields(described);
	const rows = placedFields(operation, (where) => where !== 'settings').map((placed) => {
		const field = known.find(({ name }) => name === placed.name);
		return [
			label(placed.label),
			field ? code(field.name) : '',
			field?.type ?? '',
			requiredOf(placed),
			notesOf(placed.field),
		];
	});
	const head = ['On the form', 'In the API', 'Type', 'Required', 'Description'];
	return rows.length === 0 ? '' : table(head, rows);
}

/**
 * The fields of an output item, in the service's words.
 * @param key of the array that holds the items, if there is one
 */
function namesIn(schema: Schema | undefined, key?: string): string {
	const start = key === undefined ? '' : `${key}[].`;
	const names = fieldsOf(schema).filter(({ name }) => name.startsWith(start));
	return names.map(({ name }) => code(name.slice(start.length))).join(', ');
}

/** The output of a success, by the kind of operation: the end of a sentence. */
export function outputOf(operation: Operation, response: Schema | undefined): string {
	const simplified =
		operation.kind === 'list' && operation.simplified
			? ` (the most useful of these, unless ${label('Output')} says otherwise)`
			: '';
	switch (operation.kind) {
		case 'single':
			return `per input item: ${namesIn(response)}.`;
		case 'list':
			return `per row${simplified}: ${namesIn(response, operation.rowsKey)}.${operation.paged ? ' For filters, see [Lists](../lists.md).' : ''}`;
		case 'bulk':
			return `per path: ${namesIn(response, operation.resultsKey)}. A refused path becomes an error of its input item.`;
		case 'upload':
			return `per file: ${namesIn(response)}.`;
		case 'empty':
			return `per input item: ${code(JSON.stringify(operation.output))}, and the fields of the service's response.`;
	}
}

/** In one line if it fits: Prettier breaks a longer one. */
const json = (value: unknown): string => codeBlock('json', JSON.stringify(value));

/** The settings on a form, by label. The label of a collection precedes those of its fields. */
const settingsOn = (
	parameters: object,
	properties: readonly INodeProperties[],
	before = '',
): string[] =>
	Object.entries(parameters).flatMap(([name, value]: [string, unknown]) => {
		const { displayName, type, options = [] } = properties.find((one) => one.name === name)!;
		if (type === 'collection')
			return settingsOn(value as object, options as INodeProperties[], `${displayName} › `);
		const chosen = (options as INodePropertyOptions[]).find((option) => option.value === value);
		const shown = typeof value === 'string' ? value.replace(/^=/, '') : JSON.stringify(value);
		return `${label(before + displayName)}: ${chosen ? label(chosen.name) : code(shown)}`;
	});

function setOnForm({ parameters }: Example, { properties }: INodeTypeDescription): string {
	const settings = settingsOn(parameters, properties);
	return settings.length === 0 ? '' : ` with ${settings.join('; ')}`;
}

/** For a read, also its output. A write's output is clear: the fields that the chapter names, and the sent ones. */
function exampleOf(
	{ example, operation }: DocumentedOperation,
	{ sentTo, output }: ExampleRun,
	description: INodeTypeDescription,
): string[] {
	const { item, file } = example;
	const setting = `**Example**${setOnForm(example, description)}`;
	if (file)
		return [
			`${setting}: an item with ${code(file.name)} (${file.type}) in its field ${code(file.field)}.`,
		];
	const isWithoutInput = Object.keys(item).length === 0;
	const input = isWithoutInput ? [] : [`${setting}:`, json(item)];
	if (isWriting(operation)) return input;
	const which = output.length > 1 ? `the first of ${output.length} items` : 'the item';
	const sending = `${code(sentTo)} gives, as ${which}:`;
	return [...input, isWithoutInput ? `${setting}: ${sending}` : sending, json(output[0])];
}

function operationChapter(
	documented: DocumentedOperation,
	description: INodeTypeDescription,
	run: ExampleRun,
): string[] {
	const { operation, described } = documented;
	const notice = operation.notice ? ` **${operation.notice.replace(/\.?$/, '.')}**` : '';
	return [
		`## ${operation.action}`,
		`${operation.description}.${notice} Sends ${code(operation.route)}; returns ${outputOf(operation, described.responses[0]!.schema)}`,
		fieldTable(operation, described),
		...exampleOf(documented, run, description),
	];
}

/** @returns the page as Markdown */
export const nodePage = (
	{ name, description, operations }: DocumentedNode,
	runs: ReadonlyMap<string, ExampleRun>,
): string =>
	[
		`# ${description.displayName}`,
		'See [giving values](../values.md), [IDs](../requests.md#where-ids-come-from).',
		`![The form of the node](../pictures/nodes/${name}.png)`,
		...operations.flatMap((one) =>
			operationChapter(one, description, runs.get(one.operation.route)!),
		),
	]
		.filter((paragraph) => paragraph !== '')
		.join('\n\n');

/** `agencyVendors` → "AgencyVendors". */
const classNameOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A trigger's events, as n8n's panel shows them. */
const eventsOf = (properties: readonly INodeProperties[]): string => {
	const events = properties.find(({ displayName }) => displayName === 'Trigger On')!;
	const named = events.options as INodePropertyOptions[];
	return named.map(({ name }) => `On ${name.toLowerCase()}`).join(', ');
};

/** The line of n8n's panel, or the names of several operations. */
const actionsOf = (properties: readonly INodeProperties[]): string => {
	const operations = properties.filter(({ name }) => name === 'operation');
	const named = operations.flatMap(({ options }) => options as INodePropertyOptions[]);
	const [only, ...others] = named;
	return others.length > 0 ? named.map(({ name }) => name).join(', ') : only!.action!;
};

/** The README's table of nodes. */
export const nodesTable = ({ nodes, others }: DocumentedPackage): string =>
	table(
		['Node', 'What it does', 'Operation'],
		[
			...nodes.map(({ description, page, operations }) => [
				`[${description.displayName}](docs/nodes/${page})`,
				description.description,
				operations.map(({ operation }) => operation.action).join(', '),
			]),
			...others.map(({ displayName, name, description, polling, properties }) => [
				`[${displayName}](${pageOfNode(classNameOf(name))})`,
				description,
				polling ? eventsOf(properties) : actionsOf(properties),
			]),
		],
	);
