// Create, read, archive and list: through n8n-core, over sockets, against the sandbox.
import type { INodeExecutionData } from 'n8n-workflow';

import { AgencyInspections } from '../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../nodes/AgencyVendors/AgencyVendors.node';
import { useDefaultExpressions, useProductionExpressions } from '../../runner/n8n.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { startSandbox, type Exchange, type Sandbox } from '../../sandbox/server.mts';
import { runNode, storeWith } from '../harness/run';

let sandbox: Sandbox;
let exchanges: Exchange[] = [];
beforeAll(async () => {
	await useProductionExpressions();
	sandbox = await startSandbox({ onExchange: (exchange) => exchanges.push(exchange) });
});
beforeEach(() => (exchanges = []));
afterAll(async () => {
	await useDefaultExpressions();
	await sandbox.close();
});

const credentials = () => storeWith(sandboxCredential(sandbox.url));
const requestsOf = (operation: string) =>
	exchanges.filter((exchange) => exchange.operation === operation);
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
			credentials: credentials(),
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

	test('date objects of expressions', async () => {
		const { json, error } = await runNode({
			node,
			parameters: {
				fields: {
					fromDate: '={{ DateTime.fromISO("2026-07-01T07:00", { zone: "Asia/Tokyo" }) }}',
					toDate: '={{ new Date("2026-07-01T12:00:00Z") }}',
				},
			},
			credentials: credentials(),
		});
		expect(error).toBeUndefined();
		const { fromDate, toDate } = scheduleOf(json[0]!.shiftScheduleID) as Record<string, string>;
		expect(Date.parse(fromDate!)).toBe(Date.parse('2026-07-01T07:00:00+09:00'));
		expect(Date.parse(toDate!)).toBe(Date.parse('2026-07-01T12:00:00Z'));
	});

	test('one bad item stops everything before anything is sent', async () => {
		const { error } = await runNode({
			node,
			parameters: { fields: { name: '={{ $json.name }}', fromDate: '={{ $json.from }}' } },
			items: [{ name: 'good' }, { name: ['bad'], from: 'soon' }, { name: 'good' }],
			credentials: credentials(),
		});
		expect(error?.message).toMatch(/^'Name' is \["bad"\].*; 'From Date' is "soon".* \[item 1\]$/);
		expect(exchanges).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'under %s the good items are sent and the bad one says why',
		async (onError) => {
			const { items, errorItems, error } = await runNode({
				node,
				parameters: { fields: { name: '={{ $json.name }}' } },
				items: [{ name: 'one' }, { name: {} }, { name: 'three' }],
				credentials: credentials(),
				node$: { onError },
			});
			expect(error).toBeUndefined();
			const failed = onError === 'continueErrorOutput' ? errorItems : [items[1]!];
			const succeeded = items.filter((item) => !failed.includes(item));
			expect(failed).toHaveLength(1);
			expect(failed[0]).toMatchObject({
				json: {
					message: expect.stringMatching(/^'Name'.*\[item 1\]$/),
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
			credentials: storeWith(
				sandboxCredential(sandbox.url, {
					username: 'probationer',
					password: 'probationer-password',
				}),
			),
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '403',
			message: expect.stringMatching(/not permitted.*may read, but not POST.*\[item 0\]$/),
		});
	});

	test('an empty list of items sends nothing', async () => {
		const { items, error } = await runNode({
			node,
			parameters: { fields: { name: 'A' } },
			items: [],
			credentials: credentials(),
		});
		expect({ items, error }).toEqual({ items: [], error: undefined });
		expect(exchanges).toEqual([]);
	});

	test.each([
		[{ resource: '__CUSTOM_API_CALL__' }, /custom API call/],
		[{ operation: '__CUSTOM_API_CALL__' }, /custom API call/],
		[{ operation: 'paint' }, /no operation "paint"/],
	])('%j is a clear error', async (parameters, message) => {
		const stopped = await runNode({ node, parameters, credentials: credentials() });
		expect(stopped.error?.message).toMatch(message);
		const continued = await runNode({
			node,
			parameters,
			credentials: credentials(),
			node$: { onError: 'continueRegularOutput' },
		});
		expect(continued.json[0]).toMatchObject({ message: expect.stringMatching(message) });
		expect(exchanges).toEqual([]);
	});
});

describe('Shift: Get', () => {
	const node = new AgencyShifts();
	const get = (shiftID: unknown, options = {}) =>
		runNode({
			node,
			parameters: { shiftID: shiftID as string, options },
			credentials: credentials(),
		});

	test('reads a shift', async () => {
		const { data, rowVersion } = sandbox.records.get('shift', 102)!;
		const { json } = await get(102);
		expect(json).toEqual([{ shift: { ...data, rowVersion } }]);
		expect(requestsOf('getShift')[0]!.headers['content-type']).toBe('application/json');
	});

	test('a shift that does not exist is the fault of that field', async () => {
		const { error } = await get(999_999);
		expect(error?.message).toBe(
			'The service refused the values: shiftID: no shift has this ID [item 0]',
		);
	});

	test.each(['={{ "101/../102" }}', '={{ "101?x=1" }}', '={{ undefined }}', 0, -1])(
		'the ID %s is never sent',
		async (shiftID) => {
			const { error } = await get(shiftID);
			expect(error?.message).toMatch(/'Shift ID'/);
			expect(exchanges).toEqual([]);
		},
	);

	test('an ETag that is current gives a marker instead of the record, or nothing', async () => {
		const { rowVersion: etag } = sandbox.records.get('shift', 102)!;
		const marker = { notModified: true, shiftID: 102, etag };
		expect((await get(102, { etag })).json).toEqual([marker]);
		const { json, error } = await get(102, { etag, notModified: 'nothing' });
		expect([json, error]).toEqual([[], undefined]);
		expect((await get(102, { etag: 'another' })).json[0]).toHaveProperty('shift');
	});

	test('an ETag with a line break is never sent', async () => {
		const { error } = await get(102, { etag: '={{ "a\\r\\nX-Other: 1" }}' });
		expect(error?.message).toMatch(/'ETag'.*one line/);
		expect(exchanges).toEqual([]);
	});

	test('an expression that cannot be evaluated is an error of its item', async () => {
		const { json } = await runNode({
			node,
			parameters: { shiftID: '={{ $json.id.trim() }}' },
			items: [{ id: '102' }, { id: 103 }, { id: '104' }],
			credentials: credentials(),
			node$: { onError: 'continueRegularOutput' },
		});
		expect(json.map((item) => Object.keys(item)[0])).toEqual(['shift', 'message', 'shift']);
	});
});

test('Inspection Answer: Archive', async () => {
	const { id, data } = sandbox.records.list('inspectionAnswer').rows[5]!;
	const { items, error } = await runNode({
		node: new AgencyInspections(),
		parameters: { inspectionID: data.inspectionID as number, answerID: id },
		credentials: credentials(),
	});
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json: { archived: true }, pairedItem: { item: 0 } }]);
	expect(sandbox.records.get('inspectionAnswer', id)?.archived).toBe(true);
	expect(requestsOf('archiveInspectionAnswer')[0]!.method).toBe('DELETE');
});

describe('Vendor: Get Many', () => {
	const list = (parameters: object) =>
		runNode({
			node: new AgencyVendors(),
			parameters: { output: 'raw', ...parameters },
			credentials: credentials(),
		});
	const numbers = (json: object[]) => json.map((row) => (row as { rowNum: number }).rowNum);
	const upTo = (count: number, from = 1) =>
		Array.from({ length: count }, (_, index) => from + index);
	const total = () => sandbox.records.list('vendor').totalRows;

	test('returns all rows once, in order, page by page', async () => {
		const { items } = await list({ returnAll: true });
		expect(numbers(items.map(({ json }) => json))).toEqual(upTo(total()));
		expect(links(items).every((link) => (link as { item: number }).item === 0)).toBe(true);
		expect(requestsOf('listVendors')).toHaveLength(Math.ceil(total() / 100));
	});

	test('the service may cap a page below the page size', async () => {
		const { json } = await list({ returnAll: true, options: { pageSize: 250 } });
		expect(numbers(json)).toEqual(upTo(total()));
		expect(requestsOf('listVendors').map(({ url }) => new URL(url, 'http://x').search)).toEqual([
			'?limit=250',
			'?limit=250&offset=200',
			'?limit=250&offset=400',
		]);
	});

	test.each([
		[{ limit: 7 }, 7, 1],
		[{ limit: 130 }, 130, 1],
		[{ limit: 5, options: { offset: 10 } }, 5, 11],
	])('%j gives %d rows from row %d', async (parameters, count, from) => {
		const { json } = await list(parameters);
		expect(numbers(json)).toEqual(upTo(count, from));
	});

	test('an offset beyond the end gives nothing', async () => {
		expect((await list({ returnAll: true, options: { offset: 100_000 } })).json).toEqual([]);
	});

	test('every list parameter reaches the service', async () => {
		const filters = {
			changesSince: '2020-01-01T00:00:00Z',
			filter: 'state eq "CA" and zip gt 30000',
			rowVersion: sandbox.records.get('vendor', 150)!.rowVersion,
			showArchived: 'true',
		};
		const { filter, ...others } = filters;
		const { json } = await list({ returnAll: true, filterBy: 'text', filter, filters: others });
		const expected = sandbox.records.list('vendor', { ...filters, showArchived: true });
		expect(json.map(({ departmentBusinessID }) => departmentBusinessID)).toEqual(
			expected.rows.map(({ id }) => id),
		);
		expect(json.length).toBeGreaterThan(0);
		const { searchParams } = new URL(requestsOf('listVendors')[0]!.url, 'http://x');
		expect(Object.fromEntries(searchParams)).toEqual({ ...filters, limit: '100' });
	});

	test('the list is read for every item, and every row is linked to its item', async () => {
		const { items } = await runNode({
			node: new AgencyVendors(),
			parameters: { limit: '={{ $json.n }}' },
			items: [{ n: 2 }, { n: 1 }],
			credentials: credentials(),
		});
		expect(links(items)).toEqual([{ item: 0 }, { item: 0 }, { item: 1 }]);
	});
});
