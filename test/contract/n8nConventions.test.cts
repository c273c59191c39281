// The forms follow n8n's conventions. n8n's own rules check the evaluated descriptions, since lint cannot see into
// tables.
import {
	NodeHelpers,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';

import { isWriting } from '../../engine/area';
import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { lintMessages } from '../harness/lint.mts';
import { entries, folderOf, isTrigger, nodes, titled } from './tables.cts';

const eachNode = nodes.map((node) => [folderOf(node), node] as const);

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isInput = (part: Part): part is INodeProperties => 'type' in part;

/** Every visible input of a node, including those inside collections. */
function inputsOf({ description }: INodeType): INodeProperties[] {
	const inside = (part: Part): INodeProperties[] => {
		const children = 'values' in part ? part.values : isInput(part) ? (part.options ?? []) : [];
		return [...(isInput(part) ? [part] : []), ...children.flatMap(inside)];
	};
	return description.properties.flatMap(inside).filter(({ type }) => type !== 'hidden');
}
/** By the node. */
const inputs = nodes.map((node) => [folderOf(node), inputsOf(node)] as const);
const withCredential = [...inputs, ['the credential', new AgencyRecordsApi().properties] as const];

/** The description as a literal, which lint rules can read. */
const literalOf = (description: object): string =>
	JSON.stringify(description, null, '\t').replace(/^(\t*)"(\w+)":/gm, '$1$2:');

/** Fields follow the table's order, options the order of importance; "people" has no singular. */
const exceptions = /collection-type-unsorted-items$|resource-with-plural-option$/;

test.each(eachNode)('%s: form rules', async (folder, { description, constructor: { name } }) => {
	const literal = `description: INodeTypeDescription = ${literalOf(description)};`;
	const text = `export class ${name} implements INodeType {\n${literal}\n}`;
	const rules = 'n8n-nodes-base/node-param-';
	const found = await lintMessages(`${folder}/${name}.node.ts`, text, rules);
	const broken = found
		.filter(({ ruleId }) => !exceptions.test(ruleId!))
		.map(({ message, line }) => [message, text.split('\n')[line - 1]!.trim()]);
	expect(broken).toEqual([]);
});

const isJson = (text: unknown) => {
	try {
		return typeof text === 'string' && JSON.parse(text) !== undefined;
	} catch {
		return false;
	}
};

test.each(inputs)("%s: conventions that n8n's lint does not check", (_, all) => {
	for (const { name, description, placeholder = '', type, default: initial } of all) {
		const speaksForItself = ['resource', 'operation', 'options', 'filters', 'triggerOn'];
		if (type !== 'notice' && !speaksForItself.includes(name))
			expect([name, description]).toEqual([name, expect.stringMatching(/\w/)]);
		expect([name, placeholder]).toEqual([name, expect.stringMatching(/^(Add |e\.g\. |$)/)]);
		// n8n marks an empty JSON editor as invalid before anybody types.
		if (type === 'json') expect([name, isJson(initial)]).toEqual([name, true]);
	}
});

/** The number of sentences in a text. */
const sentencesIn = (text: string) => text.split(/[.!?] (?=[A-Z'])/).length;

test.each(withCredential)('%s: short texts, with full stops only between sentences', (_, all) => {
	for (const { name, description = '', hint = '', displayName, type, options = [] } of all) {
		const notice = type === 'notice' ? displayName : '';
		const ofChoices = options.map(
			(option) => ('description' in option && option.description) || '',
		);
		for (const text of [description, hint, notice, ...ofChoices]) {
			const count = sentencesIn(text);
			expect([text, count <= 2, text.endsWith('.')]).toEqual([text, true, count === 2]);
		}
		expect([name, hint.length <= 120]).toEqual([name, true]);
	}
});

test('choices without a natural order are sorted alphabetically', () => {
	const names = ['resource', 'include', 'sendOnceCompare'];
	const sorted = inputs.flatMap(([, all]) => all).filter(({ name }) => names.includes(name));
	expect(new Set(sorted.map(({ name }) => name))).toEqual(new Set(names));
	for (const { options = [] } of sorted) {
		const shown = options.map(({ name }) => name);
		expect(shown).not.toHaveLength(0);
		expect(shown).toEqual([...shown].sort((a, b) => a.localeCompare(b)));
	}
});

const lists = entries.filter(({ operation }) => operation.kind === 'list');
test.each(titled(lists, "n8n's conventions"))(
	'%s: a list with more than ten fields can be simplified to ten, and the default selection is the ID',
	(_, { node: { description }, resource, operation }) => {
		if (operation.kind !== 'list') return;
		const { columns, simplified, idField } = operation;
		const values = { resource, operation: operation.name, output: 'selected' };
		const byName = (wanted: string) =>
			description.properties.find(
				(property) =>
					property.name === wanted &&
					NodeHelpers.displayParameter(values, property, null, description),
			);
		if (columns.length <= 10) {
			expect([simplified, byName('output')]).toEqual([undefined, undefined]);
			return;
		}
		const names = columns.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining([...simplified!]));
		expect(new Set(simplified).size).toBeLessThanOrEqual(10);
		expect(byName('outputFields')!.default).toEqual([idField]);
	},
);

test.each(eachNode)('%s: conditions name inputs beside or at the root', (_, { description }) => {
	const checkLevel = (level: readonly INodeProperties[]) => {
		const names = level.map(({ name }) => name);
		const conditions = level.flatMap(({ displayOptions = {} }) =>
			Object.values(displayOptions).flatMap((rule: object) => Object.keys(rule)),
		);
		const unknown = conditions.filter((name) => !names.includes(name) && !/^[/@]/.test(name));
		expect(unknown).toEqual([]);
		for (const { options = [] } of level) {
			for (const part of options) if ('values' in part) checkLevel(part.values);
			checkLevel(options.filter((part): part is INodeProperties => 'type' in part));
		}
	};
	checkLevel(description.properties);
});

/** The values that other inputs are compared with, in all conditions of a description. */
function comparedIn(description: unknown): unknown[] {
	if (typeof description !== 'object' || description === null) return [];
	return Object.entries(description).flatMap(([key, value]: [string, unknown]) =>
		/^(?:display|disabled)Options$/.test(key)
			? Object.values((value ?? {}) as Record<string, Record<string, unknown[]>>).flatMap((rule) =>
					Object.values(rule).flat(),
				)
			: comparedIn(value),
	);
}

// n8n checks the credential's conditions each time it reads a credential, with a time limit for patterns. A busy
// machine would exceed it, and the run would fail.
test.each([
	...nodes.map((node) => [folderOf(node), node.description] as const),
	['the credential', new AgencyRecordsApi().properties] as const,
])('%s: a condition compares with values', (_, description) => {
	const compared = comparedIn(description);
	expect(compared).toContainEqual(expect.any(String));
	const other = compared.filter((value) => !['string', 'boolean', 'number'].includes(typeof value));
	expect(other).toEqual([]);
});

test.each(titled(entries, "n8n's conventions"))(
	'%s: action and description follow the conventions, and addable fields are sorted',
	(_, { node, resource, operation }) => {
		expect(operation.action).not.toMatch(/\.$| (?:an?|the) /);
		expect(operation.description).toMatch(/^[A-Z].*[^.]$/);
		const shown = node.description.properties.filter(
			({ displayOptions, type }) =>
				type !== 'hidden' &&
				displayOptions?.show?.resource?.includes(resource) &&
				displayOptions.show.operation?.includes(operation.name),
		);
		const names = shown.map(({ name }) => name);
		expect([...new Set(names)]).toEqual(names);
		for (const { name, type, default: initial, options = [] } of shown) {
			// Fields that are shown at once follow the table's order, and the options the order of importance.
			if (type !== 'collection' || name === 'options') continue;
			if (Object.keys(initial as object).length > 0) continue;
			const labels = (options as INodeProperties[]).map(({ displayName }) => displayName);
			expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b)));
		}
	},
);

test.each(eachNode)('%s: the node', (_, node) => {
	const { displayName, description, usableAsTool, defaults, properties } = node.description;
	expect(defaults.name).toBe(displayName);
	expect(description).toMatch(/^[A-Z].*[^.]$/);
	// An agent cannot call a node that starts a workflow.
	expect(usableAsTool).toBe(isTrigger(node) ? undefined : true);
	const first = isTrigger(node) ? ['resource'] : ['resource', 'operation'];
	expect(
		properties.slice(0, first.length).map(({ name, noDataExpression }) => [name, noDataExpression]),
	).toEqual(first.map((name) => [name, true]));
});

// The options are in order of importance: Check Only first, then Send Once, the ETag last.
test.each(titled(entries, 'engine/form/settings.ts'))(
	'%s: the options about sending come first, and an ETag comes last',
	(_, { node: { description }, resource, operation }) => {
		const values = { resource, operation: operation.name };
		const collection = description.properties.find(
			(property) =>
				property.name === 'options' &&
				NodeHelpers.displayParameter(values, property, null, description),
		)!;
		const offered = (collection.options as INodeProperties[])
			.filter(({ type }) => type !== 'hidden')
			.map(({ displayName }) => displayName);
		if (isWriting(operation)) expect(offered.slice(0, 2)).toEqual(['Check Only', 'Send Once']);
		const expected = operation.etag ? [offered.length - 1] : [];
		expect([...offered.keys()].filter((at) => offered[at] === 'ETag')).toEqual(expected);
	},
);
