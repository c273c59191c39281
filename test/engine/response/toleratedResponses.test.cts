// Harmless deviations from the API spec: unambiguous responses are accepted with one hint, and ambiguous ones stay in
// doubt.
import type { IDataObject } from 'n8n-workflow';

import { deviationHints } from '../../../engine/response/normalize';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { useCannedService, type Given, type Name } from './cannedService.cts';

// Requests in doubt open the circuit.
useVirtualTime({ skipsPauses: true });
const service = useCannedService();

/** The output of an operation for two items, or for the two paths of one; a list is read by one. */
async function run(name: Name, given: Given | ((query: URLSearchParams) => Given)) {
	const isOneItem = ['list', 'listAll', 'bulkOfTwo', 'maintain'].includes(name);
	const { json, hints } = await service.run(name, given, { count: isOneItem ? 1 : 2 });
	return { json, hints };
}

const { otherForm, noCount, noRows, otherText } = deviationHints;
const empty = expect.stringMatching(/^The service has no rows/);
/** Both rows of a create get one response here. */
const sameId = expect.stringMatching(/^The service gave several rows the same ID: rows 1–2 /);

const notice =
	'<br />\n<b>Notice</b>: Undefined index in <b>/var/www/a.php</b> on line <b>12</b>\n';
const textNotice = '\nNotice: Undefined array key [0] in /var/www/a.php on line 12\n\n';

const both = (output: IDataObject) => [output, output];
const shift = { shift: 'A', color: 'red', rowVersion: 'AAE=' };
const row = { rowNum: 1, departmentBusinessID: 7, name: 'Müller', zip: 43215 };
const listOf = (vendor: IDataObject) => ({ totalRows: 1, vendors: [vendor] });
const page = listOf(row);
const latin1 = (data: unknown) => Buffer.from(JSON.stringify(data), 'latin1');
/** Types are only changed if nothing is lost. */
const asItIs = { rowNum: 1, zip: '02134', departmentBusinessID: '9007199254740993', notes: null };
/** If two names match, neither is used. */
const ambiguous = { rowNum: 1, NAME: 'A', Name: 'B', City: 'C', city: 'D' };
const reported = ['/licenses/1', '/licenses/2'].map((path) => ({ path, status: 200 }));
const responded = ['/licenses/1', '/licenses/2'].map((path) => ({ path, response: 200 }));

const id = { shiftScheduleID: 7 };
const created = both(id);
const updated = both({ updated: true });

const cases: Array<[Name, Given['body'], unknown[], unknown[], Given?]> = [
	// Success
	['create', id, created, [otherForm, sameId], { status: 200 }],
	['students', '', updated, [otherForm], { status: 204 }],
	['people', { updated: 3 }, both({ updated: 3 }), []],
	['people', ' \r\n', updated, []],
	['people', {}, updated, []],
	['bulkOfTwo', { ok: reported }, reported, [otherForm], { status: 207 }],
	// Types and names
	['create', { shiftScheduleID: '7' }, created, [sameId]],
	['notification', { notificationID: 7 }, both({ notificationID: '7' }), [sameId]],
	['upload', { fileGUID: 'b6', fileSize: '1' }, both({ fileGUID: 'b6', fileSize: 1 }), [sameId]],
	['create', { shiftscheduleid: 7 }, created, [otherForm, sameId]],
	[
		'get',
		{ Shift: { Shift: 'A', Color: 'red', RowVersion: 7 } },
		both({ shift: { shift: 'A', color: 'red', rowVersion: '7' } }),
		[otherForm],
	],
	[
		'maintain',
		responded.map(({ path, response }) => ({ Path: path, Response: response })),
		responded,
		[otherForm],
	],
	['bulkOfTwo', reported, reported, [otherForm]],
	[
		'list',
		{ totalRows: '1', vendors: [{ ...row, rowNum: '1', departmentBusinessID: '7', zip: '43215' }] },
		[row],
		[],
	],
	[
		'list',
		listOf({ ...row, phone: 5551234, archive: false }),
		[{ ...row, phone: '5551234', archive: 'false' }],
		[],
	],
	['list', { vendors: [row] }, [row], [noCount]],
	['list', [row], [row], [otherForm, noCount]],
	['list', { totalRows: 0, vendors: null }, [], [noRows, empty]],
	['list', { totalRows: 0 }, [], [noRows, empty]],
	['listAll', {}, [], [noRows, empty]],
	['list', 'null', [], [noRows, empty]],
	['list', '[]', [], [expect.stringContaining('[]'), empty]],
	['list', '', [], [noRows, empty], { status: 204 }],
	['students', [], updated, []],
	['students', { data: null, version: 7 }, both({ data: null, version: 7 }), []],
	['people', true, updated, []],
	['create', '\uFEFF{"shiftScheduleID":7}', created, [sameId]],
	['bulkOfTwo', notice + JSON.stringify({ ok: reported }), reported, [otherText]],
	['get', `[1]{}${JSON.stringify({ shift })}${textNotice}`, both({ shift }), [otherText]],
	['list', `${notice}[]\n`, [], [noRows, otherText, empty]],
	['list', listOf(asItIs), [asItIs], []],
	['list', listOf(ambiguous), [ambiguous], []],
];
test.each(cases)(
	'accepted, with one hint unless only types differ: %s: %j',
	async (name, body, output, hints, more = {}) => {
		expect(await run(name, { body, ...more })).toEqual({ json: output, hints });
	},
);

describe('is not a success', () => {
	const failureOf = async (name: Name, given: Given) => {
		const { json } = await run(name, given);
		const { message, error } = json[0] as { message: string; error: { outcome?: string } };
		return [error.outcome, message];
	};
	const unknown = (message: RegExp): unknown[] => ['inDoubt', expect.stringMatching(message)];
	const done = (message: RegExp): unknown[] => ['unreadable', expect.stringMatching(message)];
	const refused = (message: RegExp): unknown[] => ['refused', expect.stringMatching(message)];
	const partly = (message: RegExp): unknown[] => ['partly', expect.stringMatching(message)];

	test.each<[Name, Given['body'], unknown[], Given?]>([
		['create', id, unknown(/has not carried it out yet \(status 202\)/), { status: 202 }],
		['bulkOfTwo', '', unknown(/is empty: expected the list 'ok'/), { status: 204 }],
		[
			'bulkOfTwo',
			{ ok: [{ path: '/licenses/1', status: '202' }] },
			unknown(/unclear what happened to the path "\/licenses\/1".*"status":202/),
		],
		['bulkOfTwo', { ok: [{ path: '/licenses/1', status: '403' }] }, partly(/refused the path/)],
		['create', '', unknown(/status 204.*is empty/), { status: 204 }],
		['create', `${notice}{"shiftScheduleID":"7"}`, done(/"shiftScheduleID":7}.*Notice/s)],
		['create', `${notice}{"success":false,"shiftScheduleID":7}`, unknown(/reported a failure/)],
		['create', `{"shiftScheduleID":7}${textNotice}`, done(/ID":7}.*around.*Notice/s)],
		['create', `${notice}{"shiftScheduleID":7} {${textNotice}`, done(/ID":7}.*Notice/s)],
		['create', `{"data":{"shiftScheduleID":7}`, done(/expected 'shiftScheduleID'/)],
		['create', '{"shiftScheduleID":7}{"shiftScheduleID":8}', done(/expected/)],
		['create', `{"error":"no room"}${notice}`, unknown(/reported a failure/)],
		['get', `{"success":false,"data":{"shift":{"shift":"A"}}`, refused(/expected/)],
		['list', `${JSON.stringify(page)}${JSON.stringify(page)}`, refused(/expected/)],
		['students', `{"updated":3}${notice}`, unknown(/other text around its data/)],
		['students', `${notice}{"updated":3}`, unknown(/other text around its data: .*Notice/s)],
		['students', false, unknown(/reported a failure: false/)],
		['students', { data: false }, unknown(/reported a failure: .*"data":false/)],
		['create', { data: { shiftScheduleID: 7, error: 'no room' } }, unknown(/reported a failure/)],
		['create', { shiftScheduleID: '007' }, done(/expected 'shiftScheduleID'/)],
		['create', { ShiftScheduleID: 7, SHIFTSCHEDULEID: 8 }, done(/expected 'shiftScheduleID'/)],
		['create', { data: id, result: { shiftScheduleID: 8 } }, done(/expected 'shiftScheduleID'/)],
		['list', { totalRows: 3 }, refused(/expected .*'vendors'/)],
		['list', { totalRows: 3, vendors: null }, refused(/incomplete/)],
		['list', '', refused(/is empty/)],
		['list', { totalRows: 3, vendors: [1, null] }, refused(/'vendors'/)],
		['list', { totalRows: 'three', vendors: [] }, refused(/'totalRows'/)],
		['list', { totalRows: -1, vendors: [] }, refused(/'totalRows'/)],
		['create', '[{"shiftScheduleID":7}{"shiftScheduleID":8}', done(/expected/)],
		// A list by index: no service is known to send one
		['list', { totalRows: 2, vendors: { 0: row, 1: row } }, refused(/expected/)],
		['bulkOfTwo', { ok: { 0: reported[0], 1: reported[1] } }, unknown(/expected .*'ok'/)],
		// Data one level deeper
		['create', { data: id }, done(/expected 'shiftScheduleID'/)],
		['get', { data: { shift } }, refused(/expected 'shift'/)],
		['list', { data: page }, refused(/expected .*'vendors'/)],
		['bulkOfTwo', { data: { ok: reported } }, unknown(/expected .*'ok'/)],
		['students', { data: { success: false } }, unknown(/reported a failure/)],
		['students', { result: { error: 'no room' } }, unknown(/reported a failure/)],
		// Text that is not UTF-8, and digits that JavaScript loses
		['create', latin1({ ...id, notes: 'Müller' }), done(/expected text in UTF-8/)],
		['bulkOfTwo', latin1({ ok: reported, notes: 'Müller' }), unknown(/expected text in UTF-8/)],
		['students', latin1({ notes: 'Müller' }), unknown(/expected text in UTF-8/)],
		['list', latin1(page), refused(/expected text in UTF-8/)],
		['create', latin1({ success: false, errors: 'Müller' }), unknown(/M\ufffdller/)],
		['create', '{"shiftScheduleID":9007199254740993}', done(/numbers up to 9007199254740991/)],
		['students', '{"version":1e400}', unknown(/numbers up to 9007199254740991/)],
		[
			'list',
			'{"totalRows":1,"vendors":[{"rowNum":1,"departmentBusinessID":9007199254740993}]}',
			refused(/expected numbers up to 9007199254740991/),
		],
		['list', listOf({ ...row, notes: [[-9007199254740994]] as never }), refused(/numbers up to/)],
	])('%s: %j', async (name, body, expected, more = {}) => {
		expect(await failureOf(name, { body, ...more })).toEqual(expected);
	});

	test.each([300, 301, 302, 303, 307, 308])('a create that gets %d', async (redirect) => {
		const given = { status: redirect, headers: { location: '/elsewhere' } };
		expect(await failureOf('create', given)).toEqual(unknown(/redirect/));
		expect(await failureOf('get', given)).toEqual(refused(/redirect/));
	});
});
