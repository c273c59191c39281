// One record an item is created or read: through n8n-core, over sockets, against the sandbox.
import type { INodeExecutionData } from 'n8n-workflow';

import { AgencyDemographics } from '../../../nodes/AgencyDemographics/AgencyDemographics.node';
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useDefaultExpressions, useProductionExpressions } from '../../../n8n-in-process/n8n.mts';
import { runNode } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { credentialsFor, useSandbox } from '../../harness/useSandbox';

const sandbox = useSandbox();
beforeAll(useProductionExpressions);
afterAll(useDefaultExpressions);

const requestsOf = (operation: string) =>
	sandbox.exchanges.filter((exchange) => exchange.operation === operation);
const links = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const scheduleOf = (id: unknown) => sandbox.records.get('shiftSchedule', id as number)?.data;

describe('Shift Schedule: Create', () => {
	const node = new AgencyShiftSchedules();

	test('one record an item, in order, linked, at the local time of the workflow', async () => {
		const { items, error } = await runNode({
			node,
			parameters: {
				fields: {
					name: '={{ $json.name }}',
					fromDate: '2026-03-02T07:00:00',
					toDate: '={{ $json.to }}',
					stationNumber: '={{ $json.station }}',
				},
			},
			items: [
				{ name: 'A', to: '2026-03-03T07:00:00+01:00', station: 4 },
				{ name: null, to: '' },
			],
			credentials: sandbox.credentials(),
		});
		expect(error).toBeUndefined();
		expect(links(items)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(items.map(({ json }) => scheduleOf(json.shiftScheduleID))).toEqual([
			{
				name: 'A',
				fromDate: '2026-03-02T07:00:00-05:00',
				toDate: '2026-03-03T07:00:00+01:00',
				stationNumber: '4',
			},
			{ fromDate: '2026-03-02T07:00:00-05:00' },
		]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'under %s the good items are sent and the bad one says why',
		async (onError) => {
			const { items, errorItems, error } = await runNode({
				node,
				parameters: { fields: { name: '={{ $json.name }}' } },
				items: [{ name: 'one' }, { name: {} }, { name: 'three' }],
				credentials: sandbox.credentials(),
				nodeSettings: { onError },
			});
			expect(error).toBeUndefined();
			const failed = onError === 'continueErrorOutput' ? errorItems : [items[1]!];
			const succeeded = items.filter((item) => !failed.includes(item));
			expect(failed).toHaveLength(1);
			expect(failed[0]).toMatchObject({
				json: {
					message: expect.stringMatching(/^'Name'.*\[row 2 \(item 1\)\]$/),
					error: { outcome: 'notSent' },
				},
				pairedItem: { item: 1 },
			});
			expect(succeeded.map(({ json }) => scheduleOf(json.shiftScheduleID))).toEqual([
				{ name: 'one' },
				{ name: 'three' },
			]);
			expect(links(succeeded)).toEqual([{ item: 0 }, { item: 2 }]);
		},
	);

	test("the service's refusal is read out, with the item", async () => {
		const { error } = await runNode({
			node,
			parameters: { fields: { name: 'A' } },
			credentials: sandbox.credentials({
				username: 'probationer',
				password: 'probationer-password',
			}),
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '403',
			message: expect.stringMatching(/not permitted.*may read, but not POST/),
		});
	});

	test('an empty list of items sends nothing', async () => {
		const { items, error } = await runNode({
			node,
			parameters: { fields: { name: 'A' } },
			items: [],
			credentials: sandbox.credentials(),
		});
		expect({ items, error }).toEqual({ items: [], error: undefined });
		expect(sandbox.exchanges).toEqual([]);
	});

	test.each([
		[{ resource: '__CUSTOM_API_CALL__' }, /no operation .* "__CUSTOM_API_CALL__"/],
		[{ operation: '__CUSTOM_API_CALL__' }, /no operation "__CUSTOM_API_CALL__"/],
		[{ operation: 'paint' }, /no operation "paint"/],
	])('%j is a clear error', async (parameters, message) => {
		const stopped = await runNode({ node, parameters, credentials: sandbox.credentials() });
		expect(stopped.error?.message).toMatch(message);
		const continued = await runNode({
			node,
			parameters,
			credentials: sandbox.credentials(),
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(continued.json[0]).toMatchObject({ message: expect.stringMatching(message) });
		expect(sandbox.exchanges).toEqual([]);
	});
});

test('names that JavaScript gives a meaning reach the service', async () => {
	const states = '{"state":"39","__proto__":{"a":1},"constructor":{"prototype":2}}';
	const bodies: string[] = [];
	const service = await startFakeService((_, response, body) => {
		bodies.push(body);
		response.writeHead(201).end('{"dAgencyAgencyYearGroupsID":7}');
	});
	const { json } = await runNode({
		node: new AgencyDemographics(),
		parameters: { dAgencyID: 1, fields: { dAgency_05: states } },
		credentials: credentialsFor(service.url),
	});
	await service.close();
	expect(json).toMatchObject([{ dAgencyAgencyYearGroupsID: 7 }]);
	expect(bodies).toEqual([`{"dAgency.05":${states}}`]);
});

describe('Shift: Get', () => {
	const node = new AgencyShifts();
	const get = (shiftID: unknown, options = {}) =>
		runNode({
			node,
			parameters: { shiftID: shiftID as string, options },
			credentials: sandbox.credentials(),
		});

	test('reads a shift', async () => {
		const { data, rowVersion } = sandbox.records.get('shift', 102)!;
		const { json } = await get(102);
		expect(json).toEqual([{ shift: { ...data, rowVersion } }]);
		expect(requestsOf('getShift')[0]!.headers['content-type']).toBe('application/json');
	});

	test.each(['={{ "101/../102" }}', '={{ "101?x=1" }}', '={{ undefined }}', 0, -1])(
		'the ID %s is never sent',
		async (shiftID) => {
			const { error } = await get(shiftID);
			expect(error?.message).toMatch(/'Shift ID'/);
			expect(sandbox.exchanges).toEqual([]);
		},
	);

	test('an ETag that is current gives a marker instead of the record', async () => {
		const { rowVersion: etag } = sandbox.records.get('shift', 102)!;
		const marker = { notModified: true, shiftID: 102, etag };
		expect((await get(102, { etag })).json).toEqual([marker]);
		expect((await get(102, { etag: 'another' })).json[0]).toHaveProperty('shift');
	});

	test('an expression that cannot be evaluated is an error of its item', async () => {
		const { json } = await runNode({
			node,
			parameters: { shiftID: '={{ $json.id.trim() }}' },
			items: [{ id: '102' }, { id: 103 }, { id: '104' }],
			credentials: sandbox.credentials(),
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(json.map((item) => Object.keys(item)[0])).toEqual(['shift', 'message', 'shift']);
	});
});
