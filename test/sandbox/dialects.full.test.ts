// What the description leaves open: an independent client sees each way of each dialect. What nodes make of each is in
// test/faults/dialectsAlone.full.test.ts.
import axios, { type AxiosRequestConfig } from 'axios';
import FormData from 'form-data';

import {
	defaultDialects,
	dialectNames,
	randomDialects,
	readDialectFlag,
	readDialects,
	waysOf,
	type Dialects,
} from '../../sandbox/dialects.mts';
import { users } from '../../sandbox/accounts.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client';
import { useSandbox } from '../harness/useSandbox';

const sandbox = useSandbox();
let token: string;
beforeAll(async () => {
	token = await signIn(sandbox.url);
	sandbox.records.insert('vendor', { name: 'Müller €', zip: 16780 });
});
afterEach(() => void Object.assign(sandbox.dialects, defaultDialects));

/** @returns what a client sees: status, content type, how long to wait, and the body's bytes without what is new each time */
async function call(
	method: string,
	url: string,
	{ headers, ...config }: AxiosRequestConfig = {},
): Promise<unknown[]> {
	const answer = await axios.request<Buffer>({
		baseURL: sandbox.url,
		method,
		url,
		validateStatus: () => true,
		responseType: 'arraybuffer',
		headers: {
			...keyHeader,
			Authorization: token,
			'Content-Type': 'application/json',
			...headers,
		},
		...config,
	});
	const shown = answer.data
		.toString('latin1')
		.replace(/[\w-]{30,}|(?<=ID"?:"?)\d+/g, '…')
		.replace(/(?<=file(LastModified|Created)":"?)[^",]+/g, (time) => time.replace(/\d/g, '0'));
	const { 'content-type': type, 'retry-after': retryAfter } = answer.headers as Record<
		string,
		string
	>;
	return [answer.status, type, retryAfter, shown];
}
const get = (url: string, headers = {}) => call('GET', url, { headers });
const vendors = (query: string) => get(`/agencyvendors/vendors?${query}`);
const post = (url: string, data: object, headers = {}) => call('POST', url, { data, headers });
const form = () => {
	const parts = new FormData();
	parts.append('file', 'text', 'a.txt');
	return parts;
};

/** Requests of which at least one shows each way. */
const requests: Array<() => Promise<unknown>> = [
	() => get('/nowhere', { 'Ocp-Apim-Subscription-Key': 'wrong' }),
	() => get('/agencyshifts/shifts/101', { Authorization: `Bearer ${token}` }),
	() => get('/agencyshifts/shifts/101', { ETag: sandbox.records.get('shift', 101)!.rowVersion }),
	() => vendors(`filter=${encodeURIComponent('name eq "Müller €"')}`),
	() => vendors('filter=name eq "nobody"'),
	() => vendors("filter=name eq 'nobody'"),
	() => vendors('filter=zip eq "16780"'),
	() => vendors('filter=zip lt "9"'),
	() => vendors('changesSince=2026-03-01T07:00:00Z'),
	() => vendors('changesSince=2026-03-01'),
	() => vendors('changesSince=03/01/2026'),
	() => vendors('changesSince=1772348400'),
	() => vendors('showArchived=true'),
	() => vendors('showArchived=yes'),
	() => vendors('limit=1000'),
	() => vendors('limit=2&offset=2'),
	() => post('/agencyshiftschedules/shiftschedules', { name: 'A' }),
	() => post('/agencyshiftschedules/shiftschedules', { name: 7 }),
	() => post('/agencynotifications/notification', {}),
	() => post('/agencymappings/mappings/clients/101', {}),
	() => call('POST', '/agencyfiles/files', { data: form(), headers: form().getHeaders() }),
	() => call('DELETE', '/agencyinspections/inspections/101/answers/101'),
	() => post('/authpass/Token.php', tokenBody()),
	() => {
		const [{ username, password }] = users as [(typeof users)[0]];
		const asked = {
			response_type: 'code',
			client_id: 'public-app',
			username,
			password,
			state: 's',
		};
		return post('/auth/Authorize.php', asked);
	},
	() => {
		const path = [{ path: '/licenses/101' }, { path: '/licenses/102' }];
		return call('PATCH', '/agencylicenses/licenses', { data: [{ op: 'add', path, value: [] }] });
	},
	() => Promise.all(Array.from({ length: 101 }, () => vendors('limit=1'))),
];

async function seen(dialects: Partial<Dialects> = {}): Promise<unknown[]> {
	Object.assign(sandbox.dialects, defaultDialects, dialects);
	const answers = [];
	for (const request of requests) answers.push(await request());
	return answers;
}

const ways = dialectNames.flatMap((name) => waysOf(name).map((way) => [name, way] as const));

test('the same ways are seen the same', async () => {
	expect(await seen()).toEqual(await seen());
});

test.each(dialectNames)('each way of %s is another', async (name) => {
	const shown = new Set<string>();
	for (const way of waysOf(name)) shown.add(JSON.stringify(await seen({ [name]: way })));
	expect(shown.size).toBe(waysOf(name).length);
});

test.each([
	['filtre=colons', 'There is no dialect "filtre". There are: gateway,'],
	[
		'filter=singlequotes',
		'The dialect "filter" has no way "singlequotes". There are: doubleQuotes',
	],
	['filter', 'The dialect "filter" has no way "".'],
])('%s is refused', (flag, why) => {
	expect(() => readDialectFlag(flag)).toThrow(why);
});

test('they are read and changed over HTTP, while it runs', async () => {
	const put = (data: object) => axios.put(`${sandbox.url}/sandbox/dialects`, data);
	await put({ totalRows: 'text', wrapper: 'data' });
	await put({ wrapper: 'none' });
	await expect(put({ wrapper: 'x' })).rejects.toMatchObject({
		response: { status: 400, data: { errors: expect.stringContaining('has no way') } },
	});
	const { data } = await axios.get<object>(`${sandbox.url}/sandbox/dialects`);
	expect(data).toEqual({ ...defaultDialects, totalRows: 'text' });
});

test('a mixture is the same for the same seed, and of known ways', () => {
	const mixtures = Array.from({ length: 200 }, (_, seed) => randomDialects(seed));
	expect(randomDialects(7)).toEqual(mixtures[7]);
	for (const mixture of mixtures) expect(readDialects(mixture)).toBe(mixture);
	for (const [name, way] of ways) {
		expect([name, mixtures.some((mixture) => mixture[name] === way)]).toEqual([name, true]);
	}
});
