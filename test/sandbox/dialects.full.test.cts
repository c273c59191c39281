// The dialects: an independent client sees each option of each. How nodes cope is in
// test/faults/dialects.full.test.cts.
import axios, { type AxiosRequestConfig } from 'axios';
import FormData from 'form-data';

import { defaultDialects, dialectNames, waysOf, type Dialects } from '../../sandbox/dialects.mts';
import { readDialectFlag } from '../../sandbox/readDialects.mts';
import { users } from '../../sandbox/accounts.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client.mts';
import { useSandbox } from '../harness/useSandbox.cts';

const sandbox = useSandbox();
let token: string;
beforeAll(async () => {
	token = await signIn(sandbox.url);
	sandbox.records.insert('vendor', { name: 'Müller €', zip: 16780 });
});
afterEach(() => void Object.assign(sandbox.dialects, defaultDialects));

/**
 * @returns what a client sees: status, content type, requested wait, and the body's bytes without values that differ
 * each time
 */
async function call(
	method: string,
	url: string,
	{ headers, ...config }: AxiosRequestConfig = {},
): Promise<unknown[]> {
	const response = await axios.request<Buffer>({
		baseURL: sandbox.url,
		method,
		url,
		validateStatus: () => true,
		responseType: 'arraybuffer',
		headers: { ...keyHeader, Authorization: token, 'Content-Type': 'application/json', ...headers },
		...config,
	});
	const shown = response.data
		.toString('latin1')
		.replace(/[\w-]{30,}|(?<=ID"?:"?)\d+/g, '…')
		.replace(/(?<=file(LastModified|Created)":"?)[^",]+/g, (time) => time.replace(/\d/g, '0'));
	const got = response.headers as Record<string, string>;
	return [response.status, got['content-type'], got['retry-after'], shown];
}
const form = () => {
	const parts = new FormData();
	parts.append('file', 'text', 'a.txt');
	return { data: parts, headers: parts.getHeaders() };
};
const [{ username, password }] = users as [(typeof users)[0]];
const asked = { response_type: 'code', client_id: 'public-app', username, password, state: 's' };

/** Queries that together show each option for lists. */
const queries = [
	'filter=name eq "Müller €"',
	'filter=name eq "nobody"',
	'limit=1000',
	'limit=2&offset=2',
	// One more than any rate or quota allows.
	...Array<string>(101).fill('limit=1'),
];

/** Requests that together show each option. */
const requests = (): Array<[string, string, AxiosRequestConfig?]> => [
	['GET', '/nowhere', { headers: { 'Ocp-Apim-Subscription-Key': 'wrong' } }],
	['GET', '/agencyshifts/shifts/101', { headers: { Authorization: `Bearer ${token}` } }],
	[
		'GET',
		'/agencyshifts/shifts/101',
		{ headers: { ETag: sandbox.records.get('shift', 101)!.rowVersion } },
	],
	['POST', '/agencyshiftschedules/shiftschedules', { data: { name: 'A' } }],
	['POST', '/agencyshiftschedules/shiftschedules', { data: { name: 7 } }],
	['POST', '/agencyshiftschedules/shiftschedules', { data: { name: 'A', color: 'red' } }],
	['GET', '/agencystations/stations'],
	['GET', '/agencyshifts/shifts/999999'],
	[
		'POST',
		'/authpass/Token.php',
		{
			data: new URLSearchParams(tokenBody() as Record<string, string>).toString(),
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		},
	],
	['POST', '/agencynotifications/notification', { data: {} }],
	['POST', '/agencymappings/mappings/clients/101', { data: {} }],
	['POST', '/agencyfiles/files', form()],
	['DELETE', '/agencyinspections/inspections/101/answers/101'],
	['POST', '/authpass/Token.php', { data: tokenBody() }],
	['POST', '/auth/Authorize.php', { data: asked }],
	[
		'PATCH',
		'/agencylicenses/licenses',
		{
			data: [
				{ op: 'add', path: [{ path: '/licenses/101' }, { path: '/licenses/102' }], value: [] },
			],
		},
	],
	...queries.map((query): [string, string] => ['GET', `/agencyvendors/vendors?${query}`]),
];

async function seen(dialects: Partial<Dialects> = {}): Promise<unknown[]> {
	Object.assign(sandbox.dialects, defaultDialects, dialects);
	const responses = [];
	for (const request of requests()) responses.push(await call(...request));
	return responses;
}

test('the same dialects give the same responses', async () => {
	expect(await seen()).toEqual(await seen());
});

test.each(dialectNames)('each option of %s gives different responses', async (name) => {
	const shown = new Set<string>();
	for (const way of waysOf(name)) shown.add(JSON.stringify(await seen({ [name]: way })));
	expect(shown.size).toBe(waysOf(name).length);
});

test.each([
	['etags=ignored', 'etags is not a known field'],
	['etag=Ignored', 'etag must be one of honoured, ignored'],
	['etag', 'etag must be one of honoured, ignored'],
])('%s is refused', (flag, why) => {
	expect(() => readDialectFlag(flag)).toThrow(why);
});

test('undocumented fields and parameters can be accepted, but other errors are still refused', async () => {
	sandbox.dialects.otherFields = 'taken';
	const create = (data: object) => call('POST', '/agencyshiftschedules/shiftschedules', { data });
	expect((await create({ stationNumber: '12', color: 'red' }))[0]).toBe(201);
	expect((await call('GET', '/agencyvendors/vendors?color=red&limit=1'))[0]).toBe(200);
	const [status, , , response] = await create({ name: 7, color: 'red' });
	expect([status, response]).toEqual([400, expect.not.stringContaining('color')]);
});
