// One record per item is created or read, and the output of a write: through n8n-core, over sockets, against the
// sandbox.
import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { AgencyDemographics } from '../../../nodes/AgencyDemographics/AgencyDemographics.node';
import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyNotifications } from '../../../nodes/AgencyNotifications/AgencyNotifications.node';
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyUsers } from '../../../nodes/AgencyUsers/AgencyUsers.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useDefaultExpressions, useProductionExpressions } from '../../../n8n-in-process/n8n.mts';
import { createSchedules } from '../../harness/createSchedules.cts';
import { continueOnFail, type RunOptions } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { aDay } from '../../harness/aDay.mts';

const sandbox = useSandbox();

const run = (node: INodeType, parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
	sandbox.run({ node, parameters, ...more });
const links = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const scheduleOf = (id: unknown) => sandbox.records.get('shiftSchedule', id as number)?.data;

describe('Shift Schedule: Create', () => {
	const node = new AgencyShiftSchedules();

	test("creates one record per item, in order and linked, in the workflow's time zone", async () => {
		const fields = {
			name: '={{ $json.name }}',
			fromDate: '2026-03-02T07:00:00',
			toDate: '={{ $json.to }}',
			stationNumber: '={{ $json.station }}',
		};
		const rows = [
			{ name: 'A', to: '2026-03-03T07:00:00+01:00', station: 4 },
			{ name: 'B', to: '2026-03-03T07:00:00', station: '' },
		];
		const { items, error } = await run(node, { fields }, { items: rows });
		expect(error).toBeUndefined();
		expect(links(items)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(items.map(({ json }) => scheduleOf(json.shiftScheduleID))).toEqual([
			{
				name: 'A',
				fromDate: '2026-03-02T07:00:00-05:00',
				toDate: '2026-03-03T07:00:00+01:00',
				stationNumber: '4',
			},
			{ name: 'B', fromDate: '2026-03-02T07:00:00-05:00', toDate: '2026-03-03T07:00:00-05:00' },
		]);
	});

	test('an empty list of items sends nothing', async () => {
		const { items, error } = await createSchedules(sandbox.credentials(), { items: [] });
		expect({ items, error }).toEqual({ items: [], error: undefined });
		expect(sandbox.exchanges).toEqual([]);
	});

	test.each([
		[{ resource: '__CUSTOM_API_CALL__' }, /no resource "__CUST.*": it has shiftSchedule \(Shift/],
		[{ operation: 'paint' }, /no operation "paint": it has create \(Create\)$/],
		[{ operation: 'Create' }, /no operation "Create"/],
	])('%j is a clear error', async (parameters, message) => {
		expect((await run(node, parameters)).error?.message).toMatch(message);
		const { json } = await run(node, parameters, { nodeSettings: continueOnFail });
		expect(json[0]!.message).toMatch(message);
		expect(sandbox.exchanges).toEqual([]);
	});
});

test('names with a special meaning in JavaScript reach the service', async () => {
	const states = '{"state":"39","__proto__":{"a":1},"constructor":{"prototype":2}}';
	const bodies: string[] = [];
	const service = await startFakeService((_, response, body) => {
		bodies.push(body);
		response.writeHead(201).end('{"dAgencyAgencyYearGroupsID":7}');
	});
	const parameters = { dAgencyID: 1, fields: { dAgency_05: states } };
	const credentials = credentialsFor(service.url);
	const { json } = await run(new AgencyDemographics(), parameters, { credentials });
	expect(json).toMatchObject([{ dAgencyAgencyYearGroupsID: 7 }]);
	expect(bodies).toEqual([`{"dAgency.05":${states}}`]);
});

describe('Shift: Get', () => {
	beforeAll(useProductionExpressions);
	afterAll(useDefaultExpressions);

	const node = new AgencyShifts();
	const get = (shiftID: string | number, options = {}, more = {}) =>
		run(node, { shiftID, options }, more);

	test.each(['={{ "101/../102" }}', '={{ undefined }}', 0])('%s is never sent', async (shiftID) => {
		const { error } = await get(shiftID);
		expect(error?.message).toMatch(/'Shift ID'/);
		expect(sandbox.exchanges).toEqual([]);
	});

	test('a current ETag gives a marker instead of the record', async () => {
		const { rowVersion: etag } = sandbox.records.get('shift', 102)!;
		const marker = { notModified: true, shiftID: 102, etag };
		expect((await get(102, { etag })).json).toEqual([marker]);
		expect((await get(102, { etag: 'another' })).json[0]).toHaveProperty('shift');
	});

	test("an expression that cannot be evaluated is its item's error", async () => {
		const items = [{ id: '102' }, { id: 103 }, { id: '104' }];
		const nodeSettings = continueOnFail;
		const { json } = await get('={{ $json.id.trim() }}', {}, { items, nodeSettings });
		expect(json.map((item) => Object.keys(item)[0])).toEqual(['shift', 'message', 'shift']);
	});
});

describe('several rows with the IDs of one record', () => {
	const answers = (): IDataObject[] =>
		sandbox.records
			.list('inspectionAnswer')
			.rows.slice(0, 2)
			.map(({ id, data }) => ({ inspection: data.inspectionID as number, answer: id }));
	const message =
		/^'Inspection ID, Answer ID' has "\d+, \d+" more than once in this run, .* one row may undo what another sets: combine the rows/;

	test('keep the run from starting under Stop, and only themselves from being sent under Continue', async () => {
		const [one, other] = answers();
		const ids = { inspectionID: '={{ $json.inspection }}', answerID: '={{ $json.answer }}' };
		const archive = (nodeSettings: RunOptions['nodeSettings'] = {}) =>
			run(new AgencyInspections(), ids, { items: [one!, other!, one!], nodeSettings });
		expect((await archive()).error?.message).toMatch(message);
		expect(sandbox.exchanges).toEqual([]);
		const { json } = await archive(continueOnFail);
		const refused = { message: expect.stringMatching(message), error: { outcome: 'notSent' } };
		expect(json).toMatchObject([refused, { archived: true }, refused]);
	});

	test('are sent if each creates a record below it', async () => {
		const parameters = { userID: 101, fields: { categoryID: 1, actualPoints: 5 } };
		const { json } = await run(new AgencyUsers(), parameters, { items: [{}, {}] });
		expect(json).toMatchObject([{ losapPointID: expect.any(Number) }, {}]);
	});
});

describe('the output of a write', () => {
	const item = { json: { who: 'Rider', name: 'A shift', station: '4' } };
	const output = async (node: INodeType, parameters: INodeParameters, include?: string) => {
		const options = include === undefined ? {} : { include };
		const { json, error } = await run(node, { ...parameters, options }, { items: [item] });
		expect(error).toBeUndefined();
		return json;
	};
	const shift = {
		fields: { ...aDay, name: '={{ $json.name }}', stationNumber: '={{ $json.station }}' },
	};
	const id = expect.any(Number);

	test.each([
		['sentFields', { shiftScheduleID: id, ...aDay, name: 'A shift', stationNumber: '4' }],
		[undefined, { shiftScheduleID: id, ...aDay, name: 'A shift', stationNumber: '4' }],
		['inputItem', { shiftScheduleID: id, ...item.json }],
		['responseOnly', { shiftScheduleID: id }],
	])('returns a record with %s', async (include, expected) => {
		const [result] = await output(new AgencyShiftSchedules(), shift, include);
		expect(result).toEqual(expected);
		expect(Object.keys(result!)[0]).toBe('shiftScheduleID');
	});

	test("has the service's value if a name occurs twice", async () => {
		const parameters = { fields: { notificationID: 7 }, notificationModel: { status: 'new' } };
		const [result] = await output(new AgencyNotifications(), parameters, 'sentFields');
		const { notificationID, ...sent } = result!;
		expect(notificationID).toMatch(/^\d+$/);
		expect(notificationID).not.toBe('7');
		expect(sent).toEqual({ notificationModel: { status: 'new' } });
	});

	test('includes the IDs', async () => {
		const { id: answerID, data } = sandbox.records.list('inspectionAnswer').rows[3]!;
		const ids = { inspectionID: data.inspectionID as number, answerID };
		expect(await output(new AgencyInspections(), ids, 'sentFields')).toEqual([
			{ archived: true, ...ids },
		]);
	});
});
