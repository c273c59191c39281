// The sandbox is as strict as the API spec: an independent client gets exactly its statuses and bodies.
import axios, { type AxiosRequestConfig } from 'axios';

import { clients, incidentsKey, redirectUri, users } from '../../sandbox/accounts.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client.mts';
import { useSandbox } from '../harness/useSandbox.cts';

const sandbox = useSandbox();
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
		expect([noKey.status, noKey.data.statusCode]).toEqual([401, 401]);
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

	test('refuses writes from a read-only account', async () => {
		const Authorization = await signIn(sandbox.url, users[1]);
		const response = await call(method, url, { data, headers: { ...headers(), Authorization } });
		if (method === 'GET') return expect(response.status).toBe(200);
		expect(response.status).toBe(403);
		expect(response.data).toEqual({ errors: { permissionErrors: [expect.any(String)] } });
	});
});

test.each([
	['GET', '/agencyshifts/shifts/1.5', undefined, ['shiftID']],
	['GET', '/agencyshifts/shifts/999999', undefined, ['shiftID']],
	['GET', '/agencyshifts/shifts/0x65', undefined, ['shiftID']],
	['GET', '/agencyshifts/shifts/1.01e2', undefined, ['shiftID']],
	['GET', '/agencyvendors/vendors?limit=0x10', undefined, ['limit']],
	['GET', '/agencyvendors/vendors?limit=many&page=2', undefined, ['page', 'limit']],
	['GET', '/agencyvendors/vendors?filter=zip constructor 1', undefined, ['filter']],
	['GET', '/agencyvendors/vendors?filter=constructor eq 1', undefined, ['filter']],
	['GET', '/agencyvendors/vendors?showArchived=perhaps', undefined, ['showArchived']],
	['GET', '/agencyvendors/vendors?changesSince=lately', undefined, ['changesSince']],
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
	const response = await call(method, url, { data, headers: headers() });
	expect([response.status, fieldsOf(response.data)]).toEqual([400, fields]);
});

test('a filter may have any number of conditions', async () => {
	const filter = Array(1500).fill('zip gt 0').join(',');
	const { status, data } = await call('GET', '/agencyvendors/vendors', {
		params: { filter, limit: 1 },
		headers: headers(),
	});
	expect([status, data.totalRows]).toEqual([200, 418]);
});

test('an unknown nested record is not found, and a key is only valid for its product', async () => {
	const answer = '/agencyinspections/inspections/101/answers/999999';
	expect((await call('DELETE', answer, { headers: headers() })).status).toBe(404);
	const others = { ...headers(), 'Ocp-Apim-Subscription-Key': incidentsKey };
	const vendors = await call('GET', '/agencyvendors/vendors', { headers: others });
	expect([vendors.status, vendors.data.message]).toEqual([401, expect.stringMatching(/key/)]);
	const tokens = await call('POST', '/authpass/Token.php', { headers: others, data: tokenBody() });
	expect(tokens.status).toBe(200);
});

test.each([
	['add', '/101', 200],
	['replace', '/apparatus/101/maintenance', 200],
	['remove', '/101', 400],
	['add', '/apparatus/101', 404],
	['add', '/maintenance/101', 404],
	['add', '/x', 404],
])('a bulk patch with op %s of path %s is reported with %i', async (op, path, status) => {
	const data = [{ op, paths: [{ path }], value: { maintenanceType: 'Repair' } }];
	const url = '/agencyapparatusmaintenance/v1/apparatus/maintenance';
	expect((await call('PATCH', url, { data, headers: headers() })).data).toEqual([
		{ path, response: status },
	]);
	const patch = [{ op: 'add', path: [{ path: '/101' }, { path: '/licenses/102' }], value: [] }];
	const all = { data: patch, headers: headers() };
	const report = await call('PATCH', '/agencylicenses/licenses', all);
	expect(JSON.stringify(report.data.ok)).toMatch(/200.*200/);
});

describe('token operations', () => {
	const post = async (url: string, data: object) =>
		await call('POST', url, { data, headers: { ...json, ...key } });

	test('the token response has every field of the API spec', async () => {
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
		[{ grant_type: 'magic' }, 'unsupported_grant_type'],
		[{ client_id: 7 }, 'invalid_request'],
	])('%j is refused with the OAuth error body', async (changes, error) => {
		const { status, data } = await post('/authpass/Token.php', tokenBody(changes));
		expect([status, data]).toEqual([400, { error, error_description: expect.any(String) }]);
	});

	test('a query, and the password grant where a code belongs, are refused with the OAuth error body', async () => {
		for (const url of ['/authpass/Token.php?a=1', '/authtoken/Token.php'])
			expect((await post(url, tokenBody())).data).toEqual({
				error: 'invalid_request',
				error_description: expect.any(String),
			});
	});

	test('a refresh token gives a new token', async () => {
		const { data } = await post('/authpass/Token.php', tokenBody());
		const [{ id, secret }] = clients as [(typeof clients)[0]];
		const refresh = (refresh_token: unknown) =>
			post('/refreshtoken/Token.php', {
				grant_type: 'refresh_token',
				client_id: id,
				client_secret: secret,
				refresh_token,
			});
		const { status, data: renewed } = await refresh(data.refresh_token);
		expect([status, renewed.access_token]).toEqual([
			200,
			expect.not.stringMatching(String(data.access_token)),
		]);
		const Authorization = String(renewed.access_token);
		const read = await call('GET', '/agencyshifts/shifts/101', {
			headers: { ...headers(), Authorization },
		});
		expect(read.status).toBe(200);
		expect((await refresh('unknown')).data.error).toBe('invalid_grant');
	});

	test('a code works once, and only for its client', async () => {
		const exchange = async (code: string, changes: object = {}) => {
			const [grant_type, client_id] = ['authorization_code', 'public-app'];
			const asked = { grant_type, client_id, redirect_uri: redirectUri, code, ...changes };
			return (await post('/authtoken/Token.php', asked)).status;
		};
		const newCode = async () => {
			const [{ username, password }] = users as [(typeof users)[0]];
			const who = { client_id: 'public-app', username, password };
			const asked = { response_type: 'code', state: 'a&b=c', ...who };
			const { data } = await post('/auth/Authorize.php', asked);
			return new URL(data as unknown as string).searchParams.get('code')!;
		};
		const first = await newCode();
		expect([await exchange(first), await exchange(first)]).toEqual([200, 400]);
		const [{ id, secret }] = clients as [(typeof clients)[0]];
		expect(await exchange(await newCode(), { client_id: id, client_secret: secret })).toBe(400);
	});
});

test('an undocumented response is an error: no field is dropped', async () => {
	sandbox.records.insert('vendor', { name: 'Acme', color: 'red' });
	const url = '/agencyvendors/vendors?filter=name eq "Acme"';
	const { status, data } = await call('GET', url, { headers: headers() });
	expect([status, data.errors]).toEqual([500, 'vendors[0].color is not a known field']);
});

describe('accounts', () => {
	/** The status of a read with this token. */
	const read = async (Authorization: string) =>
		(await call('GET', '/agencyshifts/shifts/101', { headers: { ...headers(), Authorization } }))
			.status;

	test('a token ends with its lifetime', async () => {
		await sandbox.restart({ port: 0, tokenLifetime: 0 });
		expect(await read(await signIn(sandbox.url))).toBe(401);
	});

	test("if only one token may live, a sign-in ends the same user's earlier one", async () => {
		await sandbox.restart({ port: 0, oneLiveToken: true });
		const { url } = sandbox;
		const [first, other] = [await signIn(url), await signIn(url, users[1])];
		expect(await read(first)).toBe(200);
		const second = await signIn(url);
		expect([await read(first), await read(second), await read(other)]).toEqual([401, 200, 200]);
	});

	test('the identity provider issues a token for a form without a subscription key', async () => {
		const ask = async (changes: object, more = '') => {
			const form = new URLSearchParams({ ...tokenBody(changes) }).toString() + more;
			const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
			return await call('POST', '/identity/oauth2/token', { data: form, headers });
		};
		const { status, data } = await ask({ scope: 'records', response_type: 'token' });
		expect([status, data]).toEqual([
			200,
			{
				access_token: expect.any(String),
				token_type: 'Bearer',
				expires_in: '3600',
				scope: 'records',
			},
		]);
		const Authorization = (data as { access_token: string }).access_token;
		const read = { headers: { ...headers(), Authorization } };
		expect((await call('GET', '/agencyvendors/vendors', read)).status).toBe(200);
		for (const [changes, error, more] of [
			[{ password: 'wrong' }, 'invalid_grant'],
			[{ client_id: 'nobody' }, 'invalid_client'],
			[{ grant_type: 'refresh_token' }, 'unsupported_grant_type'],
			[{}, 'invalid_request', '&username=chief'],
		] as Array<[object, string, string?]>) {
			const refused = await ask(changes, more);
			expect([refused.status, refused.data]).toMatchObject([400, { error }]);
		}
	});
});
