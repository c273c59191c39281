// No given value is dropped silently: it is sent, reported next to the output, or refused.
import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { AgencyApparatusMaintenance } from '../../../nodes/AgencyApparatusMaintenance/AgencyApparatusMaintenance.node';
import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyEvents } from '../../../nodes/AgencyEvents/AgencyEvents.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyUsers } from '../../../nodes/AgencyUsers/AgencyUsers.node';
import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { singleNodeWorkflow } from '../../../n8n-in-process/singleNode.mts';
import { runWorkflow } from '../../../n8n-in-process/workflow.mts';
import { continueOnFail, type RunOptions } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { aDay } from '../../harness/aDay.mts';

const sandbox = useSandbox();
const { exchanges } = sandbox;

const create = (parameters: RunOptions['parameters'], items?: RunOptions['items']) =>
	sandbox.run({ node: new AgencyShiftSchedules(), parameters, items });

test("an expression that gives nothing or '', as from AI agents and spreadsheets, leaves its field out, which is counted over the items", async () => {
	const { json, hints } = await sandbox.run({
		node: new AgencyEvents(),
		parameters: {
			eventID: '={{ 101 + $itemIndex }}',
			fields: { eventName: 'A', eventDateTime: '={{ $json.from }}', location: '={{ $json.n }}' },
		},
		items: [{ n: '' }, { from: '2026-03-01', n: 1 }, { from: null, n: '2' }, { from: '', n: 3 }],
	});
	expect(json).toHaveLength(4);
	expect(sandbox.requests('addEventPeople').map(({ body }) => body)).toEqual([
		{ eventName: 'A' },
		{ eventName: 'A', eventDateTime: '2026-03-01T00:00:00-05:00', location: '1' },
		{ eventName: 'A', location: '2' },
		{ eventName: 'A', location: '3' },
	]);
	expect(hints).toEqual([
		"Sent without these fields, which are empty: 'Event Date Time' (rows 1, 3–4), 'Location' (row 1). " +
			"Read as times in America/New_York, the workflow's time zone (00:00 for a date alone): 'Event Date Time' (row 2).",
	]);
});

describe('a renamed column', () => {
	const sheet = ['A', 'B', 'C'].map((Shift, day) => ({
		Shift,
		Starts: `2026-03-0${day + 1}T07:00`,
		Ends: `2026-03-0${day + 2}T07:00`,
		Station: '',
	}));
	const mapped = (fields: IDataObject) =>
		({
			fields: { name: '={{ $json.Shift }}', toDate: '={{ $json.Ends }}', ...fields },
		}) as INodeParameters;
	const columns = 'The columns are Shift, Starts, Ends, Station';
	const noColumn = (name: string) =>
		`Check this node's expressions: no row has the column ${name}.`;
	const bodies = () =>
		sandbox.requests('createShiftSchedule').map(({ body }) => body as IDataObject);

	const modes = [{}, continueOnFail];
	test.each(modes)('is refused, with the expression and the columns: %j', async (nodeSettings) => {
		const optional = mapped({
			fromDate: '={{ $json.Starts }}',
			stationNumber: '={{ $json["Station #"] }}',
		});
		const required = mapped({ fromDate: '={{ $json.Start }}' });
		for (const [parameters, said] of [
			[optional, `'Station Number' finds nothing in any row with {{ $json["Station #"] }}`],
			[required, "'From Date' finds nothing in any row with {{ $json.Start }}"],
		] as const) {
			const options = { node: new AgencyShiftSchedules(), parameters, items: sheet };
			const { error, json } = await sandbox.run({ ...options, nodeSettings });
			const messages = error ? [error.message] : json.map(({ message }) => message);
			for (const message of messages)
				expect(message).toContain(
					`${said}: correct it, remove the field, or end it with ?? '' if the column may be missing. ${columns}`,
				);
			expect(messages).toHaveLength(error ? 1 : 3);
		}
		expect(exchanges).toEqual([]);
	});

	test.each([
		['inside a text', { stationNumber: '=0{{ $json["Station #"] }}' }],
		['in a list', { stationNumber: '={{ $json.Station }}', name: "={{ $json['Crew'] + 'S' }}" }],
		['in an object', { stationNumber: '={{ $json.body.Station }}' }],
		['for all fields', '={{ ({ name: "A", fromDate: "2026-03-01", toDate: $json.To }) }}'],
	])('is refused %s, too', async (_, fields) => {
		const parameters =
			typeof fields === 'string'
				? { fields }
				: mapped({ fromDate: '={{ $json.Starts }}', ...fields });
		const { error } = await create(parameters, sheet);
		expect(error?.message).toMatch(/' finds nothing in any row with .*\. The columns are Shift, /);
		expect(exchanges).toEqual([]);
	});

	test('is refused in JSON and in the body of a request', async () => {
		const items = [{ id: 1 }, { id: 2 }];
		for (const [node, parameters, label] of [
			[
				new AgencyShiftSchedules(),
				{ specifyFields: 'json', json: '={{ ({ ...$json, name: $json.Name }) }}' },
				'JSON',
			],
			[
				new AgencyRecordsRequest(),
				{ operation: 'post', path: '/x/records', body: '={{ ({ name: $json.Name + "" }) }}' },
				'Body',
			],
		] as const) {
			const { error } = await sandbox.run({ node, parameters, items });
			expect(error?.message).toContain(`'${label}' finds nothing in any row with {{ ({ `);
		}
		expect(exchanges).toEqual([]);
	});

	test.each([
		['one of several columns', { name: '={{ $json.Shift }} {{ $json.Run }}' }, "'Run'"],
		['an expected one', { name: "={{ $json.Shift ?? $json.Run ?? 'A' }}" }, "'Run'"],
		['expected alone', { stationNumber: "={{ $json.Run || '' }}" }, "'Run'"],
		['in an object', { stationNumber: "={{ $json.body?.Run ?? '' }}" }, "'body.Run'"],
		['in a condition', { stationNumber: "={{ $if($json['Run?'], '1', '2') }}" }, "'Run?'"],
	])('of %s is told, and kept with the execution', async (_, fields, named) => {
		const parameters = mapped({ fromDate: '={{ $json.Starts }}', ...fields });
		const { hints, error, data } = await create(parameters, sheet);
		expect(error).toBeUndefined();
		expect(bodies()).toHaveLength(3);
		expect(hints).toContain(noColumn(named));
		expect(data.resultData.metadata!.Agency_Records).toContain(`no row has the column ${named}`);
	});

	const type = 'n8n-nodes-agency-records.agencyShiftSchedules';
	const parameters = mapped({
		fromDate: '={{ $json.Starts }}',
		stationNumber: '=0{{ $json.Run }}',
	});
	/** A node that ends a loop. */
	const last = {
		description: { ...new AgencyShiftSchedules().description, properties: [], credentials: [] },
		execute: () => Promise.resolve([[]]),
	} as unknown as INodeType;

	test.each([
		['a single row', 1, false, true],
		['several rows', 2, false, false],
		['a turn of a loop', 2, true, true],
	])('a renamed column in %s', async (_, count, isLoop, isSent) => {
		const items = sheet.slice(0, count).map((json) => ({ json }));
		const file = singleNodeWorkflow({ type, parameters, items });
		file.nodes.push({ ...file.nodes[0]!, id: 'last', name: 'Last', type: 'last' });
		const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		Object.assign(file.connections, { Node: to('Last'), ...(isLoop && { Last: to('Node') }) });
		const { task } = await runWorkflow(file, {
			nodeTypes: { [type]: new AgencyShiftSchedules(), last },
			credentialTypes: [new AgencyRecordsApi()],
			credentials: sandbox.credentials(),
		});
		const { hints = [] } = task('Node')!;
		expect(hints.some(({ message }) => message === noColumn("'Run'"))).toBe(isSent);
		expect(bodies().length > 0).toBe(isSent);
	});

	test.each<[string, IDataObject]>([
		['an option that expects it', { options: { maxTries: '={{ $json.slow ? 5 : 3 }}' } }],
		['a call', { stationNumber: '={{ $json.keys().length }}' }],
		['a value of a text', { stationNumber: '={{ $json.Shift.length }}' }],
		['an entry of a list', { stationNumber: '={{ $json.Crew[0].name }}' }],
		['a column that one row has', { stationNumber: '={{ $json.Last }}' }],
		['an empty column', { stationNumber: '={{ $json.Station }}' }],
	])('is not assumed for %s', async (_, fields) => {
		const items = sheet.map((row, n) => ({
			...row,
			Crew: [{ name: '7' }],
			...(n === 2 && { Last: '4' }),
		}));
		const { options = {}, ...others } = fields as { options?: IDataObject };
		const fromDate = '={{ $json.Starts }}';
		const parameters = { ...mapped({ fromDate, ...others }), options } as INodeParameters;
		const { hints, error } = await create(parameters, items);
		expect([error, hints.join().includes('no row')]).toEqual([undefined, false]);
	});
});

test('a LOSAP point requires points', async () => {
	const { error } = await sandbox.run({
		node: new AgencyUsers(),
		parameters: { userID: 101, fields: { categoryID: 3, actualPoints: '={{ $json.Pts }}' } },
		items: [1, 2, '', 4, 5].map((Pts) => ({ Pts })),
	});
	expect(error?.message).toBe("'Actual Points' is required but empty [row 3 (item 2)]");
	expect(exchanges).toEqual([]);
});

describe('an end that is not after its start', () => {
	const rows = [
		{ Date: '12/1/2026', Start: '07:00', End: '19:00' },
		{ Date: '12/1/2026', Start: '7 p.m.', End: '7am' },
		{ Date: '12/2/2026', Start: '07:00', End: '07:00' },
	];
	const send = (toDate: string, datesInRows = 'monthFirst', items: IDataObject[] = rows) =>
		create(
			{
				fields: { name: 'A', fromDate: '={{ $json.Date }} {{ $json.Start }}', toDate },
				options: { datesInRows },
			},
			items,
		);
	const ends = () =>
		sandbox.requests('createShiftSchedule').map(({ body }) => (body as IDataObject).toDate);

	test.each([
		['monthFirst', 0, rows],
		[
			'excel',
			1,
			rows.map((_, n) => ({
				Date: 46357 + Number(n === 2),
				Start: [0.25, 0.75, 0.25][n],
				End: [0.75, 0.25, 0.25][n],
			})),
		],
	])('%s: is refused with an expression that adds a day and works', async (how, at, items) => {
		const { error } = await send('={{ $json.Date }} {{ $json.End }}', how, items);
		expect(error?.message).toContain("'To Date': values like 2026-12-01T0");
		expect(exchanges).toEqual([]);
		const [, ...expressions] = /add a day: (.*\}\}), or for Excel's numbers (.*\}\})\./.exec(
			error!.message,
		)!;
		const { error: none } = await send(`=${expressions[at]}`, how, items);
		expect(none).toBeUndefined();
		expect(
			ends()
				.map((end) => (end as string).slice(0, 10))
				.sort(),
		).toEqual(['2026-12-01', '2026-12-02', '2026-12-03']);
	});

	test('may equal the start for points, but not precede it', async () => {
		const at = '2026-03-02T19:00:00-05:00';
		const credit = (endDate: string) =>
			sandbox.run({
				node: new AgencyUsers(),
				parameters: { userID: 101, fields: { actualPoints: 5, startDate: at, endDate } },
			});
		expect((await credit(at)).error).toBeUndefined();
		const { error } = await credit('2026-03-02T18:00:00-05:00');
		expect(error?.message).toBe(
			"'End Date' is 2026-03-02T18:00:00-05:00, but must be after 'Start Date'",
		);
		expect(error?.description).toContain('If it is on the next day, add a day: {{');
	});
});

describe('the input item', () => {
	const item = { ...aDay, name: 'A', from: '2026-03-01', station: '4' };

	test('with empty fields and unknown names gets a hint', async () => {
		const { hints, json } = await create({ specifyFields: 'inputItem' }, [
			{ ...item, fromDate: '2026-03-02' },
			{ ...item, stationNumber: null },
		]);
		expect(json).toHaveLength(2);
		expect(hints).toEqual([
			"Sent without these fields, which are empty: 'Station Number' (row 2). " +
				"Read as times in America/New_York, the workflow's time zone (00:00 for a date alone): 'From Date' (row 1). " +
				"Not sent because this operation has no such field: 'from', 'station'.",
		]);
	});

	test('gets a short hint, however much it contains', async () => {
		const names = Array.from({ length: 500 }, (_, n) => [`${n}${'x'.repeat(500)}`, 1] as const);
		const record = { ...aDay, name: 'A', ...Object.fromEntries(names) };
		const { hints } = await create({ specifyFields: 'inputItem' }, [record]);
		expect(hints).toEqual([expect.stringMatching(/: '0x+ …', '1x+ …', .* and 492 more\.$/)]);
		expect(hints[0]!.length).toBeLessThan(1000);
	});

	test('gets no hint for a column that an expression reads', async () => {
		const items = [{ ...aDay, name: 'A', rowID: 7, note: 'x', 'the version': 'v1' }];
		const parameters = {
			specifyFields: 'inputItem',
			options: { etag: '={{ $json["the version"] + $json.rowID }}' },
		};
		const { hints } = await create(parameters, items);
		expect(hints).toEqual(["Not sent because this operation has no such field: 'note'."]);
	});

	test('without any known name is refused with the field names, as is JSON, but not an empty form', async () => {
		const { error } = await create({ specifyFields: 'inputItem' }, [{ shift: 'A', start: '7' }]);
		expect(error?.message).toBe(
			"'Name' is required but empty. 'From Date' is required but empty. 'To Date' is required but empty. " +
				'No field has a value: the fields are name, fromDate, toDate, stationNumber, and not shift, start. ' +
				"Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field.",
		);
		const ofJson = await create({ specifyFields: 'json', json: '{}' });
		expect(ofJson.error?.message).toBe(
			"'Name' is required but empty. 'From Date' is required but empty. 'To Date' is required but empty. No field has a value: the fields are name, fromDate, toDate, stationNumber.",
		);
		const ofForm = await create({ fields: {} });
		expect(ofForm.error?.message).toMatch(
			/^'Name' is required but empty.*'To Date' is required but empty\. No field has a value: fill in at least one \(in a workflow's JSON: in parameters\.fields\)\.$/,
		);
		expect(exchanges).toEqual([]);
	});
});

test('an input item without any fields is refused for having none', async () => {
	const items = [{ json: undefined }] as unknown as INodeExecutionData[];
	const { error } = await create({ specifyFields: 'inputItem' }, items);
	expect(error?.message).toMatch(/No field has a value: the fields are name, fromDate/);
	expect(error?.message).not.toMatch(/undefined/);
});

test('a value that the form does not offer is sent as given, with a hint', async () => {
	const rows = ['X', 'Yes', 1, '0', true].map((Done, n) => ({ Path: `/${101 + n}`, Done }));
	const { json, hints, error } = await sandbox.run({
		node: new AgencyApparatusMaintenance(),
		parameters: {
			paths: { entries: [{ path: '={{ $json.Path }}' }] },
			value: { maintenanceComplete: '={{ $json.Done }}' },
		},
		items: rows,
	});
	expect(error).toBeUndefined();
	expect(json).toHaveLength(rows.length);
	const sent = sandbox
		.requests('patchApparatusMaintenance')
		.flatMap(({ body }) => body as object[]);
	const done = sent.map((one) => (one as { value: IDataObject }).value.maintenanceComplete);
	expect(done).toEqual(['X', 'Yes', '1', '0', 'true']);
	expect(hints).toEqual([
		"Sent as given, but not known to be accepted: 'Values to Set › Maintenance Complete' (rows 1–2, 5).",
	]);
});
