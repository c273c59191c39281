// A service that means well and differs from its description: what has one meaning is taken as it comes and told once
// in a hint; what has two stays in doubt.
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { AgencyApparatusMaintenance } from '../../../nodes/AgencyApparatusMaintenance/AgencyApparatusMaintenance.node';
import { AgencyClasses } from '../../../nodes/AgencyClasses/AgencyClasses.node';
import { AgencyCriticalInfrastructure } from '../../../nodes/AgencyCriticalInfrastructure/AgencyCriticalInfrastructure.node';
import { AgencyEvents } from '../../../nodes/AgencyEvents/AgencyEvents.node';
import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyNotifications } from '../../../nodes/AgencyNotifications/AgencyNotifications.node';
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import { Trigger } from '../../harness/polling';
import { runNode } from '../../harness/run';
import { startFakeService, type FakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';

interface Answered {
	status: number;
	body: string | Buffer;
	headers?: Record<string, string>;
}

let service: FakeService;
let answered: (query: URLSearchParams) => Answered;
beforeAll(async () => {
	service = await startFakeService(({ url }, response) => {
		const { searchParams } = new URL(url!, 'http://service');
		const { status, body, headers } = answered(searchParams);
		response.writeHead(status, headers).end(body);
	});
});
afterAll(() => service.close());
beforeEach(() => void (service.paths.length = 0));

interface Sample {
	node: INodeType;
	parameters: INodeParameters;
	/** The status of success that the service's description names. */
	described: number;
}

const paths = { entries: [{ path: '/licenses/1' }, { path: '/licenses/2' }] };
const operations = {
	create: {
		node: new AgencyShiftSchedules(),
		parameters: { fields: { name: 'A' } },
		described: 201,
	},
	notify: {
		node: new AgencyNotifications(),
		parameters: { fields: { notificationID: 1 } },
		described: 201,
	},
	upload: { node: new AgencyFiles(), parameters: {}, described: 201 },
	add: {
		node: new AgencyEvents(),
		parameters: { eventID: 1, fields: { eventName: 'A' } },
		described: 201,
	},
	update: { node: new AgencyClasses(), parameters: { fields: { code: 'A' } }, described: 200 },
	archive: {
		node: new AgencyInspections(),
		parameters: { inspectionID: 1, answerID: 1 },
		described: 204,
	},
	bulk: { node: new AgencyLicenses(), parameters: { op: 'replace', path: paths }, described: 200 },
	maintain: {
		node: new AgencyApparatusMaintenance(),
		parameters: { op: 'replace', paths },
		described: 200,
	},
	get: { node: new AgencyShifts(), parameters: { shiftID: 1 }, described: 200 },
	list: {
		node: new AgencyVendors(),
		parameters: { output: 'raw', returnAll: true },
		described: 200,
	},
	listAll: {
		node: new AgencyCriticalInfrastructure(),
		parameters: { output: 'raw', returnAll: true },
		described: 200,
	},
} satisfies Record<string, Sample>;
type Name = keyof typeof operations;

const file = { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'x.txt' } };

type Given = Partial<Omit<Answered, 'body'>> & { body?: unknown };

const answeredWith = (name: Name, { body = '', status, headers }: Given): Answered => ({
	status: status ?? operations[name].described,
	body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
	headers,
});

/** Runs the operation for two items, which the service answers alike. */
async function run(name: Name, given: Given | ((query: URLSearchParams) => Given)) {
	answered = (query) => answeredWith(name, typeof given === 'function' ? given(query) : given);
	const { node, parameters } = operations[name];
	const isList = name === 'list' || name === 'listAll';
	const item = { json: {}, ...(name === 'upload' && { binary: file }) };
	const { json, hints } = await runNode({
		node,
		parameters: { ...parameters, options: { maxTries: 1 } },
		items: isList || name === 'bulk' || name === 'maintain' ? [item] : [item, item],
		credentials: credentialsFor(service.url),
		nodeSettings: { onError: 'continueRegularOutput' },
	});
	return { json, hints };
}

const otherStatus = expect.stringMatching(/another status of success/);
const numbersAsText = expect.stringMatching(
	/^The service differs from its description.* it sends digits as text for a number/,
);
const textAsNumbers = expect.stringMatching(/for a text\.$/);
const letterCase = expect.stringMatching(/letter case/);
const wrapped = expect.stringMatching(/inside 'data' or 'result'/);
const byIndex = expect.stringMatching(/numbers as names for a list/);
const noCount = expect.stringMatching(/no 'totalRows'/);
const noRows = expect.stringMatching(/empty list for no rows/);
const empty = expect.stringMatching(/^The service has no rows/);
const textBefore = expect.stringMatching(/other text before the data/);
const nothing = expect.stringMatching(/where nothing is asked for/);
const notUtf8 = expect.stringMatching(/not UTF-8.*Windows-1252/);

const notice =
	'<br />\n<b>Notice</b>: Undefined index in <b>/var/www/a.php</b> on line <b>12</b>\n';
const textNotice = '\nNotice: Undefined array key [0] in /var/www/a.php on line 12\n\n';

const both = (output: IDataObject) => [output, output];
const shift = { shift: 'A', color: 'red', rowVersion: 'AAE=' };
const row = { rowNum: 1, departmentBusinessID: 7, name: 'Müller', zip: 43215 };
const page = { totalRows: 1, vendors: [row] };
const reported = ['/licenses/1', '/licenses/2'].map((path) => ({ path, status: 200 }));
const responded = ['/licenses/1', '/licenses/2'].map((path) => ({ path, response: 200 }));

describe('is taken, and told once', () => {
	const cases: Array<[string, Name, Given, unknown[], unknown[]]> = [
		// Success
		[
			'200 after a create',
			'create',
			{ status: 200, body: { shiftScheduleID: 7 } },
			both({ shiftScheduleID: 7 }),
			[otherStatus],
		],
		[
			'200 after an upload',
			'upload',
			{ status: 200, body: { fileGUID: 'b6f8' } },
			both({ fileGUID: 'b6f8' }),
			[otherStatus],
		],
		['204 after an update', 'update', { status: 204 }, both({ updated: true }), [otherStatus]],
		['205 after an update', 'update', { status: 205 }, both({ updated: true }), [otherStatus]],
		['200 after an archive', 'archive', { status: 200 }, both({ archived: true }), [otherStatus]],
		[
			'200 and {} after an archive',
			'archive',
			{ status: 200, body: {} },
			both({ archived: true }),
			[otherStatus],
		],
		[
			'200 after people were added',
			'add',
			{ status: 200, body: { updated: 3 } },
			both({ updated: 3 }),
			[otherStatus],
		],
		[
			'207 for a bulk patch',
			'bulk',
			{ status: 207, body: { ok: reported } },
			reported,
			[otherStatus],
		],
		// Types and names
		[
			'an ID as text',
			'create',
			{ body: { shiftScheduleID: '7' } },
			both({ shiftScheduleID: 7 }),
			[numbersAsText],
		],
		[
			'an ID as a number',
			'notify',
			{ body: { notificationID: 7 } },
			both({ notificationID: '7' }),
			[textAsNumbers],
		],
		[
			'a size as text',
			'upload',
			{ body: { fileGUID: 'b6f8', fileSize: '7' } },
			both({ fileGUID: 'b6f8', fileSize: 7 }),
			[numbersAsText],
		],
		[
			'names in another letter case',
			'create',
			{ body: { shiftscheduleid: 7 } },
			both({ shiftScheduleID: 7 }),
			[letterCase],
		],
		[
			'an ID in data',
			'create',
			{ body: { data: { shiftScheduleID: 7 } } },
			both({ shiftScheduleID: 7 }),
			[wrapped],
		],
		[
			'an ID in result',
			'create',
			{ body: { success: true, result: { shiftScheduleID: 7 } } },
			both({ shiftScheduleID: 7 }),
			[wrapped],
		],
		['a shift in data', 'get', { body: { data: { shift } } }, both({ shift }), [wrapped]],
		[
			'a shift in another letter case, with a number',
			'get',
			{ body: { Shift: { Shift: 'A', Color: 'red', RowVersion: 7 } } },
			both({ shift: { shift: 'A', color: 'red', rowVersion: '7' } }),
			[letterCase, textAsNumbers],
		],
		[
			'statuses as text',
			'bulk',
			{ body: { ok: reported.map((report) => ({ ...report, status: '200' })) } },
			reported,
			[numbersAsText],
		],
		[
			'reports by index',
			'bulk',
			{ body: { ok: { 0: reported[0], 1: reported[1] } } },
			reported,
			[byIndex],
		],
		['reports in data', 'maintain', { body: { data: responded } }, responded, [wrapped]],
		[
			'reports in another letter case',
			'maintain',
			{ body: responded.map(({ path, response }) => ({ Path: path, Response: response })) },
			responded,
			[letterCase],
		],
		[
			'reports without their name',
			'bulk',
			{ body: reported },
			reported,
			[expect.stringMatching(/list without the object/)],
		],
		['a count as text', 'list', { body: { ...page, totalRows: '1' } }, [row], [numbersAsText]],
		[
			'all as text',
			'list',
			{
				body: {
					totalRows: '1',
					vendors: [{ ...row, rowNum: '1', departmentBusinessID: '7', zip: '43215' }],
				},
			},
			[row],
			[numbersAsText],
		],
		[
			'numbers for text, and a flag that is none',
			'list',
			{ body: { totalRows: 1, vendors: [{ ...row, phone: 5551234, archive: false }] } },
			[{ ...row, phone: '5551234', archive: 'false' }],
			[textAsNumbers],
		],
		[
			'a list in another letter case',
			'list',
			{
				body: {
					TotalRows: 1,
					Vendors: [{ ROWNUM: 1, DepartmentBusinessId: 7, Name: 'Müller', Zip: 43215 }],
				},
			},
			[row],
			[letterCase],
		],
		[
			'rows by index',
			'list',
			{
				body: {
					totalRows: 2,
					vendors: { 1: row, 4: { ...row, rowNum: 2, departmentBusinessID: 8 } },
				},
			},
			[row, { ...row, rowNum: 2, departmentBusinessID: 8 }],
			[byIndex],
		],
		['a list in data', 'list', { body: { data: page } }, [row], [wrapped]],
		['rows in data', 'list', { body: { totalRows: 1, data: [row] } }, [row], [wrapped]],
		['no count', 'list', { body: { vendors: [row] } }, [row], [noCount]],
		[
			'a list without its name',
			'list',
			{ body: [row] },
			[row],
			[expect.stringMatching(/list without the object/), noCount],
		],
		['null for no rows', 'list', { body: { totalRows: 0, vendors: null } }, [], [noRows, empty]],
		['null for no rows, and no count', 'list', { body: { vendors: null } }, [], [noRows, empty]],
		[
			'{} for no rows',
			'list',
			{ body: { totalRows: '0', vendors: {} } },
			[],
			[numbersAsText, noRows, empty],
		],
		['no list for no rows', 'list', { body: { totalRows: 0 } }, [], [noRows, empty]],
		['{} alone for no rows', 'listAll', { body: {} }, [], [noRows, empty]],
		['[] alone for no rows', 'list', { body: [] }, [], [noRows, empty]],
		['null alone for no rows', 'list', { body: 'null' }, [], [noRows, empty]],
		['204 for no rows', 'list', { status: 204 }, [], [otherStatus, empty]],
		['[] for an empty object', 'update', { body: [] }, both({ updated: true }), [nothing]],
		['null where nothing is due', 'update', { body: 'null' }, both({ updated: true }), [nothing]],
		['[] in data', 'update', { body: { data: [] } }, both({ updated: true }), [wrapped]],
		['null in result', 'update', { body: { result: null } }, both({ updated: true }), [wrapped]],
		['{} in data', 'update', { body: { data: {} } }, both({ updated: true }), [wrapped]],
		['true in Result', 'update', { body: { Result: true } }, both({ updated: true }), [wrapped]],
		[
			'null in data beside something else, which is kept',
			'update',
			{ body: { data: null, version: 7 } },
			both({ data: null, version: 7 }),
			[],
		],
		['true where nothing is due', 'add', { body: true }, both({ updated: true }), [nothing]],
		[
			'a byte order mark',
			'create',
			{ body: '\uFEFF{"shiftScheduleID":7}' },
			both({ shiftScheduleID: 7 }),
			[],
		],
		[
			'a notice before a list',
			'list',
			{ body: notice + JSON.stringify(page) },
			[row],
			[textBefore],
		],
		[
			'a notice before a shift',
			'get',
			{ body: textNotice + JSON.stringify({ shift }) },
			both({ shift }),
			[textBefore],
		],
		[
			'a notice before reports',
			'bulk',
			{ body: notice + JSON.stringify({ ok: reported }) },
			reported,
			[textBefore],
		],
		// Text
		[
			'ISO 8859-1, declared',
			'list',
			{
				headers: { 'content-type': 'application/json; charset=iso-8859-1' },
				body: Buffer.from(JSON.stringify(page), 'latin1'),
			},
			[row],
			[],
		],
		[
			'UTF-16, declared',
			'list',
			{
				headers: { 'content-type': 'application/json;charset="UTF-16"' },
				body: Buffer.from(JSON.stringify(page), 'utf16le'),
			},
			[row],
			[],
		],
		[
			'Windows-1252, not declared',
			'list',
			{
				body: Buffer.from(
					JSON.stringify({ totalRows: 1, vendors: [{ ...row, notes: '\x80 5' }] }),
					'latin1',
				),
			},
			[{ ...row, notes: '€ 5' }],
			[notUtf8],
		],
		[
			'Windows-1252, declared as UTF-8',
			'get',
			{
				headers: { 'content-type': 'application/json; charset=utf-8' },
				body: Buffer.from('{"shift":{"shift":"Fr\xfch"}}', 'latin1'),
			},
			both({ shift: { shift: 'Früh' } }),
			[notUtf8],
		],
	];
	test.each(cases)('%s (%s)', async (_, name, given, output, hints) => {
		expect(await run(name, given)).toEqual({ json: output, hints });
	});

	test('without a count, pages are read until one is not full', async () => {
		const rows = Array.from({ length: 243 }, (_, at) => ({
			...row,
			rowNum: at + 1,
			departmentBusinessID: at + 1,
		}));
		const { json, hints } = await run('list', (query) => {
			const offset = Number(query.get('offset') ?? 0);
			return { body: { vendors: rows.slice(offset, offset + Number(query.get('limit'))) } };
		});
		expect(json).toEqual(rows);
		expect(hints).toEqual([noCount]);
		expect(service.paths.filter((path) => path.includes('/vendors'))).toHaveLength(3);
	});

	test('what loses nothing alone is given another type', async () => {
		const vendor = {
			rowNum: 1,
			zip: '02134',
			departmentBusinessID: '9007199254740993',
			notes: null,
			phone: 1e21,
		};
		const { json } = await run('list', { body: { totalRows: 1, vendors: [vendor] } });
		expect(json).toEqual([vendor]);
	});

	test('where two names fit, neither is taken', async () => {
		const vendor = { rowNum: 1, NAME: 'A', Name: 'B', City: 'C', city: 'D' };
		const { json } = await run('list', { body: { totalRows: 1, vendors: [vendor] } });
		expect(json).toEqual([vendor]);
	});
});

describe('is no success', () => {
	const failureOf = async (name: Name, given: Given) => {
		const { json } = await run(name, given);
		const { message, error } = json[0] as { message: string; error: { outcome?: string } };
		return [error.outcome, message];
	};
	const unknown = (message: RegExp): unknown[] => ['unknown', expect.stringMatching(message)];
	const done = (message: RegExp): unknown[] => ['done', expect.stringMatching(message)];
	const refused = (message: RegExp): unknown[] => ['refused', expect.stringMatching(message)];

	test.each<[string, Name, Given, unknown[]]>([
		[
			'202 after a create',
			'create',
			{ status: 202, body: { shiftScheduleID: 7 } },
			unknown(/accepted the request, but has not carried it out yet \(status 202\)/),
		],
		['202 after an archive', 'archive', { status: 202 }, unknown(/not carried it out yet/)],
		['202 after an update', 'update', { status: 202, body: {} }, unknown(/not carried it out yet/)],
		[
			'202 for a bulk patch without reports',
			'bulk',
			{ status: 202 },
			unknown(/status 202.*is empty/),
		],
		['204 for a bulk patch', 'bulk', { status: 204 }, unknown(/is empty: expected the list 'ok'/)],
		[
			'a path with status 202',
			'bulk',
			{ body: { ok: [{ path: '/licenses/1', status: '202' }] } },
			unknown(/path "\/licenses\/1".*not carried it out yet/),
		],
		[
			'a path with status "403"',
			'bulk',
			{ body: { ok: [{ path: '/licenses/1', status: '403' }] } },
			refused(/refused the path/),
		],
		['204 after a create', 'create', { status: 204 }, done(/status 204.*is empty/)],
		[
			'a notice before the ID',
			'create',
			{ body: `${notice}{"shiftScheduleID":"7"}` },
			done(/shiftScheduleID 7\b.*Notice/s),
		],
		[
			'a notice before the file',
			'upload',
			{ body: `${textNotice}{"fileGUID":"b6f8"}` },
			done(/fileGUID b6f8\b.*Notice/s),
		],
		[
			'a notice before a no',
			'create',
			{ body: `${notice}{"success":false,"shiftScheduleID":7}` },
			unknown(/says that it failed/),
		],
		['a notice where nothing is due', 'update', { body: notice }, unknown(/shape/)],
		[
			'a notice before an object where nothing is due',
			'update',
			{ body: `${notice}{"updated":3}` },
			unknown(/other text before its data: .*Notice/s),
		],
		[
			'false where nothing is due',
			'update',
			{ body: false },
			unknown(/says that it failed: false/),
		],
		[
			'false in data',
			'update',
			{ body: { data: false } },
			unknown(/says that it failed: .*"data":false/),
		],
		[
			'a no in another letter case',
			'update',
			{ body: { Success: false } },
			unknown(/says that it failed/),
		],
		[
			'a no in data',
			'create',
			{ body: { data: { shiftScheduleID: 7, error: 'no room' } } },
			unknown(/says that it failed/),
		],
		[
			'an ID with zeros before it',
			'create',
			{ body: { shiftScheduleID: '007' } },
			done(/expected 'shiftScheduleID'/),
		],
		[
			'two IDs',
			'create',
			{ body: { ShiftScheduleID: 7, SHIFTSCHEDULEID: 8 } },
			done(/expected 'shiftScheduleID'/),
		],
		[
			'an ID in data, another in result',
			'create',
			{ body: { data: { shiftScheduleID: 7 }, result: { shiftScheduleID: 8 } } },
			done(/expected 'shiftScheduleID'/),
		],
		[
			'a list of something else',
			'list',
			{ body: { message: 'Resource not found' } },
			refused(/expected .*'vendors'/),
		],
		['no list, but a count', 'list', { body: { totalRows: 3 } }, refused(/expected .*'vendors'/)],
		[
			'null for counted rows',
			'list',
			{ body: { totalRows: 3, vendors: null } },
			refused(/incomplete/),
		],
		['an empty body for a list', 'list', { body: '' }, refused(/is empty/)],
		[
			'half an object by index',
			'list',
			{ body: { totalRows: 2, vendors: { 0: row, next: row } } },
			refused(/expected/),
		],
	])('%s (%s)', async (_, name, given, expected) => {
		expect(await failureOf(name, given)).toEqual(expected);
	});

	test.each([301, 302, 303, 307, 308])('a create that is answered %d', async (redirect) => {
		const given = { status: redirect, headers: { location: '/elsewhere' } };
		expect(await failureOf('create', given)).toEqual(unknown(/redirect/));
		expect(await failureOf('get', given)).toEqual(refused(/redirect/));
	});
});

describe('the trigger', () => {
	const parameters = {
		resource: 'vendor',
		output: 'raw',
		triggerOn: ['added', 'changed', 'removed'],
	};
	const latin = (name: string, zip: unknown = '43215') => {
		const vendors = [{ rowNum: '1', departmentBusinessID: '7', name, zip }];
		return {
			status: 200,
			body: Buffer.from(JSON.stringify({ totalRows: '1', vendors }), 'latin1'),
		};
	};

	test('notices a change of one letter that is not UTF-8, and no change of types', async () => {
		answered = () => latin('Müller');
		const trigger = await new Trigger(parameters, credentialsFor(service.url)).activate();
		expect(await trigger.poll()).toEqual([]);
		answered = () => latin('Müller', 43215);
		expect(await trigger.poll()).toEqual([]);
		answered = () => latin('Möller');
		expect(await trigger.poll()).toMatchObject([
			{ name: 'Möller', zip: 43215, departmentBusinessID: 7 },
		]);
		expect(trigger.errors).toEqual([]);
	});

	test('takes 204 for a list without rows', async () => {
		answered = () => latin('Müller');
		const trigger = await new Trigger(parameters, credentialsFor(service.url)).activate();
		answered = () => ({ status: 204, body: '' });
		expect(await trigger.poll()).toMatchObject([
			{ changeType: 'removed', departmentBusinessID: 7 },
		]);
		expect(trigger.errors).toEqual([]);
	});
});
