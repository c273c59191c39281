// Agency Records Request: undocumented operations whose path the item gives. The sandbox's own operations stand in for
// them, and the results must equal those of the areas' nodes.
import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import { createSchedules, namedRows } from '../../harness/createSchedules.cts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { logLevels, n8nLogger } from '../../harness/n8nLogger.cts';
import { rowNames } from '../../harness/records.cts';
import { continueOnFail, errorOf, outcomesOf, type RunOptions } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox, withPageSize } from '../../harness/useSandbox.cts';
import { aDay } from '../../harness/aDay.mts';

useStoreOfKeys();
const sandbox = useSandbox();

const node = new AgencyRecordsRequest();
const request = (operation: string, parameters: INodeParameters, more?: Partial<RunOptions>) =>
	sandbox.run({ node, parameters: { operation, ...parameters }, ...more });

const schedules = '/agencyshiftschedules/shiftschedules';

/** Creates shift schedules, one for each item, by its name. */
const post = (options: IDataObject = {}, more: Partial<RunOptions> = {}) =>
	request(
		'post',
		{
			path: schedules,
			body: `={{ { ...${JSON.stringify(aDay)}, name: $json.name } }}`,
			options: { idField: 'shiftScheduleID', ...options } as INodeParameters,
		},
		more,
	);

const goOn = { nodeSettings: continueOnFail };

test("a POST creates and returns the same as the area's node", async () => {
	const items = namedRows(5);
	const options = { include: 'sentFields' };
	const ofArea = await createSchedules(sandbox.credentials(), { items, options });
	await sandbox.restart();
	sandbox.exchanges.length = 0;
	const { items: output, hints, error } = await post(options, { items });
	expect(error).toBeUndefined();
	expect(hints).toEqual([]);
	expect(rowNames(sandbox)).toHaveLength(5);
	const withIDs = (each: { name?: unknown }) => ({ ...each, shiftScheduleID: expect.any(Number) });
	expect(output.map(({ json }) => json)).toEqual(
		ofArea.json.map((json) => ({ ...withIDs(json), path: schedules })),
	);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
});

test('a GET reads one object', async () => {
	const ofArea = await sandbox.run({ node: new AgencyShifts(), parameters: { shiftID: 101 } });
	const { json } = await request('get', { path: '=/agencyshifts/shifts/{{ 100 + 1 }}' });
	expect(json).toEqual(ofArea.json);
	expect(json).toEqual([{ shift: expect.any(Object) }]);
});

const ways = [{ returnAll: true }, { limit: 7, options: { offset: 3 } }];
test.each(ways)('Get Many pages through a list by the given name: %j', async (rows) => {
	const credentials = sandbox.credentials(withPageSize(5));
	const ofArea = await sandbox.run({
		node: new AgencyVendors(),
		parameters: { output: 'raw', ...rows },
		credentials,
	});
	expect(ofArea.json.length).toBeGreaterThan(5);
	const path = '/agencyvendors/vendors';
	const named = { path, rowsKey: 'vendors', ...rows };
	const { json, hints } = await request('getMany', named, { credentials });
	expect(hints).toEqual(ofArea.hints);
	expect(json).toEqual(ofArea.json);
	const { error } = await request('getMany', { path, rowsKey: 'rows' }, { credentials });
	expect(error?.message).toContain("expected 'totalRows' and the list 'rows'");
});

test("DELETE and PATCH do the same as the areas' nodes", async () => {
	const archived = await sandbox.run({
		node: new AgencyInspections(),
		parameters: { inspectionID: 101, answerID: 101 },
	});
	expect(archived.error).toBeUndefined();
	const path = '/agencyinspections/inspections/101/answers/102';
	expect((await request('delete', { path })).json).toMatchObject([{ deleted: true }]);
	const students = { path: '/agencyclasses/classes/students', body: '={{ $json }}' };
	const rows = [{ agencyCodeCategoryID: 101, code: 'A', description: 'A' }];
	expect((await request('patch', students, { items: rows })).json).toHaveLength(1);
});

describe('two rows for one path', () => {
	const rows = ['/things/A7', '/Things/%41%37', '/things/8'].map((path) => ({ path }));
	const send = (operation: string) =>
		runAgainst(operation, { a: 1 }, {}, { path: '={{ $json.path }}' }, rows);

	test.each(['put', 'patch', 'delete'])('a %s of both is refused', async (operation) => {
		const { json } = await send(operation);
		expect(outcomesOf({ json })).toEqual(['notSent', 'notSent', 'sent']);
		expect(json[0]!.message).toContain('must name each record once');
	});

	test.each(['get', 'post'])('a %s of both is sent', async (operation) => {
		expect(outcomesOf(await send(operation))).toEqual(['sent', 'sent', 'sent']);
	});
});

describe("a name in a path's query", () => {
	const options = { additionalFields: '{"agencyID": 12}' };
	const rows = { rowsKey: 'vendors', options };
	const read = (path: string) => request('getMany', { path, ...rows });

	test.each(['limit=5', 'a=1&offset=2', '%6Cimit=5', 'agencyID=12', 'filter=a', 'showArchived=1'])(
		'%s clashes with a field of the form',
		async (query) => {
			const { error } = await read(`/agencyvendors/vendors?${query}`);
			expect(error?.message).toMatch(
				/^'Path' has '\w+', which is a field of this form: give it there/,
			);
			expect(sandbox.exchanges).toEqual([]);
		},
	);

	test.each(['orderby=name', 'path=a', 'Limits=5'])('%s does not clash', async (query) => {
		const { error } = await read(`/agencyvendors/vendors?${query}`);
		expect(error?.message ?? '').not.toContain("'Path'");
		expect(sandbox.exchanges).not.toEqual([]);
	});
});

test('spaces around field names are ignored, and invisible characters refused', async () => {
	const body = { thingID: 7, totalRows: 1, things: [{ a: 1 }] };
	expect((await runAgainst('post', body, { idField: ' thingID ' })).json).toEqual([body]);
	expect((await runAgainst('getMany', body, {}, { rowsKey: 'things\t' })).json).toEqual([{ a: 1 }]);
	for (const name of ['thingID\u200b', '\u00a0thingID', 'thing\u00adID'])
		expect(outcomesOf(await runAgainst('post', body, { idField: name }))).toEqual(['notSent']);
});

test.each([
	'[{"op": "replace", "path": "/name", "value": "B"}]',
	'={{ [{ op: "replace", path: "/name", value: "B" }] }}',
])('a body may be a list: %s', async (given) => {
	const parameters = { path: '/users/7', body: given };
	const { json, sent } = await runAgainst('patch', {}, { include: 'sentFields' }, parameters);
	const list = [{ op: 'replace', path: '/name', value: 'B' }];
	expect(sent).toEqual([`PATCH ${JSON.stringify(list)}`]);
	expect(json).toEqual([{ updated: true, path: '/users/7', body: list }]);
});

const noBodies = ['={{ [] }}', '={{ [null] }}', '3', '"A"', '={{ [undefined, 1] }}'];
test.each(noBodies)('%s is not a body', async (given) => {
	expect(outcomesOf(await runAgainst('patch', {}, {}, { body: given }))).toEqual(['notSent']);
});

test("refusals are reported in the service's words", async () => {
	const { json } = await request(
		'post',
		{ path: schedules, body: '={{ { fromDate: $json.day } }}' },
		{ items: [{ day: 'soon' }, { day: '2026-03-01T07:00:00Z' }], ...goOn },
	);
	expect(errorOf(json[0])).toMatchObject({ code: 'valuesRefused', outcome: 'refused' });
	expect(errorOf(json[0])!.serviceMessage).toContain('fromDate');
	expect(json[1]).not.toHaveProperty('error');
	const missing = await request('get', { path: '/agencyvendors/nothing' });
	expect(missing.error?.httpCode).toBe('404');
});

test.each(['post', 'put', 'patch'])('a %s in doubt is not retried', async (operation) => {
	const { json, sent } = await runAgainst(operation, saying(503, '{}'));
	expect(errorOf(json[0])).toMatchObject({ outcome: 'inDoubt', tries: 1 });
	expect(sent).toEqual([`${operation.toUpperCase()} {"a":1}`]);
});

test("a PUT succeeds by its status alone, unless 'ID Field' demands an ID", async () => {
	expect((await runAgainst('put', {})).json).toEqual([{ updated: true }]);
	const { json } = await runAgainst('put', {}, { idField: 'thingID' });
	expect(errorOf(json[0])).toMatchObject({ outcome: 'inDoubt', code: 'unreadableResponse' });
});

const withoutID = ['0', 'null', '', '{"shiftScheduleID": 0}', '[]'];
test.each(withoutID)('the response %j lacks the ID that would prove success', async (response) => {
	const { json } = await runAgainst('post', saying(200, response), { idField: 'shiftScheduleID' });
	expect(outcomesOf({ json })).toEqual(['inDoubt']);
});

type Respond = (response: ServerResponse) => unknown;

/** Responds with a status and a text. */
const saying =
	(status: number, text = ''): Respond =>
	(response) =>
		response.writeHead(status).end(text);

/** Sends a request for each item to a service that responds with a body, or as told. */
async function runAgainst(
	operation: string,
	response: unknown,
	options: IDataObject = {},
	more: INodeParameters = {},
	items?: IDataObject[],
) {
	const sent: string[] = [];
	const respondToAll =
		typeof response === 'function' ? response : saying(200, JSON.stringify(response));
	const service = await startFakeService(({ method }, response, body) => {
		sent.push(`${method} ${body}`);
		(respondToAll as Respond)(response);
	});
	const body = operation.startsWith('p') ? { body: '{"a": 1}' } : {};
	const parameters = {
		path: '/things/7',
		...body,
		...more,
		options: { include: 'responseOnly', ...options } as INodeParameters,
	};
	const credentials = credentialsFor(service.url);
	const result = await request(operation, parameters, { credentials, items, ...goOn });
	return Object.assign(result, { sent });
}

describe('a record whose own fields look like a failure', () => {
	test.each([
		{ inspectionID: 12, status: 'Failed' },
		{ inspectionID: 12, success: 3 },
		{ inspectionID: 12, success: 'yes' },
		{ vehicleID: 4, errors: ['P0301'] },
		{ deviceID: 'A', ok: false, error: 3 },
		{ data: { inspectionID: 12, status: 'Failed' } },
	])('%j is accepted', async (record) => {
		expect((await runAgainst('get', record)).json).toEqual([record]);
		expect((await runAgainst('post', record)).json).toEqual([record]);
	});

	test('its ID may have the name of an error field', async () => {
		const record = { code: 'E4', status: 'Failed' };
		const { json } = await runAgainst('post', record, { idField: 'code' });
		expect(json).toEqual([record]);
	});

	const counts = [{ totalRows: 1 }, {}];
	test.each(counts)('its list may have the name of an error field, next to %j', async (others) => {
		const body = { ...others, errors: [{ a: 1 }] };
		const { json } = await runAgainst('getMany', body, {}, { rowsKey: 'errors' });
		expect(json).toEqual([{ a: 1 }]);
	});

	test.each([
		{ inspectionID: 12, success: false },
		{ status: 'Failed', message: 'no such thing', code: 4 },
		{ Error: 'server_error', error_description: 'broken' },
		{ type: 'about:blank', title: 'Bad Request', status: 400, detail: 'x', instance: '/things' },
		{ status: 'fail', data: { name: 'is too long' } },
		{ statusCode: 404, message: 'Resource not found' },
		{ data: { ok: false } },
	])('%j is a failure', async (body) => {
		expect(outcomesOf(await runAgainst('get', body))).toEqual(['refused']);
		expect(outcomesOf(await runAgainst('post', body))).toEqual(['inDoubt']);
	});
});

test('failing requests to one path do not hold back other paths', async () => {
	const service = await startFakeService(({ url }, response) => {
		response.statusCode = url!.startsWith('/broken') ? 503 : 200;
		response.setHeader('Retry-After', '3600');
		response.end('{}');
	});
	const credentials = credentialsFor(service.url);
	const put = (path: string) =>
		request(
			'put',
			{ path, body: '{"a": 1}' },
			{ credentials, items: [{ n: 1 }, { n: 2 }], ...goOn },
		);
	expect(outcomesOf(await put('=/broken/{{ $json.n }}'))).toContain('inDoubt');
	expect(outcomesOf(await put('=/well/{{ $json.n }}'))).toEqual(['sent', 'sent']);
	const { json } = await put('=/broken/{{ $json.n }}');
	expect(json[0]!.message).toContain('PUT /broken/{{ $json.n }}');
});

describe("'ID Field' also decides whether requests are held back", () => {
	/** The number of POSTs for 20 rows sent to a service that responds with a body, and the rows' outcomes. */
	async function postAll(body: string, idField: string) {
		const options = { idField, maxWait: 1 };
		const result = await runAgainst('post', saying(200, body), options, {}, namedRows(20));
		return { count: result.sent.length, outcomes: new Set(outcomesOf(result)) };
	}

	test('responses without the ID leave rows in doubt, so the others go one at a time', async () => {
		const { count } = await postAll('{"message": "Down for maintenance"}', 'thingID');
		expect(count).toBeLessThan(10);
	});

	test('a hint names rows that got the same new ID, unless the path contains it', async () => {
		const sent = async (operation: string, path: string) => {
			const items = [{ n: 1 }, { n: 2 }];
			const options = { idField: 'thingID' };
			return (await runAgainst(operation, { thingID: 7 }, options, { path }, items)).hints;
		};
		expect(await sent('post', '/things')).toEqual([
			expect.stringMatching(/^The service gave several rows the same ID: rows 1–2 \(items 0–1\)\./),
		]);
		expect(await sent('post', '/things/7/parts')).toEqual([]);
		expect(await sent('patch', '=/things/{{ $json.n }}')).toEqual([]);
	});

	test('responses with the ID hold back nothing, whatever else they contain', async () => {
		const sent = await postAll('{"code": "E4", "status": "Failed"}', 'code');
		expect(sent).toEqual({ count: 20, outcomes: new Set(['sent']) });
	});
});

test.each(['patch', 'put', 'delete'])(
	"'not modified' for a %s with an ETag is a success, and holds back no other row",
	async (operation) => {
		const { json } = await runAgainst(
			operation,
			saying(304),
			{ etag: 'v1', maxWait: 0 },
			{ path: '=/things/{{ $json.name }}' },
			['A', 'B', 'C', 'D'].map((name) => ({ name })),
		);
		expect(outcomesOf({ json })).toEqual(Array(4).fill('sent'));
		expect(json[3]).toEqual({ notModified: true, path: '/things/D', etag: 'v1' });
	},
);

describe('for a response of another shape, the advice names the right operation or list', () => {
	const ofGet = "Check 'Path' and 'ID Field'. Lists need 'Get Many'.";
	test.each([
		['get', [{ a: 1 }], {}, ofGet],
		['get', 7, {}, ofGet],
		['get', { user: { unitID: 7 } }, { idField: 'user' }, ofGet],
		['getMany', { unitID: 7, name: 'E1' }, {}, "Check 'Path' and 'List Field'."],
	])('%s, %j %j', async (operation, body, options, expected) => {
		const rowsKey: INodeParameters = operation === 'get' ? {} : { rowsKey: 'rows' };
		const { json } = await runAgainst(operation, body, options, rowsKey);
		expect(errorOf(json[0])?.advice).toBe(expected);
	});

	test('the ID may be in a nested object', async () => {
		const idField = 'userID';
		const body = { success: true, user: { userID: '1042' } };
		expect((await runAgainst('get', body, { idField })).json).toEqual([body]);
		expect(outcomesOf(await runAgainst('post', body, { idField }))).toEqual(['inDoubt']);
	});

	test.each([[], {}, null, undefined])('%j means that there is no such record', async (body) => {
		for (const options of [{}, { idField: 'userID' }]) {
			const { json } = await runAgainst('get', body, options);
			expect(json[0]!.message).toMatch(
				/^The service has no such record \(status 200 without data\)/,
			);
			expect(errorOf(json[0])).toMatchObject({ outcome: 'refused', retryable: false });
			expect(errorOf(json[0])?.advice).toBe('Check the IDs of this item.');
		}
	});

	test('status 204 means that there is no content', async () => {
		expect((await runAgainst('get', saying(204))).json).toEqual([{ noContent: true }]);
	});

	test('no hint mentions documentation', async () => {
		const body = { totalRows: '1', Things: [{ a: '1' }] };
		const { json, hints } = await runAgainst('getMany', body, {}, { rowsKey: 'things' });
		expect(json).toEqual([{ a: '1' }]);
		expect(hints).toEqual([]);
	});

	test('one page of a list read as an object gets a hint', async () => {
		const body = { totalRows: 1000, vendors: [{ a: 1 }] };
		const { json, hints } = await runAgainst('get', body);
		expect(json).toEqual([body]);
		expect(hints).toEqual([expect.stringContaining("'Get Many' reads all")]);
	});
});

test('404 names the path first; a refused limit does not blame the page size alone', async () => {
	const refuse = async (operation: string, status: number, body: string) => {
		const rowsKey: INodeParameters = operation === 'getMany' ? { rowsKey: 'rows' } : {};
		const { json } = await runAgainst(operation, saying(status, body), {}, rowsKey);
		return errorOf(json[0])?.advice;
	};
	const error = '{"errors":{"validationErrors":[{"field":"limit","message":"is unknown"}]}}';
	expect(await refuse('get', 404, error)).toMatch(/^Check 'Path' of this item\. Check 'Base URL'/);
	expect(await refuse('getMany', 400, error)).toMatch(
		/^Set 'Page Size' .* To read a list that takes no 'limit', .* with 'Get'/,
	);
});

test('Send Once: sent rows are not resent, not even by another path', async () => {
	await sandbox.restart({ port: 0 });
	const options = { sendOnceKey: '={{ $json.name }}' };
	await post(options, { items: namedRows(3) });
	const again = await post(options, { items: namedRows(4) });
	expect(outcomesOf(again)).toEqual([...Array<string>(3).fill('alreadySent'), 'sent']);
	const { error } = await request(
		'post',
		{ path: `=${schedules}?row={{ $json.name.length }}`, body: '{"name": "B"}', options },
		{ items: namedRows(1) },
	);
	expect(error?.message).toContain('was sent with other values');
	expect(rowNames(sandbox).sort()).toEqual(['row 0', 'row 1', 'row 2', 'row 3']);
});

const wrong = ['https://other.example/x', '/a/undefined'];
test.each(wrong)('the path %j is refused without a sign-in', async (path) => {
	const { error } = await request('delete', { path: '={{ $json.path }}' }, { items: [{ path }] });
	expect(error?.message).toMatch(/^'Path' is /);
	expect(sandbox.exchanges).toEqual([]);
});

test('path and body are required', async () => {
	const { error } = await request('post', { path: '={{ $json.a }}', body: '={{ $json.b }}' });
	expect(error?.message).toBe("'Body' is required but empty. 'Path' is required but empty.");
	expect(sandbox.exchanges).toEqual([]);
});

test("n8n's log does not contain items' paths", async () => {
	const logged: string[] = [];
	for (const level of logLevels)
		jest.spyOn(n8nLogger(), level).mockImplementation((text: string) => void logged.push(text));
	await request(
		'get',
		{ path: '=/agencyshifts/shifts/{{ $json.id }}' },
		{ items: [{ id: 4711 }], ...goOn },
	);
	expect(logged).toContain('Node: begins with 1 item: GET {+path}');
	expect(logged.join()).not.toContain('4711');
});
