// The forms follow n8n's conventions: checked on the evaluated descriptions, since lint cannot see into tables.
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { entries, folderOf, isTrigger, nodes, titled } from './tables';

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isInput = (part: Part): part is INodeProperties => 'type' in part;

/** Every input of a node, those inside collections included. */
function inputsOf({ description }: INodeType): INodeProperties[] {
	const inside = (part: Part): INodeProperties[] => {
		const children = 'values' in part ? part.values : isInput(part) ? (part.options ?? []) : [];
		return [...(isInput(part) ? [part] : []), ...children.flatMap(inside)];
	};
	return description.properties.flatMap(inside);
}
const inputs = nodes.flatMap((node) =>
	inputsOf(node).map((input) => [`${folderOf(node)}: ${input.name}`, input] as const),
);
const lists = inputs.filter(([, { type }]) => type === 'options' || type === 'multiOptions');

const smallWords = new Set('a an and as by for from in of on or the to with'.split(' '));
/** NEMSIS writes the names of its elements so. */
const isElement = (word: string) => /^dAgency(\.\d\d)?\)?$/.test(word);
const isTitleCase = (text: string) =>
	text
		.split(/\s+\(?/)
		.every(
			(word, index) =>
				/^[A-Z\d]/.test(word) || isElement(word) || (index > 0 && smallWords.has(word)),
		);
const isSentenceCase = (text: string) => {
	const [first = '', ...rest] = text.split(' ');
	return (
		/^[A-Z]/.test(first) && rest.every((word) => /^[^A-Z]/.test(word) || /^[A-Z]{2,}/.test(word))
	);
};

test.each(inputs)('%s: label, description, placeholder and default', (_, input) => {
	const { displayName, description = '', placeholder, type } = input;
	if (type !== 'notice') {
		expect([displayName, isTitleCase(displayName)]).toEqual([displayName, true]);
		if (!['resource', 'operation', 'options', 'filters'].includes(input.name)) {
			expect([displayName, description]).toEqual([displayName, expect.stringMatching(/\w/)]);
		}
	}
	if (type === 'boolean') expect(description).toMatch(/^Whether /);
	if (placeholder && !/^Add /.test(placeholder)) expect(placeholder).toMatch(/^e\.g\. /);
	const isOneSentence = !/[.!?] /.test(description);
	expect([description, description.endsWith('.')]).toEqual([
		description,
		description !== '' && !isOneSentence,
	]);
	const isList = input.typeOptions?.multipleValues && type === 'string';
	const types: Record<string, string> = {
		string: isList ? 'array' : 'string',
		dateTime: 'string',
		json: 'string',
		notice: 'string',
		options: 'string',
		multiOptions: 'array',
		number: 'number',
		boolean: 'boolean',
		collection: 'object',
		fixedCollection: 'object',
	};
	const given = Array.isArray(input.default) ? 'array' : typeof input.default;
	// A number that was not filled in is none: 0 would be one.
	const isEmptyNumber = type === 'number' && input.default === '';
	expect([type, isEmptyNumber ? 'number' : given]).toEqual([type, types[type]]);
	// n8n marks an empty editor for JSON as wrong before anybody has typed.
	if (type === 'json') {
		expect(() => JSON.parse(input.default as string) as unknown).not.toThrow();
	}
});

test.each(nodes.map((node) => [folderOf(node), node] as const))(
	'%s: each condition names an input next to it, or one from the root, as older versions of n8n demand',
	(_, { description }) => {
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
	},
);

/** What other inputs are compared with, in all conditions of a description. */
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

// n8n checks the credential's conditions each time it reads a credential, and gives a pattern a time limit, which a busy
// machine exceeds: the run would fail.
test.each([
	...nodes.map((node) => [folderOf(node), node.description] as const),
	['the credential', new AgencyRecordsApi().properties] as const,
])('%s: a condition compares with values', (_, description) => {
	const compared = comparedIn(description);
	expect(compared).toContainEqual(expect.any(String));
	const other = compared.filter((value) => !['string', 'boolean', 'number'].includes(typeof value));
	expect(other).toEqual([]);
});

test.each(lists)('%s: the list', (_, { options = [], default: initial }) => {
	const choices = options as INodePropertyOptions[];
	const names = choices.map(({ name }) => name);
	const values = choices.map(({ value }) => value);
	expect(names.filter((name) => !isTitleCase(name))).toEqual([]);
	expect([...new Set(names)]).toEqual(names);
	expect([...new Set(values)]).toEqual(values);
	if (!Array.isArray(initial)) expect(values).toContain(initial);
	if (names.length >= 5) expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

test.each(titled(entries, "n8n's conventions"))(
	'%s: action, description, what can be added is in order',
	(_, { node, resource, operation }) => {
		expect([operation.action, isSentenceCase(operation.action)]).toEqual([operation.action, true]);
		expect(operation.action).not.toMatch(/\.$/);
		expect(operation.description).toMatch(/^[A-Z].*[^.]$/);
		const shown = node.description.properties.filter(
			({ displayOptions }) =>
				displayOptions?.show?.resource?.includes(resource) &&
				displayOptions.show.operation?.includes(operation.name),
		);
		const names = shown.map(({ name }) => name);
		expect([...new Set(names)]).toEqual(names);
		for (const { name, type, default: initial, options = [] } of shown) {
			// What stands open is in the order of the table instead, and the options in that of a person.
			if (type !== 'collection' || name === 'options') continue;
			if (Object.keys(initial as object).length > 0) continue;
			const labels = (options as INodeProperties[]).map(({ displayName }) => displayName);
			expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b)));
		}
	},
);

test.each(nodes.map((node) => [folderOf(node), node] as const))('%s: the node', (_, node) => {
	const { displayName, description, usableAsTool, defaults, properties } = node.description;
	expect([displayName, isTitleCase(displayName)]).toEqual([displayName, true]);
	expect(defaults.name).toBe(displayName);
	expect(description).toMatch(/^[A-Z].*[^.]$/);
	// An agent cannot call what begins a workflow.
	expect(usableAsTool).toBe(isTrigger(node) ? undefined : true);
	const first = isTrigger(node) ? ['resource'] : ['resource', 'operation'];
	expect(
		properties.slice(0, first.length).map(({ name, noDataExpression }) => [name, noDataExpression]),
	).toEqual(first.map((name) => [name, true]));
});
