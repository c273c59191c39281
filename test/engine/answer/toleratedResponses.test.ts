// A service that means well and differs from its description: what has one meaning is taken as it comes and told once
// in a hint; what has two stays in doubt.
import type { IDataObject } from 'n8n-workflow';

import { deviationHints } from '../../../engine/answer/answerPolicy';
import { Trigger } from '../../harness/polling';
import { useAnsweringService, type Given, type Name } from './answeringService';

const service = useAnsweringService();

/** What an operation gives for two items, or for the two paths of one; a list is asked for by one. */
async function run(name: Name, given: Given | ((query: URLSearchParams) => Given)) {
	const isOneItem = ['list', 'listAll', 'bulkOfTwo', 'maintain'].includes(name);
	const { json, hints } = await service.run(name, given, { count: isOneItem ? 1 : 2 });
	return { json, hints };
}

const { otherStatus, numbersAsText, textAsNumbers, wrapped, noCount, noRows, otherText, notUtf8 } =
	deviationHints;
const { otherLetterCase, listByIndex, emptyForNothing, listAlone } = deviationHints;
const empty = expect.stringMatching(/^The service has no rows/);

const notice =
	'<br />\n<b>Notice</b>: Undefined index in <b>/var/www/a.php</b> on line <b>12</b>\n';
const textNotice = '\nNotice: Undefined array key [0] in /var/www/a.php on line 12\n\n';

const both = (output: IDataObject) => [output, output];
const shift = { shift: 'A', color: 'red', rowVersion: 'AAE=' };
const row = { rowNum: 1, departmentBusinessID: 7, name: 'Müller', zip: 43215 };
const listOf = (vendor: IDataObject) => ({ totalRows: 1, vendors: [vendor] });
const page = listOf(row);
const latin1 = (data: unknown) => Buffer.from(JSON.stringify(data), 'latin1');
/** What loses nothing alone is given another type. */
const asItIs = {
	rowNum: 1,
	zip: '02134',
	departmentBusinessID: '9007199254740993',
	notes: null,
	phone: 1e21,
};
/** Where two names fit, neither is taken. */
const ambiguous = { rowNum: 1, NAME: 'A', Name: 'B', City: 'C', city: 'D' };
const reported = ['/licenses/1', '/licenses/2'].map((path) => ({ path, status: 200 }));
const responded = ['/licenses/1', '/licenses/2'].map((path) => ({ path, response: 200 }));

const id = { shiftScheduleID: 7 };
const created = both(id);
const guid = { fileGUID: 'b6f8' };
const uploaded = both(guid);
const updated = both({ updated: true });
const archived = both({ archived: true });
const second = { ...row, rowNum: 2, departmentBusinessID: 8 };

describe('is taken, and told once', () => {
	const cases: Array<[Name, Given, unknown[], unknown[]]> = [
		// Success
		['create', { status: 200, body: id }, created, [otherStatus]],
		['upload', { status: 200, body: guid }, uploaded, [otherStatus]],
		['students', { status: 204 }, updated, [otherStatus]],
		['archive', { status: 200 }, archived, [otherStatus]],
		['people', { status: 200, body: { updated: 3 } }, both({ updated: 3 }), [otherStatus]],
		['bulkOfTwo', { status: 207, body: { ok: reported } }, reported, [otherStatus]],
		// Types and names
		['create', { body: { shiftScheduleID: '7' } }, created, [numbersAsText]],
		[
			'notification',
			{ body: { notificationID: 7 } },
			both({ notificationID: '7' }),
			[textAsNumbers],
		],
		[
			'upload',
			{ body: { fileGUID: 'b6f8', fileSize: '7' } },
			both({ fileGUID: 'b6f8', fileSize: 7 }),
			[numbersAsText],
		],
		['create', { body: { shiftscheduleid: 7 } }, created, [otherLetterCase]],
		['get', { body: { data: { shift } } }, both({ shift }), [wrapped]],
		[
			'get',
			{ body: { Shift: { Shift: 'A', Color: 'red', RowVersion: 7 } } },
			both({ shift: { shift: 'A', color: 'red', rowVersion: '7' } }),
			[otherLetterCase, textAsNumbers],
		],
		[
			'bulkOfTwo',
			{ body: { ok: reported.map((report) => ({ ...report, status: '200' })) } },
			reported,
			[numbersAsText],
		],
		['bulkOfTwo', { body: { ok: { 0: reported[0], 1: reported[1] } } }, reported, [listByIndex]],
		['maintain', { body: { data: responded } }, responded, [wrapped]],
		[
			'maintain',
			{ body: responded.map(({ path, response }) => ({ Path: path, Response: response })) },
			responded,
			[otherLetterCase],
		],
		['bulkOfTwo', { body: reported }, reported, [listAlone]],
		['list', { body: { ...page, totalRows: '1' } }, [row], [numbersAsText]],
		[
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
			'list',
			{ body: listOf({ ...row, phone: 5551234, archive: false }) },
			[{ ...row, phone: '5551234', archive: 'false' }],
			[textAsNumbers],
		],
		[
			'list',
			{
				body: {
					TotalRows: 1,
					Vendors: [{ ROWNUM: 1, DepartmentBusinessId: 7, Name: 'Müller', Zip: 43215 }],
				},
			},
			[row],
			[otherLetterCase],
		],
		[
			'list',
			{ body: { totalRows: 2, vendors: { 1: row, 4: second } } },
			[row, second],
			[listByIndex],
		],
		['list', { body: { data: page } }, [row], [wrapped]],
		['list', { body: { vendors: [row] } }, [row], [noCount]],
		['list', { body: [row] }, [row], [listAlone, noCount]],
		['list', { body: { totalRows: 0, vendors: null } }, [], [noRows, empty]],
		['list', { body: { totalRows: '0', vendors: {} } }, [], [numbersAsText, noRows, empty]],
		['list', { body: { totalRows: 0 } }, [], [noRows, empty]],
		['listAll', { body: {} }, [], [noRows, empty]],
		['list', { body: 'null' }, [], [noRows, empty]],
		['list', { status: 204 }, [], [noRows, empty]],
		['students', { body: [] }, updated, [emptyForNothing]],
		['students', { body: { data: [] } }, updated, [wrapped]],
		['students', { body: { Result: true } }, updated, [wrapped]],
		['students', { body: { data: null, version: 7 } }, both({ data: null, version: 7 }), []],
		['people', { body: true }, updated, [emptyForNothing]],
		['create', { body: '\uFEFF{"shiftScheduleID":7}' }, created, []],
		['list', { body: notice + JSON.stringify(page) }, [row], [otherText]],
		['get', { body: textNotice + JSON.stringify({ shift }) }, both({ shift }), [otherText]],
		['bulkOfTwo', { body: notice + JSON.stringify({ ok: reported }) }, reported, [otherText]],
		['list', { body: JSON.stringify(page) + notice }, [row], [otherText]],
		[
			'get',
			{ body: `[1]{}${JSON.stringify({ shift })}${textNotice}` },
			both({ shift }),
			[otherText],
		],
		['list', { body: `${notice}[]\n` }, [], [noRows, otherText, empty]],
		['list', { body: listOf(asItIs) }, [asItIs], []],
		['list', { body: listOf(ambiguous) }, [ambiguous], []],
		// Text
		[
			'list',
			{
				headers: { 'content-type': 'application/json; charset=iso-8859-1' },
				body: latin1(page),
			},
			[row],
			[],
		],
		[
			'list',
			{ body: latin1(listOf({ ...row, notes: '\x80 5' })) },
			[{ ...row, notes: '€ 5' }],
			[notUtf8],
		],
	];
	test.each(cases)('%s: %j', async (name, given, output, hints) => {
		expect(await run(name, given)).toEqual({ json: output, hints });
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

	test.each<[Name, Given, unknown[]]>([
		['create', { status: 202, body: id }, unknown(/has not carried it out yet \(status 202\)/)],
		['bulkOfTwo', { status: 202 }, unknown(/status 202.*is empty/)],
		['bulkOfTwo', { status: 204 }, unknown(/is empty: expected the list 'ok'/)],
		[
			'bulkOfTwo',
			{ body: { ok: [{ path: '/licenses/1', status: '202' }] } },
			unknown(/path "\/licenses\/1".*not carried it out yet/),
		],
		[
			'bulkOfTwo',
			{ body: { ok: [{ path: '/licenses/1', status: '403' }] } },
			refused(/refused the path/),
		],
		['create', { status: 204 }, done(/status 204.*is empty/)],
		['create', { body: `${notice}{"shiftScheduleID":"7"}` }, done(/shiftScheduleID 7\b.*Notice/s)],
		['upload', { body: `${textNotice}{"fileGUID":"b6f8"}` }, done(/fileGUID b6f8\b.*Notice/s)],
		[
			'create',
			{ body: `${notice}{"success":false,"shiftScheduleID":7}` },
			unknown(/reported a failure/),
		],
		['create', { body: `{"shiftScheduleID":7}${textNotice}` }, done(/ID 7\b.*around.*Notice/s)],
		['create', { body: `${notice}{"shiftScheduleID":7} {${textNotice}` }, done(/ID 7\b.*Notice/s)],
		['create', { body: `{"data":{"shiftScheduleID":7}` }, done(/expected a JSON/)],
		['create', { body: '{"shiftScheduleID":7}{"shiftScheduleID":8}' }, done(/expected/)],
		['create', { body: `{"error":"no room"}${notice}` }, unknown(/reported a failure/)],
		['get', { body: `{"success":false,"data":{"shift":{"shift":"A"}}` }, refused(/expected/)],
		['list', { body: `${JSON.stringify(page)}${JSON.stringify(page)}` }, refused(/expected/)],
		['students', { body: `{"updated":3}${notice}` }, unknown(/other text around its data/)],
		[
			'students',
			{ body: `${notice}{"updated":3}` },
			unknown(/other text around its data: .*Notice/s),
		],
		['students', { body: false }, unknown(/reported a failure: false/)],
		['students', { body: { data: false } }, unknown(/reported a failure: .*"data":false/)],
		[
			'create',
			{ body: { data: { shiftScheduleID: 7, error: 'no room' } } },
			unknown(/reported a failure/),
		],
		['create', { body: { shiftScheduleID: '007' } }, done(/expected 'shiftScheduleID'/)],
		[
			'create',
			{ body: { ShiftScheduleID: 7, SHIFTSCHEDULEID: 8 } },
			done(/expected 'shiftScheduleID'/),
		],
		[
			'create',
			{ body: { data: id, result: { shiftScheduleID: 8 } } },
			done(/expected 'shiftScheduleID'/),
		],
		['list', { body: { totalRows: 3 } }, refused(/expected .*'vendors'/)],
		['list', { body: { totalRows: 3, vendors: null } }, refused(/incomplete/)],
		['list', { body: '' }, refused(/is empty/)],
		['list', { body: { totalRows: 3, vendors: [1, null] } }, refused(/'vendors'/)],
		['list', { body: { totalRows: 'three', vendors: [] } }, refused(/'totalRows'/)],
		['list', { body: { totalRows: -1, vendors: [] } }, refused(/'totalRows'/)],
		['create', { body: '[{"shiftScheduleID":7}{"shiftScheduleID":8}' }, done(/expected/)],
		['list', { body: { totalRows: 2, vendors: { 0: row, next: row } } }, refused(/expected/)],
	])('%s: %j', async (name, given, expected) => {
		expect(await failureOf(name, given)).toEqual(expected);
	});

	test.each([300, 301, 302, 303, 307, 308])('a create that is answered %d', async (redirect) => {
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
		return { status: 200, body: latin1({ totalRows: '1', vendors }) };
	};

	test('notices a change of one letter that is not UTF-8, and no change of types', async () => {
		service.answer = () => latin('Müller');
		const trigger = await new Trigger(parameters, service.credentials()).activate();
		expect(await trigger.poll()).toEqual([]);
		service.answer = () => latin('Müller', 43215);
		expect(await trigger.poll()).toEqual([]);
		service.answer = () => latin('Möller');
		expect(await trigger.poll()).toMatchObject([
			{ name: 'Möller', zip: 43215, departmentBusinessID: 7 },
		]);
		expect(trigger.errors).toEqual([]);
	});
});
