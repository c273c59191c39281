// A form as it opens: its fields are shown and empty, in the table's order; nothing is sent before it is filled in, and
// n8n marks missing values.
import { NodeHelpers, type IDataObject, type INodeParameters, type INodeType } from 'n8n-workflow';

import type { Field } from '../../engine/area';
import { parameterName } from '../../engine/form/labels';
import { layoutOf } from '../../engine/form/layout';
import { SavedForm } from '../../engine/values/formInputs';
import { readItem } from '../../engine/values/item';
import { entries, inWorkflow, nodeParameters, nodes, titled, type Entry } from './tables.cts';

/** The parameters of a node just added to the canvas, or of one with saved parameters. */
const parametersOf = ({ node, resource, operation }: Entry, saved: INodeParameters = {}) =>
	nodeParameters(node, { resource, operation: operation.name, ...saved }, true);

/** The labels of the inputs that n8n marks as missing. */
const missingOf = ({ node }: Entry, parameters: INodeParameters): string[] => {
	const { description } = node;
	const issues = NodeHelpers.getNodeParametersIssues(
		description.properties,
		inWorkflow(node, parameters),
		description,
	);
	const texts = Object.values(issues?.parameters ?? {}).flat();
	return texts.map((text) => /"(.*)"/.exec(text)![1]!);
};

const read = ({ operation }: Entry, parameters: INodeParameters) =>
	readItem(layoutOf(operation), {
		parameter: (name) => parameters[name] ?? null,
		json: {},
		timeZone: 'UTC',
		form: new SavedForm(parameters as IDataObject),
	});

const isSwitch = ({ type }: Field) => type === 'boolean';
const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => parameterName(name));

/** Every value in a tree of parameters. */
const leaves = (value: unknown): unknown[] =>
	typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];

const formMaker = 'engine/form/form.ts';
const each = titled(entries, formMaker);
const writing = titled(
	entries.filter(({ operation }) => 'body' in operation && operation.body),
	formMaker,
);

describe.each(each)('%s', (_, entry) => {
	test('n8n marks the missing IDs, and nothing else', () => {
		const labels = (entry.operation.ids ?? []).map(
			({ name, label }) =>
				label ?? name.replace(/ID$/, ' ID').replace(/^./, (c) => c.toUpperCase()),
		);
		expect(missingOf(entry, parametersOf(entry))).toEqual(labels);
	});

	test('saving and reopening a form changes nothing', () => {
		const opened = parametersOf(entry);
		expect(parametersOf(entry, nodeParameters(entry.node, opened, false))).toEqual(opened);
	});
});

describe.each(writing)('%s', (_, entry) => {
	const groups = layoutOf(entry.operation).groups.filter(
		({ destination }) => destination === 'body',
	);

	test("every field except switches is shown, in the table's order", () => {
		const opened = parametersOf(entry);
		for (const { collection, fields } of groups) {
			if (!collection) expect(Object.keys(opened)).toEqual(expect.arrayContaining(namesOf(fields)));
			else {
				const shown = Object.keys(opened[collection.name] as object);
				expect(shown).toEqual(namesOf(fields.filter((field) => !isSwitch(field))));
			}
		}
	});

	test('all fields are empty, and neither untouched nor emptied fields are sent', () => {
		const opened = parametersOf(entry);
		const inputs = groups.flatMap(({ collection, fields }) =>
			collection ? opened[collection.name] : namesOf(fields).map((name) => opened[name]),
		);
		const isBulk = entry.operation.kind === 'bulk';
		expect(leaves(inputs).filter((value) => value !== '')).toEqual(isBulk ? ['add'] : []);
		// The editor saves an emptied input as null.
		const emptied = JSON.parse(JSON.stringify(opened).replaceAll('""', 'null')) as INodeParameters;
		for (const parameters of [opened, emptied]) {
			const { values, inputHints } = read(entry, parameters);
			expect(values.body).toEqual(isBulk ? { op: 'add' } : {});
			expect(inputHints.omittedFields ?? []).toEqual([]);
		}
	});

	test('the descriptions of the input item and JSON list every field', () => {
		const { resource, operation, node } = entry;
		const { ids = [] } = operation;
		const body = 'body' in operation ? operation.body! : [];
		const names = (fields: readonly Field[]): string[] =>
			fields.flatMap((field) => [field.name, ...('fields' in field ? names(field.fields) : [])]);
		const inputOf = (specifyFields: string, wanted: string) =>
			node.description.properties.find(
				({ name, displayOptions }) =>
					name === wanted &&
					displayOptions?.show?.resource?.includes(resource) &&
					displayOptions.show.operation?.includes(operation.name) &&
					displayOptions.show.specifyFields?.includes(specifyFields),
			)!;
		const { displayName } = inputOf('inputItem', 'inputItemNotice');
		const [, listed] = /each item: (.*)/.exec(displayName)!;
		expect(listed!.match(/[\w.]+/g)).toEqual(names([...ids, ...body]));
		const sample = JSON.parse(inputOf('json', 'json').default as string) as object;
		const namesIn = (value: object): string[] =>
			Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
				const field = body.find((one) => one.name === name);
				return [
					name,
					...(field && 'fields' in field ? Object.keys([inner].flat()[0] as object) : []),
				];
			});
		expect(namesIn(sample)).toEqual(names(body));
	});

	test('with the input item, nothing is marked as missing', () => {
		expect(missingOf(entry, parametersOf(entry, { specifyFields: 'inputItem' }))).toEqual([]);
	});
});

test('forms share nothing: n8n changes descriptions after loading', () => {
	const objectsIn = (value: unknown): object[] =>
		typeof value === 'object' && value !== null
			? [value, ...Object.values(value).flatMap(objectsIn)]
			: [];
	for (const { constructor } of nodes) {
		const Node = constructor as new () => INodeType;
		const made = objectsIn(new Node().description.properties);
		const before = new Set(made);
		expect(before.size).toBe(made.length);
		const madeAgain = objectsIn(new Node().description.properties);
		expect(madeAgain.filter((object) => before.has(object))).toEqual([]);
	}
});
