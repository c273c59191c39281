// The trigger's form offers every list of the API spec, with only the inputs that work for it.
import { NodeHelpers, Workflow, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { isDocumented } from '../../engine/area';
import { watchedLists } from '../../nodes/AgencyRecordsTrigger/watchedLists';
import { entries, inWorkflow, isTrigger, nodeParameters, nodes, type Entry } from './tables.cts';

const [trigger] = nodes.filter(isTrigger) as [(typeof nodes)[0]];
const { properties, subtitle } = trigger.description;

const opened = (saved: INodeParameters): INodeParameters => nodeParameters(trigger, saved, true);

/** The inputs that n8n shows. */
const shown = (parameters: INodeParameters): INodeProperties[] =>
	properties.filter(
		(property) =>
			property.type !== 'hidden' &&
			NodeHelpers.displayParameter(parameters, property, null, trigger.description),
	);

const choicesOf = (name: string, parameters: INodeParameters): unknown[] =>
	shown(parameters)
		.filter((property) => property.name === name)
		.flatMap(({ options = [] }) => options.map((option) => 'value' in option && option.value));

test('it can watch every list, each listed once', () => {
	const lists = entries.filter(({ operation }) => operation.kind === 'list');
	const watches = ({ operation }: Entry) =>
		watchedLists.filter((one) => one.operation.route === operation.route);
	const problems = lists
		.filter((entry) => watches(entry).length !== 1)
		.map(
			({ file, operation }) =>
				`${file} has the list ${operation.route}, but nodes/AgencyRecordsTrigger/watchedLists.ts has it not once`,
		);
	expect(problems).toEqual([]);
	// And any other list, by its path.
	const others = watchedLists.filter(({ operation }) => !isDocumented(operation));
	expect(others.map(({ name }) => name)).toEqual(['otherList']);
	expect(watchedLists).toHaveLength(lists.length + others.length);
});

test('it opens with the vendors selected', () => {
	expect(opened({}).resource).toBe('vendor');
});

test("'Only When These Fields Change' is shown only if changes are selected", () => {
	const shows = (triggerOn: string[]) =>
		shown(opened({ resource: 'vendor', triggerOn })).some(({ name }) => name === 'onlyFields');
	expect(shows(['added', 'changed'])).toBe(true);
	expect(shows(['added', 'removed'])).toBe(false);
});

test('a new trigger reports only added rows', () => {
	expect(opened({}).triggerOn).toEqual(['added']);
});

test("another resource leaves 'Trigger On' as a person chose it", () => {
	// n8n's editor resets a multiple-choice input whose conditions name the changed input.
	const inputs = properties.filter(({ name }) => name === 'triggerOn');
	expect(inputs.map(({ displayOptions }) => Object.keys(displayOptions?.show ?? {}))).toEqual([[]]);
	for (const { name: resource } of watchedLists) {
		const parameters = opened({ resource, triggerOn: ['added'] });
		expect(choicesOf('triggerOn', parameters)).toEqual(['added', 'changed', 'removed']);
		expect(parameters.triggerOn).toEqual(['added']);
	}
});

const lists = watchedLists.map(({ name, operation }) => [name, operation] as const);
describe.each(lists)('%s', (resource, operation) => {
	test('parameters that the trigger itself sends are not on the form', () => {
		const inputs = shown(opened({ resource }));
		expect(new Set(inputs.map(({ name }) => name)).size).toBe(inputs.length);
		const inCollections = inputs.flatMap(({ options = [] }) => options);
		const names = inCollections.map(({ name }) => name);
		for (const name of ['changesSince', 'rowVersion', 'offset', 'etag', 'limit', 'pageSize'])
			expect(names).not.toContain(name);
		expect(names.includes('showArchived')).toBe(operation.paged);
	});

	test('nothing is marked as missing, and saving changes nothing', () => {
		const parameters = opened({ resource });
		const node = inWorkflow(trigger, parameters);
		const issues = NodeHelpers.getNodeParametersIssues(properties, node, trigger.description);
		const missing = isDocumented(operation) ? [] : ['path', 'rowsKey', 'idField'];
		expect(Object.keys(issues?.parameters ?? {})).toEqual(missing);
		expect(opened(nodeParameters(trigger, parameters, false))).toEqual(parameters);
	});

	test('the canvas shows what is watched', () => {
		const nodeTypes = { getByNameAndVersion: () => trigger } as never;
		const node = inWorkflow(trigger, { resource });
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const said = workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
		expect(said).toMatch(/^[A-Z][a-z]+ ?([A-Z][a-z]+)?$/);
	});
});
