// Parameters that an assistant puts next to or into the options, where n8n would drop them: nothing is sent against
// their meaning.
import type { IDataObject, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyNotifications } from '../../../nodes/AgencyNotifications/AgencyNotifications.node';
import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import { nodeParameters, nodes } from '../../contract/tables.cts';
import { aDay } from '../../harness/aDay.mts';
import { Trigger } from '../../harness/polling.cts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

useStoreOfKeys();
const sandbox = useSandbox();

/** @param parameters as they are written; n8n keeps of them what the node declares */
const run = async (node: INodeType, parameters: INodeParameters, items: IDataObject[] = [{}]) => {
	const saved = nodeParameters(node, parameters, false);
	const result = await sandbox.run({ node, parameters: saved, items });
	return { ...result, methods: sandbox.requests().map(({ method }) => method) };
};
const fields = { ...aDay, name: 'A' };
const create = (more: INodeParameters) => run(new AgencyShiftSchedules(), { fields, ...more });

describe.each([
	['checkOnly', 'Check Only', 'checkOnly'],
	['dryRun', 'Check Only', 'checkOnly'],
	['validateOnly', 'Check Only', 'checkOnly'],
	['testMode', 'Check Only', 'checkOnly'],
	['simulate', 'Check Only', 'checkOnly'],
	['validate', 'Check Only', 'checkOnly'],
	['preview', 'Check Only', 'checkOnly'],
	['sendOnceKey', 'Send Once', 'sendOnceKey'],
	['sendOnce', 'Send Once', 'sendOnceKey'],
	['idempotencyKey', 'Send Once', 'sendOnceKey'],
	['uniqueKey', 'Send Once', 'sendOnceKey'],
	['deduplicate', 'Send Once', 'sendOnceKey'],
	['skipDuplicates', 'Send Once', 'sendOnceKey'],
])('%s', (name, label, meant) => {
	const value = meant === 'checkOnly' ? true : '={{ $json.rowID ?? 7 }}';
	const others: INodeParameters = { include: 'inputItem' };

	test('is refused next to the options, and the message names the right option', async () => {
		for (const place of [{ [name]: value }, { [name]: value, options: others }]) {
			const { error, methods } = await create(place);
			expect([error?.message, methods]).toEqual([
				`In the workflow's JSON, parameters.${name} belongs in parameters.options.${meant} ('${label}')`,
				[],
			]);
		}
	});

	test('does not block the run if the right option is set, which alone counts', async () => {
		const valueInExpression = meant === 'checkOnly' ? 'true' : '$json.rowID ?? 7';
		const expression = `={{ ({ ${meant}: ${valueInExpression} }) }}`;
		for (const options of [{ [meant]: value }, expression]) {
			const { error, json } = await create({ [name]: value, options });
			expect(error).toBeUndefined();
			expect('wouldSend' in json[0]!).toBe(meant === 'checkOnly');
		}
	});

	test('is accepted if it is off, or if the node only reads', async () => {
		expect((await create({ [name]: false })).error).toBeUndefined();
		const path = '/agencyvendors/vendors';
		const { error, hints } = await run(new AgencyRecordsRequest(), { path, [name]: value });
		expect(error).toBeUndefined();
		expect(hints.some((hint) => hint.startsWith("'Send Once' has no effect here"))).toBe(
			meant === 'sendOnceKey',
		);
	});
});

test.each<[INodeParameters, string]>([
	[{ options: { dryRun: true } }, "options has no 'dryRun', only checkOnly, sendOnceKey, "],
	[{ options: '={{ ({ dryRun: true }) }}' }, "options has no 'dryRun', only checkOnly, "],
	[{ fields: { ...fields, checkOnly: true } }, "fields has no 'checkOnly', only name, fromDate, "],
	[{ fields: { ...fields, station: '4' } }, "fields has no 'station', only name, fromDate, "],
	[{ fields: { values: [fields] } }, "fields has no 'values', only name, fromDate, "],
	[{ fields: { Name: 'A', From: 'x' } }, "fields has no 'Name', 'From', only name, "],
	[{ stationNumber: '4' }, "stationNumber belongs in parameters.fields.stationNumber ('Station "],
	[{ fields: {}, ...fields }, "name belongs in parameters.fields.name ('Name'); parameters.from"],
	[{ additionalOptions: { checkOnly: true } }, 'additionalOptions has no effect'],
	[{ queryParameters: { parameters: [{ name: 'limit' }] } }, 'queryParameters has no effect'],
	[{ timezone: 'UTC' }, 'timezone has no effect'],
	[{ orderBy: 'name', where: 'x' }, 'orderBy has no effect; parameters.where has no effect'],
])('%j is refused: parameters.%s…', async (parameters, words) => {
	const { error, methods } = await create(parameters);
	expect(error?.message).toContain(`In the workflow's JSON, parameters.${words}`);
	expect(methods).toEqual([]);
});

test('a file is not sent in place of the one that was named otherwise', async () => {
	const { error, methods } = await run(new AgencyFiles(), { binaryPropertyName: 'photo' });
	expect([error?.message, methods]).toEqual([
		"In the workflow's JSON, parameters.binaryPropertyName belongs in parameters.inputDataFieldName ('Input Data Field Name')",
		[],
	]);
	const same = await run(new AgencyFiles(), { binaryPropertyName: 'data' });
	expect(same.error?.message).not.toContain('binaryPropertyName');
});

test.each<[string, INodeParameters]>([
	['name', { fields: '={{ ({ ...$json, station: $json.no }) }}' }],
	['dryRun', { fields, options: '={{ ({ dryRun: $json.no === 7 }) }}' }],
])("an expression's unknown names are refused in each row: %s", async (_, parameters) => {
	const items = [{ ...fields }, { ...fields, no: 7 }];
	const { error } = await run(new AgencyShiftSchedules(), parameters, items);
	expect(error?.message).toMatch(
		/^'(?:Fields|Options)' has no .*'(?:station|dryRun)', only .* \[row 2/,
	);
	expect(sandbox.exchanges).toEqual([]);
});

test.each<[INodeType, INodeParameters, string]>([
	[new AgencyShiftSchedules(), { fields: '{"no":"A"}' }, "'Fields' must be an object, not a text"],
	[new AgencyShiftSchedules(), { fields: '={{ "A" }}' }, "'Fields' must be an object, not a text"],
	[new AgencyNotifications(), { notificationModel: '{}' }, "'Equipment' must be an object, not"],
	[
		new AgencyLicenses(),
		{
			path: { entries: '={{ [{ path: "/101" }] }}' } as never,
			value: { entries: [{ userID: 7 }] },
		},
		"'Licenses to Update' is required but empty (n8n drops one expression for all of its entries: use JSON)",
	],
	[new AgencyRecordsRequest(), { path: '/shifts/{shiftID}' }, 'as part 2, which is {shiftID}'],
	[new AgencyRecordsRequest(), { path: '/shifts/:shiftID' }, 'as part 2, which is :shiftID'],
	[new AgencyRecordsRequest(), { path: '/shifts?id=<id>' }, "for 'id', which is <id>"],
])('%p with %j is refused where the mistake is', async (node, parameters, message) => {
	const { error, methods } = await run(node, parameters);
	expect([error?.message, methods]).toEqual([expect.stringContaining(message), []]);
});

test('several paths with several values get a hint, since they are no pairs', async () => {
	const list = (name: string, values: unknown[]) =>
		({ entries: values.map((value) => ({ [name]: value })) }) as INodeParameters;
	const update = (ids: number[]) =>
		run(new AgencyLicenses(), { path: list('path', ['/101', '/102']), value: list('userID', ids) });
	const hint = "each path gets all values, not as pairs: 'Licenses to Update', 'Users to Set'.";
	expect((await update([7, 8])).hints.join()).toContain(hint);
	expect((await update([7])).hints.join()).not.toContain(hint);
});

test.each<INodeParameters>([
	{ fields: { ...fields, station: '' } },
	{ specifyFields: 'json', json: JSON.stringify(fields), fields: { name: 'B' } },
])('%j is accepted, since it has no effect', async (parameters) => {
	expect((await create(parameters)).error).toBeUndefined();
});

test("'Other Fields (JSON)', kept from an operation that a person switched from, is ignored and named", async () => {
	const path = '/agencyvendors/vendors';
	const get = (additionalFields: string) =>
		run(new AgencyRecordsRequest(), { path, options: { additionalFields } });
	const { error, hints, methods } = await get('{"agencyID":12}');
	expect([error, methods]).toEqual([undefined, ['GET']]);
	expect(hints.join()).toContain("has no such field: 'Other Fields (JSON)'.");
	expect((await get('')).hints.join()).not.toContain('no such field');
});

test('an option of another operation is accepted, since n8n keeps it when a person switches operations', async () => {
	const path = '/agencyvendors/vendors';
	const request = (options: INodeParameters) =>
		run(new AgencyRecordsRequest(), { path, options: { batchSize: 5, ...options } });
	const { error, hints } = await request({});
	expect([error, hints]).toEqual([undefined, [expect.stringContaining('one page of a list')]]);
	const keyed = await request({ sendOnceKey: '7' });
	expect([keyed.error, keyed.hints]).toEqual([
		undefined,
		expect.arrayContaining([expect.stringMatching(/^'Send Once' has no effect here, since/)]),
	]);
});

const keyed: Array<INodeParameters> = [{ options: { sendOnceKey: '7' } }, { uniqueKey: 'name' }];
test.each(keyed)('%j: a list is read, with a hint that all rows come again', async (parameters) => {
	const read = { operation: 'getMany', returnAll: true, ...parameters };
	const { error, hints } = await run(new AgencyVendors(), read);
	expect([error, hints]).toEqual([
		undefined,
		[expect.stringMatching(/each run returns all rows\. For new rows only, use Agency Rec/)],
	]);
});

const methods = ['PATCH', 'get', ['PUT'], '={{ "GET" }}'];
test.each(methods)('the method %j is refused, since the operation says it', async (method) => {
	const request = { path: '/agencyvendors/vendors', method };
	const { error, methods } = await run(new AgencyRecordsRequest(), request);
	expect(error?.message).toContain('parameters.method has no effect');
	expect(methods).toEqual([]);
});

describe('the trigger', () => {
	const activate = (parameters: INodeParameters) =>
		new Trigger({ triggerOn: ['added'], ...parameters }, sandbox.credentials()).activate();

	test.each<[INodeParameters, string]>([
		[{ event: 'removed' }, "parameters.event belongs in parameters.triggerOn ('Trigger On')"],
		[{ events: ['rowChanged'] }, 'parameters.events belongs in parameters.triggerOn'],
		[{ operation: 'deleted' }, 'parameters.operation belongs in parameters.triggerOn'],
		[{ pollInterval: 60 }, 'parameters.pollInterval has no effect'],
		[{ maxTries: 5 }, 'parameters.maxTries belongs in parameters.options.maxTries'],
		[{ filters: { city: 'Springfield' } }, "parameters.filters has no 'city', only filter, "],
	])('%j is refused: %s', async (parameters, words) => {
		await expect(activate(parameters)).rejects.toThrow(words);
	});

	test('does not block the trigger if kinds of changes are chosen, which alone count', async () => {
		const parameters = { event: 'removed', triggerOn: ['removed'] };
		await expect(activate(parameters)).resolves.toBeDefined();
	});
});

test('people never see these parameters', () => {
	for (const { description } of nodes) {
		const shown = description.properties.filter(({ type }) => type !== 'hidden');
		const names = shown.map(({ name }) => name);
		for (const { type, name, options } of shown)
			if (type === 'collection') {
				const inside = (options as INodeProperties[]).map((one) => one.type);
				expect([name, inside]).toEqual([name, expect.not.arrayContaining(['hidden'])]);
			}
		expect(names).toEqual(expect.not.arrayContaining(['method', 'event', 'dryRun']));
	}
});
