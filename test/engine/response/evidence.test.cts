// A success has the content that the API spec documents; any other 2xx or 304 is not a success.
import type { IDataObject } from 'n8n-workflow';

import * as json from '../../../engine/http/json';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { useCannedService, well, type Name } from './cannedService.cts';

// Requests in doubt open the circuit.
useVirtualTime({ skipsPauses: true });
const service = useCannedService();

/** The operation's output item for this response. */
async function outputOf(
	name: Name,
	body: unknown,
	{ status, ...options }: { status?: number; etag?: string } = {},
): Promise<IDataObject> {
	const given = { body, ...(status !== undefined && { status }) };
	const { json } = await service.run(name, given, { options });
	expect(json).toHaveLength(1);
	return json[0]!;
}

async function failureOf(
	...given: Parameters<typeof outputOf>
): Promise<IDataObject & { message: string }> {
	const { message, error } = await outputOf(...given);
	return { message: message as string, ...(error as IDataObject | undefined) };
}

describe('the ID of a created record', () => {
	test.each([
		['category', { categoryID: 7 }],
		['notification', { notificationID: '00-7' }],
		['notification', { notificationID: '消防' }],
		['upload', { fileGUID: 'b6f8' }],
	] as const)('%s: %j contains one', async (name, body) => {
		expect(await outputOf(name, body)).toEqual(body);
	});

	const none = ['{}', '[]', '[7]', 'true', 'false', '0', '-1', '1.5', '""', '" "', '"\\t"', 'null'];
	const noNumber = [...none, '"NaN"', '"abc"', '"0"', '"-1"', '"1.5"', '"007"'];
	const emptyGuid = '"00000000-0000-0000-0000-000000000000"';
	const noText = [
		...[...none, '"0"', '"-1"', '"0.0"', '"null"', '"NULL"', '"false"', '"undefined"', '"NaN"'],
		...[
			emptyGuid,
			'"{00000000-0000-0000-0000-000000000000}"',
			'"Array"',
			'"{}"',
			'"[object Object]"',
		],
	];
	test.each([
		...noNumber.map((written) => ['create', 'shiftScheduleID', written] as const),
		...noText.map((written) => ['notification', 'notificationID', written] as const),
		...noText.map((written) => ['upload', 'fileGUID', written] as const),
	])('%s: "%s" is not an ID if it is %s', async (name, key, written) => {
		expect(await failureOf(name, `{"${key}":${written}}`)).toMatchObject({
			// The service may have made a record without its file.
			outcome: name === 'upload' ? 'inDoubt' : 'unreadable',
			retryable: false,
			message: expect.stringContaining(`expected '${key}'`) as string,
			advice: expect.stringMatching(/look it up/) as string,
		});
	});
});

test.each(['{}', '[]', '"A"', '7', 'true', 'null'])('a shift is not %s', async (written) => {
	expect(await failureOf('get', `{"shift":${written}}`)).toMatchObject({
		outcome: 'refused',
		message: expect.stringContaining("expected 'shift'") as string,
	});
});

/** A successful archive has no body. */
const withBody = ['create', 'upload', 'people', 'students', 'bulk', 'get', 'list'] as const;
const isRead = (name: string) => name === 'get' || name === 'list';
/**
 * Each mark with a write and a read, and each other operation with only one mark, since marks are read the same way.
 */
const eachWith = (marks: readonly IDataObject[]) =>
	withBody.flatMap((name) =>
		(name === 'create' || name === 'get' ? marks : marks.slice(0, 1)).map(
			(mark) => [name, mark] as const,
		),
	);

describe('a 2xx that reports a failure', () => {
	const marks: IDataObject[] = [
		{ success: false },
		{ success: null },
		{ success: 'False' },
		{ success: 0 },
		{ success: true, errors: 'no room' },
		{ error: 'server_error' },
		{ Status: 'FAILED' },
		{ status: '404', title: 'Not Found' },
		{ ok: false },
	];
	test.each(eachWith(marks))('%s: %j next to the expected data', async (name, mark) => {
		expect(await failureOf(name, { ...well[name], ...mark })).toMatchObject({
			outcome: isRead(name) ? 'refused' : 'inDoubt',
			retryable: false,
			message: expect.stringMatching(/returned status 20\d, but reported a failure/) as string,
		});
	});

	const nothing: IDataObject[] = [
		{ success: '1' },
		{ success: 'true' },
		{ success: 3 },
		{ success: 'yes' },
		{ errors: { validationErrors: [], permissionErrors: [] } },
		{ error: false },
		{ status: 'success' },
		{ status: 200, statusCode: 201 },
		{ status: 'failed twice, then done' },
	];
	test.each(eachWith(nothing))('%s: %j is not a failure', async (name, mark) => {
		expect(await outputOf(name, { ...well[name], ...mark })).not.toHaveProperty('error.outcome');
	});

	const refusals: Array<[IDataObject, RegExp]> = [
		[
			{ errors: { validationErrors: [{ field: 'name', message: 'is too long' }] } },
			/^The service refused the values: name: is too long$/,
		],
		[
			{ success: false, errors: { permissionErrors: ['no shifts'] } },
			/^The account is not permitted to do this: no shifts$/,
		],
	];
	test.each(
		withBody.flatMap((name) => refusals.map(([body, words]) => [name, body, words] as const)),
	)('%s: %j and nothing else is a refusal', async (name, body, words) => {
		expect(await failureOf(name, body)).toMatchObject({
			outcome: 'refused',
			retryable: false,
			message: expect.stringMatching(words) as string,
			serviceMessage: expect.any(String) as string,
		});
	});

	test.each([
		{ success: false },
		{ success: false, errors: 'The access token is invalid' },
		{ type: 'about:blank', title: 'Bad Request', status: 400, detail: 'name is too long' },
		{ statusCode: 404, message: 'Resource not found' },
		{ success: false, errors: ' ' },
		{ errors: 'it broke' },
		{ errors: { permissionErrors: [null, ''] }, success: false },
		{ errors: { validationErrors: 'it broke' }, success: false },
		{ status: 'fail', data: { name: 'is too long' } },
		{ status: 503, title: 'Service Unavailable' },
		{ errors: { validationErrors: [{ field: 'a', message: 'b' }] }, eventID: 7 },
		{ errors: { validationErrors: [{ field: 'a', message: 'b' }], other: [1] } },
		{ success: true, errors: { validationErrors: [{ field: 'a', message: 'b' }] } },
	])('after a write, %j leaves the outcome open', async (body) => {
		for (const name of ['create', 'people', 'bulk'] as const) {
			const { outcome, code } = await failureOf(name, body);
			// What it says about the values does not count either.
			expect([name, outcome, code]).toEqual([name, 'inDoubt', 'unreadableResponse']);
		}
	});
});

test.each([
	[{ studentID: 4, status: 'Failed' }, 'sent'],
	[{ studentID: 4, Status: 'error', errors: ['no such class'] }, 'inDoubt'],
	[{ status: 'Failed', reason: 'locked' }, 'inDoubt'],
	[{ studentID: 0, status: 'Failed' }, 'inDoubt'],
])('students: 200 with %j, perhaps a record with its own status, is %s', async (body, outcome) => {
	expect((await failureOf('students', body)).outcome ?? 'sent').toBe(outcome);
});

test.each<[Name, IDataObject, string]>([
	['category', { categoryID: 12.5 }, `'categoryID', not {"categoryID":12.5}`],
	['create', { shiftScheduleID: 'abc' }, `'shiftScheduleID', not {"shiftScheduleID":"abc"}`],
	['list', { totalRows: -1, vendors: [] }, `'totalRows' and the list 'vendors', not {"totalRows"`],
	['list', { rows: 1 }, `'totalRows' and the list 'vendors', not {"rows":1}`],
])('%s: the message says what is wrong with %j', async (name, body, words) => {
	expect((await failureOf(name, body)).message).toContain(`: expected ${words}`);
});

test('millions of spaces in front of a response are skipped', async () => {
	const blanks = ' '.repeat(9_000_000);
	expect(await outputOf('list', `${blanks}{"totalRows":1,"vendors":[{"rowNum":1}]}`)).toMatchObject(
		{ rowNum: 1 },
	);
	expect((await failureOf('list', `${blanks}<html>`)).message).toMatch(/is a web page/);
	expect(await failureOf('get', blanks)).toMatchObject({ outcome: 'refused' });
	expect(await failureOf('create', `<!--${blanks}-->`)).toMatchObject({ outcome: 'unreadable' });
});

test('an exception while judging makes a read refused, and a write in doubt', async () => {
	jest.spyOn(json, 'isWebPage').mockImplementation(() => {
		throw new Error('out of stack');
	});
	for (const [name, outcome] of [
		['list', 'refused'],
		['get', 'refused'],
		['people', 'inDoubt'],
	] as const)
		expect(await failureOf(name, well[name])).toMatchObject({
			outcome,
			message: expect.stringContaining('out of stack') as string,
		});
	jest.restoreAllMocks();
});

const bodies = ['ok', '{"updated":3', '<?xml version="1.0"?><ok/>', '[{"updated":3}]', '3', '"ok"'];
test.each(bodies)('where no body is expected, %s leaves the outcome open', async (body) => {
	expect(await failureOf('people', body)).toMatchObject({ outcome: 'inDoubt', retryable: false });
});

// nginx and firewalls replace a response with a page or text of their own, or with another server's response.
test.each([
	[
		403,
		'<html>Blocked</html>',
		/status 403: \(a web page: Blocked\); if other rows pass, a firewall may object to this row's values\)$/,
	],
	[404, '<html>Not Found</html>', /status 404: \(a web page: Not Found\)\)$/],
	[401, '<html>Sign in</html>', /status 401: \(a web page: Sign in\)\)$/],
	[404, '{"message":"Route POST:/x not found"}', /status 404: .*Route/],
	// Fastify's own errors have one field more than the gateway's.
	[404, '{"statusCode":404,"error":"Not Found","message":"No route"}', /status 404: .*No route/],
	[403, 'Forbidden', /status 403: Forbidden\)$/],
])('a write that got %d with %s is in doubt', async (status, body, message) => {
	const failure = await failureOf('create', body, { status });
	const inDoubt = { outcome: 'inDoubt', retryable: false, tries: 1, code: 'unreadableResponse' };
	expect(failure).toMatchObject(inDoubt);
	expect(failure.message).toContain(`something in front of it, returned status ${status}: `);
	expect(failure.message).toMatch(message);
	const read = await failureOf('get', body, { status: status === 401 ? 403 : status });
	expect(read).toMatchObject({ outcome: 'refused' });
});

describe('if the API spec names another status', () => {
	const maintenance = '{"message":"We are back at noon"}';
	test.each<[Name, string]>([
		['create', maintenance],
		['create', 'Back at noon'],
		['create', ''],
		['upload', '<br />\n<b>Fatal error</b>:  Uncaught Error in <b>/var/www/a.php</b>'],
		['people', maintenance],
		['people', ''],
		['people', '{}'],
		['archive', maintenance],
		['archive', '[]'],
	])('%s: 200 with %j leaves the outcome open', async (name, body) => {
		const failure = await failureOf(name, body, { status: 200 });
		expect(failure).toMatchObject({ outcome: 'inDoubt', retryable: false });
	});

	test.each<[Name, IDataObject | boolean, IDataObject]>([
		['create', { shiftScheduleID: 7 }, { shiftScheduleID: 7 }],
		['people', { success: true }, { success: true }],
		['people', { success: '1', updated: 3 }, { success: '1', updated: 3 }],
		['people', { eventID: 1 }, { eventID: 1 }],
		['archive', { answerID: '1' }, { answerID: '1' }],
		['archive', true, { archived: true }],
	])('%s: 200 with %j is a success', async (name, body, output) => {
		expect(await outputOf(name, body, { status: 200 })).toEqual(output);
	});

	test('204 is a success by itself', async () => {
		expect(await outputOf('people', '', { status: 204 })).toEqual({ updated: true });
	});
});

describe('a file that was sent', () => {
	const send = async (bytes: number, fileSize: unknown) =>
		(await service.run('upload', { body: { fileGUID: 'b6f8', fileSize } }, { fileBytes: bytes }))
			.json[0]!;
	test.each([
		[1, 0],
		[1, '0'],
		[3000, 0],
		[3000, 1],
		[3000, 4],
		[3000, 2999],
	])('of %d bytes is incomplete if the service counts %j', async (bytes, size) => {
		const { message, error } = await send(bytes, size);
		expect(error).toMatchObject({ outcome: 'inDoubt' });
		expect(message).toMatch(
			new RegExp(`status 201, .*: expected a file of ${bytes} bytes, as was sent, not .*${size}`),
		);
	});
	// As bytes; as kB and KiB, rounded down and up; as Base64; as the whole request.
	test.each([
		...[1, '1', 2, null, '1 kB'].map((size) => [1, size] as const),
		...[3500, 3, 4, 4668, 3700].map((size) => [3500, size] as const),
	])('of %d bytes is complete if the service counts %j', async (bytes, size) => {
		expect(await send(bytes, size)).toMatchObject({ fileGUID: 'b6f8' });
	});
});

test.each(['', '[]', 'null', ' {} '])('200 with %j for a read: no such record', async (body) => {
	expect(await failureOf('get', body)).toMatchObject({
		outcome: 'refused',
		retryable: false,
		message: expect.stringMatching(/^The service has no such record \(status 200/) as string,
		advice: expect.stringMatching(/^Check the IDs of this item\.$/) as string,
	});
});

describe('errors with a type', () => {
	const error = { type: 'Duplicate', message: 'There is such a shift' };
	test.each<[string, unknown]>([
		['a list', [error]],
		['one object', error],
	])('%s', async (_, errors) => {
		const expected = {
			outcome: 'refused',
			code: 'refused',
			serviceMessage: 'Duplicate: There is such a shift',
			advice: expect.stringMatching(
				/^If the existing record is the one you meant, there is nothing to do; .*'They Are There'/,
			) as string,
		};
		for (const status of [400, 403, 404, 409, 418, 422, 200]) {
			const failure = await failureOf('create', { errors }, { status });
			expect(failure).toMatchObject(expected);
			expect(failure.message).toMatch(/^The service returned status \d+: Duplicate: /);
		}
		expect(await failureOf('create', { errors }, { status: 500 })).toMatchObject({
			outcome: 'inDoubt',
			code: 'serviceFailed',
		});
		const more = await failureOf('create', { errors, shiftScheduleID: 7 }, { status: 201 });
		expect(more).toMatchObject({ outcome: 'inDoubt' });
	});
	test.each<[string, unknown]>([
		['with more than these', [{ ...error, id: 7 }]],
		['of which one has none', [error, 'it broke']],
	])('%s do not prove a refusal with a 2xx', async (_, errors) => {
		expect(await failureOf('create', { errors })).toMatchObject({ outcome: 'inDoubt' });
	});
});

test('a refusal is reported as a duplicate only if each error is one', async () => {
	const errors = [
		{ type: 'Duplicate', message: 'is there' },
		{ type: 'Invalid', message: 'is too long' },
	];
	expect(await failureOf('create', { errors }, { status: 400 })).toMatchObject({
		code: 'valuesRefused',
		message: 'The service returned status 400: Duplicate: is there; Invalid: is too long',
		advice: 'Correct the values, then run this item again.',
	});
});

describe('304', () => {
	const names = ['create', 'upload', 'students', 'archive', 'bulk', 'get', 'list'] as const;
	test.each(names)('%s: without an ETag leaves the outcome open', async (name) => {
		const failure = await failureOf(name, '', { status: 304 });
		const outcome = isRead(name) ? 'refused' : 'inDoubt';
		expect(failure).toMatchObject({ outcome, retryable: false, httpStatus: 304 });
		expect(failure.message).toContain('status 304');
	});

	test.each(names)('%s: with an ETag means that the record is unchanged', async (name) => {
		const output = await outputOf(name, '', { status: 304, etag: 'AAE=' });
		expect(output).toMatchObject({ notModified: true, etag: 'AAE=' });
	});
});

test.each([429, 404])('status %d of one path of several is not retryable', async (status) => {
	const [done, failed] = ['/licenses/1', '/licenses/2'].map((path) => ({ path, status: 200 }));
	const body = { ok: [done, { ...failed, status }] };
	const { json } = await service.run('bulkOfTwo', { body });
	const advice = expect.stringMatching(/other paths/i) as string;
	expect(json).toMatchObject([done, { error: { outcome: 'partly', retryable: false, advice } }]);
	const alone = await failureOf('bulk', { ok: [{ path: '/licenses/1', status }] });
	expect(alone).toMatchObject({ outcome: 'refused', retryable: status === 429 });
});

describe('what is too large, or too deep', () => {
	const padding = 'x'.repeat(32 * 1024 * 1024);
	test.each([
		['create', 'unreadable'],
		['people', 'inDoubt'],
		['get', 'refused'],
	] as const)('%s: more than 32 MB', async (name, outcome) => {
		const message = expect.stringContaining('is too large') as string;
		expect(await failureOf(name, { ...well[name], padding })).toMatchObject({ outcome, message });
	});

	const deep = '[{"a":'.repeat(15_000) + '1' + '}]'.repeat(15_000);
	test.each([
		['create', `{"shiftScheduleID":7,"deep":${deep}}`, 'unreadable'],
		['people', `{"deep":${deep}}`, 'inDoubt'],
		['get', `{"shift":{"shift":${deep}}}`, 'refused'],
		['list', `{"totalRows":1,"vendors":[{"name":${deep}}]}`, 'refused'],
	] as const)('%s: 30,000 levels', async (name, body, outcome) => {
		expect(await failureOf(name, body)).toMatchObject({ outcome });
	});

	test.each([
		['30,000 levels', `{"errors":{"validationErrors":[{"field":"a","message":${deep}}]}}`],
		[
			'64 kB of errors',
			JSON.stringify({
				errors: {
					validationErrors: Array(1200).fill({ field: 'name', message: 'is too long 🚒' }),
				},
			}),
		],
		['no words', '{"errors":{"validationErrors":[null,3]}}'],
		['another shape', '[]'],
		['lone surrogates', '{"errors":{"permissionErrors":["\\ud83d","\\ude92 \\ud83d"]}}'],
	])('a refusal of %s', async (_, body) => {
		for (const name of ['create', 'get'] as const) {
			const { outcome, message, ...more } = await failureOf(name, body, { status: 400 });
			expect(outcome).toBe('refused');
			expect(message).toMatch(/^The /s);
			expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2048);
			expect(Buffer.byteLength(JSON.stringify(more))).toBeLessThan(20_000);
		}
	});
});

test.each([
	[409, {}, /^If the existing record is the one you meant, there is nothing to do;/],
	[409, { etag: 'v1' }, /^The version in 'ETag' is out of date/],
	[412, {}, /^The version in 'ETag' is out of date/],
])('a conflict with status %d and %j comes with advice', async (status, options, advice) => {
	const { json } = await service.run('students', { status }, { options });
	expect(json[0]).toMatchObject({ error: { advice: expect.stringMatching(advice) as string } });
});
