// The sandbox is as strict as the interface: an independent client gets its very statuses and bodies.
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';

import axios, { type AxiosRequestConfig } from 'axios';

import { clients, redirectUri, users } from '../../sandbox/accounts.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client';
import { useSandbox } from '../harness/useSandbox';

const sandbox = useSandbox({ dialects: { largestPage: 'rows50' } });
let token: string;
beforeAll(async () => {
	token = await signIn(sandbox.url);
});

const call = (method: string, url: string, config: AxiosRequestConfig = {}) =>
	axios.request<Record<string, unknown>>({
		baseURL: sandbox.url,
		method,
		url,
		validateStatus: () => true,
		...config,
	});
const key = keyHeader;
const json = { 'Content-Type': 'application/json' };
const headers = () => ({ ...key, ...json, Authorization: token });

const fieldsOf = (data: unknown) =>
	(data as { errors: { validationErrors: Array<{ field: string }> } }).errors.validationErrors.map(
		({ field }) => field,
	);

const operations: Array<[string, string, unknown]> = [
	['GET', '/agencyvendors/vendors', undefined],
	['GET', '/agencyshifts/shifts/101', undefined],
	['POST', '/agencyshiftschedules/shiftschedules', { name: 'A' }],
	['PATCH', '/agencylicenses/licenses', []],
	['DELETE', '/agencyinspections/inspections/101/answers/101', undefined],
];

describe.each(operations)('%s %s', (method, url, data) => {
	test('needs the key, the token and the Content-Type', async () => {
		const without = async (name: string) => {
			const rest = Object.entries(headers()).filter(([header]) => header !== name);
			return await call(method, url, { data, headers: Object.fromEntries(rest) });
		};
		const noKey = await without('Ocp-Apim-Subscription-Key');
		expect([noKey.status, noKey.data.success]).toEqual([401, false]);
		const noToken = await without('Authorization');
		expect([noToken.status, noToken.data]).toEqual([
			401,
			{ success: false, errors: expect.any(String) },
		]);
		if (data === undefined) {
			const noType = await without('Content-Type');
			expect([noType.status, fieldsOf(noType.data)]).toEqual([400, ['content-type']]);
		}
	});

	test('takes the token alone or after Bearer', async () => {
		for (const Authorization of [token, `Bearer ${token}`]) {
			const { status } = await call(method, url, {
				data,
				headers: { ...headers(), Authorization },
			});
			expect(status).toBeLessThan(300);
		}
	});

	test('refuses who may only read to write', async () => {
		const Authorization = await signIn(sandbox.url, users[1]);
		const answer = await call(method, url, {
			data,
			headers: { ...headers(), Authorization },
		});
		if (method === 'GET') return expect(answer.status).toBe(200);
		expect(answer.status).toBe(403);
		expect(answer.data).toEqual({ errors: { permissionErrors: [expect.any(String)] } });
	});
});

test.each([
	['GET', '/agencyshifts/shifts/1.5', undefined, ['shiftID']],
	['GET', '/agencyshifts/shifts/999999', undefined, ['shiftID']],
	['GET', '/agencyvendors/vendors?limit=many&page=2', undefined, ['page', 'limit']],
	['GET', '/agencyvendors/vendors?limit=2.5', undefined, ['limit']],
	['GET', '/agencyvendors/vendors?offset=1e300', undefined, ['offset']],
	['GET', '/agencyvendors/vendors?filter=name', undefined, ['filter']],
	['GET', '/agencyvendors/vendors?filter=zip constructor 1', undefined, ['filter']],
	['GET', '/agencyvendors/vendors?filter=constructor eq 1', undefined, ['filter']],
	['GET', '/agencyvendors/vendors?showArchived=perhaps', undefined, ['showArchived']],
	['GET', '/agencyvendors/vendors?changesSince=lately', undefined, ['changesSince']],
	['DELETE', '/agencyinspections/inspections/101/answers/999999', undefined, ['answerID']],
	['DELETE', '/agencyinspections/inspections/999999/answers/101', undefined, ['inspectionID']],
	[
		'POST',
		'/agencyshiftschedules/shiftschedules',
		{ name: 1, fromDate: '2026-03-01T07:00', color: 'red' },
		['color', 'name', 'fromDate'],
	],
	['POST', '/agencyshiftschedules/shiftschedules', '{"name":', ['body']],
	[
		'PATCH',
		'/agencylicenses/licenses',
		[{ op: 1 }, { value: [{ userID: 'x' }] }],
		['[0].op', '[1].value[0].userID'],
	],
])('%s %s with %j is refused field by field', async (method, url, data, fields) => {
	const answer = await call(method, url, { data, headers: headers() });
	expect([answer.status, fieldsOf(answer.data)]).toEqual([400, fields]);
});

test('a body that is too large is refused with the status for that', async () => {
	const megabyte = Buffer.alloc(1024 * 1024, ' ');
	const { status } = await call('POST', '/agencyshiftschedules/shiftschedules', {
		data: Readable.from(Array.from({ length: 65 }, () => megabyte)),
		headers: { ...headers(), 'Content-Length': 65 * megabyte.length },
		maxBodyLength: Infinity,
	});
	expect(status).toBe(413);
});

test.each([
	['names nothing that separates its parts', 'multipart/form-data', 'a file'],
	['has no part', 'multipart/form-data; boundary=x', 'a file'],
	[
		'breaks off',
		'multipart/form-data; boundary=x',
		'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nabc',
	],
])('a form that %s is refused, and leaves nothing behind', async (_what, type, data) => {
	const answer = await call('POST', '/agencyfiles/files', {
		data,
		headers: { ...headers(), 'Content-Type': type },
	});
	expect([answer.status, fieldsOf(answer.data)]).toEqual([400, ['body']]);
	expect(readdirSync(sandbox.filesFolder)).toEqual([]);
});

type Data = Record<string, unknown>;

describe('lists', () => {
	const list = async (query: string) =>
		(await call('GET', `/agencyvendors/vendors?${query}`, { headers: headers() })).data as {
			totalRows: number;
			vendors: Array<Record<string, unknown>>;
		};

	test('pages are capped, and totalRows counts all', async () => {
		const { totalRows, vendors } = await list('limit=1000&offset=30');
		expect(vendors).toHaveLength(50);
		expect(vendors[0]!.rowNum).toBe(31);
		expect(totalRows).toBe(sandbox.records.list('vendor').totalRows);
	});

	test('archived vendors come only when asked for', async () => {
		const archived = sandbox.records.count('vendor') - sandbox.records.list('vendor').totalRows;
		expect((await list('showArchived=true')).totalRows - (await list('')).totalRows).toBe(archived);
		expect(archived).toBeGreaterThan(0);
	});

	test('rowVersion gives what changed since', async () => {
		const { rowVersion } = sandbox.records.get('vendor', 200)!;
		sandbox.records.update('vendor', 101, sandbox.records.get('vendor', 101)!.data);
		const { vendors } = await list(`rowVersion=${encodeURIComponent(rowVersion)}&filter=zip lt 1`);
		expect(vendors).toEqual([]);
		const { totalRows } = await list(`rowVersion=${encodeURIComponent(rowVersion)}`);
		expect(totalRows).toBeLessThan((await list('')).totalRows - 90);
	});

	test.each([
		['category eq "Fuel"', ({ category }: Data) => category === 'Fuel'],
		['category ne "Fuel"', ({ category }: Data) => category !== 'Fuel'],
		// A number in quotes is the number.
		['zip eq "16780"', ({ zip }: Data) => zip === 16780],
		[
			'zip ge "50000" and zip lt "60000"',
			({ zip }: Data) => Number(zip) >= 50000 && Number(zip) < 60000,
		],
		// No number is a text.
		['zip ne "many"', () => true],
	])('filter %s', async (filter, fits) => {
		const { totalRows, vendors } = await list(`filter=${encodeURIComponent(filter)}`);
		const expected = sandbox.records.list('vendor').rows.filter(({ data }) => fits(data));
		expect(totalRows).toBe(expected.length);
		expect(vendors.every(fits)).toBe(true);
		expect(totalRows).toBeGreaterThan(0);
	});
});

describe('token operations', () => {
	const post = async (url: string, data: object, more: object = key) =>
		await call('POST', url, { data, headers: { ...json, ...more } });

	test('the token answer has every field of the interface', async () => {
		const { status, data } = await post('/authpass/Token.php', tokenBody());
		expect(status).toBe(200);
		expect(data).toEqual({
			access_token: expect.any(String),
			expires_in: 3600,
			token_type: 'Bearer',
			scope: null,
			refresh_token: expect.any(String),
		});
	});

	test.each([
		[{ client_id: 'nobody' }, 'invalid_client'],
		[{ client_secret: 'x' }, 'invalid_client'],
		[{ password: 'x' }, 'invalid_grant'],
		[{ grant_type: 'magic' }, 'unsupported_grant_type'],
		[{ client_id: 7 }, 'invalid_request'],
	])('%j is refused with the OAuth error body', async (changes, error) => {
		const { status, data } = await post('/authpass/Token.php', tokenBody(changes));
		expect([status, data]).toEqual([400, { error, error_description: expect.any(String) }]);
	});

	test('a code works once, for its client, with its redirect URI and the state echoed', async () => {
		const code = async () => {
			const { data } = await post('/auth/Authorize.php', {
				response_type: 'code',
				client_id: 'public-app',
				username: users[0]!.username,
				password: users[0]!.password,
				state: 'a&b=c',
			});
			const address = new URL(data as unknown as string);
			expect(address.searchParams.get('state')).toBe('a&b=c');
			return address.searchParams.get('code')!;
		};
		const exchange = async (changes: object) =>
			(
				await post('/authtoken/Token.php', {
					grant_type: 'authorization_code',
					client_id: 'public-app',
					redirect_uri: redirectUri,
					...changes,
				})
			).status;
		const first = await code();
		expect(await exchange({ code: first })).toBe(200);
		expect(await exchange({ code: first })).toBe(400);
		expect(await exchange({ code: await code(), redirect_uri: 'https://x.example' })).toBe(400);
		expect(
			await exchange({
				code: await code(),
				client_id: clients[0]!.id,
				client_secret: clients[0]!.secret,
			}),
		).toBe(400);
	});
});

test('an expired token is refused', async () => {
	const brief = await startSandbox({ tokenLifetime: 0 });
	const Authorization = await signIn(brief.url);
	const { status } = await axios.get(`${brief.url}/agencyshifts/shifts/101`, {
		headers: { ...headers(), Authorization },
		validateStatus: () => true,
	});
	await brief.close();
	expect(status).toBe(401);
});
