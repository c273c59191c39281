// The patterns that n8n shows an AI assistant: each has the parameters of a whole node, and runs as is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type {
	IDataObject,
	INode,
	INodeParameters,
	INodeProperties,
	IWorkflowSettings,
} from 'n8n-workflow';

import { isWriting, type Field } from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { requests } from '../../../nodes/AgencyRecordsRequest/requests';
import { patternOf } from '../../../nodes/builderHints';
import { parametersOf } from '../../../scripts/docs/pattern.mts';
import { entries, nodeParameters, nodes, titled } from '../../contract/tables.cts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { Trigger } from '../../harness/polling.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

useStoreOfKeys();
const sandbox = useSandbox();

/** A row with a column for each field, filled with its example. */
const rowOf = (fields: readonly Field[]): IDataObject =>
	Object.assign(
		{ rowID: 7, name: 'A' },
		...fields.map((field) =>
			'fields' in field
				? rowOf(field.fields)
				: { [field.name.replace(/\W/g, '_')]: field.example ?? 1 },
		),
	) as IDataObject;

test.each(titled(entries, 'nodes/builderHints.ts'))('%s: runs', async (_, entry) => {
	const { node, resource, operation } = entry;
	const written = parametersOf(patternOf(resource, operation));
	const parameters = nodeParameters(node, written, false);
	// n8n drops none of it.
	expect(JSON.stringify(nodeParameters(node, parameters, true))).toContain(
		JSON.stringify(written.fields ?? {}).slice(1, -1),
	);
	const row = rowOf([...(operation.ids ?? []), ...(operation.body ?? [])]);
	const binary = { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'a.txt' } };
	const { error, json } = await sandbox.run({ node, parameters, items: [{ json: row, binary }] });
	expect(`${error?.message} ${error?.description}`).toBe('undefined undefined');
	expect(json.length).toBeGreaterThan(0);
});

test.each(titled(entries, 'nodes/builderHints.ts'))(
	'%s: hints for fields in a collection say what is required, with an example',
	(_, { node, resource, operation }) => {
		const fields = node.description.properties.find(
			({ name, displayOptions }) =>
				name === 'fields' && displayOptions?.show?.resource?.includes(resource),
		);
		const required = (operation.body ?? []).filter(
			({ type, required: is }: Field) => is && type !== 'group',
		);
		if (operation.kind === 'bulk' || required.length === 0) return;
		for (const { label } of required) {
			const input = (fields!.options as INodeProperties[]).find(
				(one) => one.displayName === label,
			)!;
			expect(input.builderHint?.propertyHint).toMatch(/^Required/);
		}
		expect(JSON.stringify(node.description.builderHint)).not.toContain('={{');
	},
);

describe('the page for assistants', () => {
	const page = readFileSync(join(__dirname, '../../../docs/assistants.md'), 'utf8');
	const [workflow, request, trigger] = [...page.matchAll(/```json\n(.+?)```/gs)].map(
		([, json]) => JSON.parse(json!) as { nodes: INode[]; settings: IWorkflowSettings },
	);
	const run = (className: string, parameters: object, item: IDataObject) => {
		const node = nodes.find(({ constructor }) => constructor.name === className)!;
		const saved = nodeParameters(node, parameters as INodeParameters, false);
		const { settings } = workflow!;
		return sandbox.run({ node, parameters: saved, items: [item], settings });
	};
	const sent = () => sandbox.exchanges.at(-1);

	test('its workflow plans shifts from a sheet', async () => {
		const row = { Shift: 'A', Start: '12/1/2026 7:00 AM', End: '12/2/2026 7:00 AM', rowID: 7 };
		const { parameters } = workflow!.nodes[1]!;
		const { error, json } = await run('AgencyShiftSchedules', parameters, row);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ fromDate: '2026-12-01T07:00:00-05:00', stationNumber: '04' });
	});

	test('its other request is sent', async () => {
		await run('AgencyRecordsRequest', request!, { shiftID: 101, color: 'A', rowID: 7 });
		const url = '/agencyshifts/shifts/101';
		expect(sent()).toMatchObject({ method: 'PATCH', url });
	});

	test('its trigger watches vendors', async () => {
		const credentials = sandbox.credentials();
		const { pollTimes, ...parameters } = trigger as unknown as INodeParameters;
		expect(pollTimes).toEqual({ item: [{ mode: 'everyX', value: 15, unit: 'minutes' }] });
		await expect(new Trigger(parameters, credentials).activate()).resolves.toBeDefined();
	});

	test('lists that come from a row are sent as its rules say', async () => {
		const [, personnel, json] = /`"personnel": "(.+?)"`.+?`"json": "(.+?)"`/.exec(page)!;
		const mapping = { clientID: 101, fields: { personnel } };
		const one = await run('AgencyMappings', mapping, { crew: 'Ada,Ben' });
		expect([one.error?.message, sent()?.body]).toEqual([undefined, { personnel: ['Ada', 'Ben'] }]);
		const record = { specifyFields: 'json', json };
		const licenses = await run('AgencyLicenses', record, { ids: [101, 102], userID: 12 });
		expect([licenses.error?.message, sent()?.body]).toEqual([
			undefined,
			[{ path: [{ path: '/101' }, { path: '/102' }], value: [{ userID: 12 }], op: 'add' }],
		]);
	});
});

const hintOf = (className: string, name: string) => {
	const { description } = nodes.find(({ constructor }) => constructor.name === className)!;
	const inputsIn = (level: INodeProperties['options']): INodeProperties[] =>
		(level ?? []).flatMap((one) => {
			if ('values' in one) return inputsIn(one.values);
			return 'type' in one ? [one, ...inputsIn(one.options)] : [];
		});
	const inputs = inputsIn(description.properties).filter((one) => one.builderHint);
	return inputs.findLast((one) => one.name === name)?.builderHint?.propertyHint;
};

test('hints show a list as a list, and say what each entry of a list needs', () => {
	expect(hintOf('AgencyDemographics', 'dAgency_06')).toContain('such as [{"county":"39049"}]');
	expect(hintOf('AgencyLicenses', 'userID')).toBe('Required, such as 1042');
	expect(hintOf('AgencyApparatusMaintenance', 'rowVersion')).toBe('such as "00000000000007D1"');
});

test('what the form says in a notice is said to assistants, and On Error only where rows are written', () => {
	for (const { node, operation } of entries) {
		const { content } = node.description.builderHint!.extraTypeDefContent![0]!;
		expect(content).toContain(operation.notice ?? '');
		expect(content.includes('Under On Error')).toBe(isWriting(operation));
	}
});

const named = nodes.map((node) => [node.description.name, node] as const);
test.each(named)('%s: no option is required, since nobody has to add one', (_, { description }) => {
	const collections = description.properties.filter(
		({ name, type }) => type === 'collection' && ['options', 'filters'].includes(name),
	);
	const inside = collections.flatMap(({ options }) => options as INodeProperties[]);
	expect(inside).not.toHaveLength(0);
	for (const { name, builderHint } of inside)
		expect([name, builderHint?.propertyHint ?? '']).toEqual([
			name,
			expect.not.stringContaining('Required'),
		]);
});

describe('any request', () => {
	const { properties } = new AgencyRecordsRequest().description;
	const shown = properties.filter(({ type }) => type !== 'hidden');

	test('has each input once, so n8n describes it once', () => {
		const names = shown.map(({ name }) => name);
		expect([...new Set(names)]).toEqual(names);
		// Otherwise n8n describes each operation on its own.
		expect(shown.find(({ name }) => name === 'operation')!.displayOptions).toBeUndefined();
	});

	test.each(['delete', 'get', 'getMany', 'patch', 'post', 'put'])('%s has its inputs', (name) => {
		const operation = requests.resources[0]!.operations.find((one) => one.name === name)!;
		const isShown = ({ displayOptions }: INodeProperties, key: string) =>
			displayOptions!.show![key]!.includes(name);
		const actual = shown
			.slice(2)
			.filter((input) => isShown(input, 'operation'))
			.flatMap(({ type, name: input, options }) =>
				type === 'collection'
					? (options as INodeProperties[])
							.filter((option) => isShown(option, '/operation'))
							.map((option) => `${input}.${option.name}`)
					: input,
			);
		const expected = layoutOf(operation).groups.flatMap(({ collection, fields }) =>
			fields.map((field) => (collection ? `${collection.name}.${field.name}` : field.name)),
		);
		expect(actual.sort()).toEqual(expected.sort());
	});
});
