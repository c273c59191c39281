// Nothing a person gave is dropped in silence: what is not sent is said beside the output, or refused.
import type { INodeExecutionData } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useDefaultExpressions, useProductionExpressions } from '../../../n8n-in-process/n8n.mts';
import { runNode, type RunOptions } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();
const { exchanges } = sandbox;
beforeAll(useProductionExpressions);
afterAll(useDefaultExpressions);

const runWith = (options: Omit<RunOptions, 'credentials'>) =>
	runNode({ ...options, credentials: sandbox.credentials() });
const create = (parameters: RunOptions['parameters'], items?: RunOptions['items']) =>
	runWith({ node: new AgencyShiftSchedules(), parameters, items });
const requestsOf = (operation: string) =>
	exchanges.filter((exchange) => exchange.operation === operation);

describe('an expression that gives nothing', () => {
	test("or '', as AI agents and spreadsheets do: left out, and counted over the items", async () => {
		const { json, hints } = await create(
			{ fields: { name: 'A', fromDate: '={{ $json.from }}', stationNumber: '={{ $json.no }}' } },
			[{ no: '' }, { from: '2026-03-01', no: 1 }, { from: null, no: '2' }, { from: '', no: 3 }],
		);
		expect(json).toHaveLength(4);
		expect(requestsOf('createShiftSchedule').map(({ body }) => body)).toEqual([
			{ name: 'A' },
			{ name: 'A', fromDate: '2026-03-01T00:00:00-05:00', stationNumber: '1' },
			{ name: 'A', stationNumber: '2' },
			{ name: 'A', stationNumber: '3' },
		]);
		expect(hints).toEqual([
			"Left out because empty: 'From Date' (rows 1, 3–4), 'Station Number' (row 1). " +
				"Read as times in America/New_York, the workflow's time zone (00:00 for a date alone): 'From Date' (row 2).",
		]);
	});

	test('of an option, whose default counts then', async () => {
		const { json, hints } = await create(
			{ fields: { name: 'A' }, options: { maxTries: '={{ undefined }}' } },
			[{}, {}],
		);
		expect([json.length, hints]).toEqual([2, ["Left out because empty: 'Max Tries'."]]);
	});
});

describe('the input item', () => {
	const item = { name: 'A', from: '2026-03-01', station: '4' };

	test('what it holds no value for, an end before its beginning and unknown names are told', async () => {
		const { hints, json } = await create({ specifyFields: 'inputItem' }, [
			{ ...item, fromDate: '2026-03-02', toDate: '2026-03-01' },
			{ ...item, toDate: null },
		]);
		expect(json).toHaveLength(2);
		expect(hints).toEqual([
			"Left out because empty: 'To Date' (row 2). " +
				"Read as times in America/New_York, the workflow's time zone (00:00 for a date alone): 'From Date' (row 1), 'To Date' (row 1). " +
				"The end is before the start: 'To Date' (row 1). " +
				"Not sent because this operation has no such field: 'from', 'station'.",
		]);
	});

	test('the hint stays short, whatever it holds', async () => {
		const names = Array.from({ length: 500 }, (_, n) => [`${n}${'x'.repeat(500)}`, 1] as const);
		const record = { name: 'A', ...Object.fromEntries(names) };
		const { hints } = await create({ specifyFields: 'inputItem' }, [record]);
		expect(hints).toEqual([expect.stringMatching(/: '0x+ …', '1x+ …', .* and 492 more\.$/)]);
		expect(hints[0]!.length).toBeLessThan(1000);
	});

	test('a column beside the one that it is like is only told, and so is one that is merely similar', async () => {
		const { error, hints } = await create({ specifyFields: 'inputItem' }, [
			{ name: 'A', stationNumber: '4', StationNumber: 'four', stationNumbr: 'B', sendDate: 'x' },
		]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			"Not sent because this operation has no such field: 'StationNumber', 'stationNumbr', 'sendDate'.",
		]);
	});

	test('the column that an expression reads is not told: it is used', async () => {
		const items = [{ name: 'A', rowID: 7, note: 'x', 'the version': 'v1' }];
		const parameters = {
			specifyFields: 'inputItem',
			options: { etag: '={{ $json["the version"] + $json.rowID }}' },
		};
		const { hints } = await create(parameters, items);
		expect(hints).toEqual(["Not sent because this operation has no such field: 'note'."]);
	});

	test('one without any known name says which there are, and so does JSON, but not an empty form', async () => {
		const { error } = await create({ specifyFields: 'inputItem' }, [{ shift: 'A', start: '7' }]);
		expect(error?.message).toBe(
			"'Name' is required but empty. " +
				'No field has a value: the fields are name, fromDate, toDate, stationNumber, and not shift, start. ' +
				"Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field.",
		);
		const ofJson = await create({ specifyFields: 'json', json: '{}' });
		expect(ofJson.error?.message).toBe(
			"'Name' is required but empty. No field has a value: the fields are name, fromDate, toDate, stationNumber.",
		);
		const ofForm = await create({ fields: {} });
		expect(ofForm.error?.message).toBe("'Name' is required but empty");
		expect(exchanges).toEqual([]);
	});
});

test('an ETag that is empty stops a write before anything is sent', async () => {
	const { error } = await create({
		fields: { name: 'A' },
		options: { etag: '={{ undefined }}' },
	});
	expect(error?.message).toMatch(/^'ETag' is empty: give a value, or remove the option/);
	expect(exchanges).toEqual([]);
});

test('an item without fields, as a node before may give it, is said to have none, where it is the record', async () => {
	const items = [{ json: undefined }] as unknown as INodeExecutionData[];
	const { error } = await create({ specifyFields: 'inputItem' }, items);
	expect(error?.message).toMatch(/No field has a value: the fields are name, fromDate/);
	expect(error?.message).not.toMatch(/undefined/);
});
