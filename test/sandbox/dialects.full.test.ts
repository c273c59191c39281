// What the description leaves open: an independent client sees each way of each dialect.

import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import FormData from 'form-data';

import {
	defaultDialects,
	dialectNames,
	randomDialects,
	readDialectFlag,
	readDialects,
	waysOf,
	type DialectName,
	type Dialects,
} from '../../sandbox/dialects.mts';
import { users } from '../../sandbox/accounts.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client';
import { useSandbox } from '../harness/useSandbox';
import { useVirtualTime } from '../harness/virtualTime';

const sandbox = useSandbox();
const time = useVirtualTime();
let token: string;
beforeAll(async () => {
	token = await signIn(sandbox.url);
	sandbox.records.insert('vendor', { name: 'Müller €', zip: 16780 });
});
const set = (dialects: Partial<Dialects>) =>
	void Object.assign(sandbox.dialects, defaultDialects, dialects);
afterEach(() => set({}));

const call = async (method: string, url: string, config: AxiosRequestConfig = {}) =>
	await axios.request<Buffer>({
		baseURL: sandbox.url,
		method,
		url,
		validateStatus: () => true,
		responseType: 'arraybuffer',
		...config,
		headers: {
			...keyHeader,
			Authorization: token,
			'Content-Type': 'application/json',
			...config.headers,
		},
	});
const read = (url: string, headers = {}) => call('GET', url, { headers });
const vendors = (query = '') => read(`/agencyvendors/vendors?${query}`);
const create = (data: object = { name: 'A' }) =>
	call('POST', '/agencyshiftschedules/shiftschedules', { data });
const answer = () => call('DELETE', '/agencyinspections/inspections/101/answers/101');
const patch = (...ids: number[]) =>
	call('PATCH', '/agencylicenses/licenses', {
		data: [{ op: 'add', path: ids.map((id) => ({ path: `/licenses/${id}` })), value: [] }],
	});
const upload = () => {
	const form = new FormData();
	form.append('file', 'text', 'a.txt');
	return call('POST', '/agencyfiles/files', { data: form, headers: form.getHeaders() });
};
const requestToken = (changes = {}, headers = {}) =>
	call('POST', '/authpass/Token.php', { data: tokenBody(changes), headers });
const authorize = () => {
	const [{ username, password }] = users as [(typeof users)[0]];
	return call('POST', '/auth/Authorize.php', {
		data: { response_type: 'code', client_id: 'public-app', username, password, state: 's' },
	});
};

type Answer = Pick<AxiosResponse<Buffer>, 'status' | 'headers' | 'data'>;
/** Who reads JSON takes a mark and a notice away first. */
const textOf = ({ data }: Answer) => data.toString('utf8');
const bodyOf = (from: Answer) => JSON.parse(textOf(from)) as unknown;
const both = (from: Answer) => [from.status, from.data.length > 0 ? bodyOf(from) : ''];
const count = async (query: string) => {
	const { status, ...from } = await vendors(query);
	return status === 200 ? (bodyOf({ status, ...from }) as { totalRows: number }).totalRows : status;
};
const rowsOf = async (query: string) =>
	(bodyOf(await vendors(query)) as { vendors: Array<{ rowNum: number }> }).vendors.map(
		({ rowNum }) => rowNum,
	);
const problem = { name: 7 };
const said = 'name must be string';
const quoted = encodeURIComponent;
const none = 'filter=name eq "nobody"';

const statuses = async (number: number, sent: () => Promise<Answer>) => {
	const answers = [];
	for (let at = 0; at < number; at++) answers.push(await sent());
	return answers.map(({ status }) => status).filter((status, at, all) => status !== all[at - 1]);
};

/** What a client sees, and what it sees with the sandbox's own way. */
const cases: {
	[Name in DialectName]: {
		seen: () => Promise<unknown>;
		as: Record<Dialects[Name], unknown>;
	};
} = {
	gateway: {
		seen: async () => {
			const answers = [
				await read('/agencyshifts/shifts/101', { 'Ocp-Apim-Subscription-Key': 'wrong' }),
				await requestToken({}, { 'Ocp-Apim-Subscription-Key': undefined }),
				await read('/nowhere'),
			];
			return answers.map((from) => [
				...both(from),
				String(from.headers['www-authenticate']).split(' ')[0],
			]);
		},
		as: {
			plain: [
				[401, { success: false, errors: expect.any(String) }, 'undefined'],
				[400, { error: 'invalid_request', error_description: expect.any(String) }, 'undefined'],
				[404, { success: false, errors: expect.any(String) }, 'undefined'],
			],
			azure: [
				[
					401,
					{ statusCode: 401, message: expect.stringContaining('invalid subscription key') },
					'AzureApiManagementKey',
				],
				[
					401,
					{ statusCode: 401, message: expect.stringContaining('missing subscription key') },
					'AzureApiManagementKey',
				],
				[404, { statusCode: 404, message: 'Resource not found' }, 'undefined'],
			],
		},
	},
	rate: {
		seen: async () => {
			time.pass(10_000);
			const first = await statuses(30, () => vendors('limit=1'));
			const { status, headers } = await vendors('limit=1');
			time.pass(Number(headers['retry-after'] ?? 0) * 1000);
			return [first, status, (await vendors('limit=1')).status];
		},
		as: {
			unlimited: [[200], 200, 200],
			of20In10s: [[200, 429], 429, 200],
			of5In1s: [[200, 429], 429, 200],
		},
	},
	quota: {
		seen: async () => {
			time.pass(3_600_000);
			Object.assign(sandbox.dialects, { gateway: 'azure' });
			const first = await statuses(101, () => vendors('limit=1'));
			const last = await vendors('limit=1');
			const { status, headers } = last;
			time.pass(Number(headers['retry-after'] ?? 0) * 1000);
			const { message } = bodyOf(last) as { message?: string };
			return [first, status, message, (await vendors('limit=1')).status];
		},
		as: {
			unlimited: [[200], 200, undefined, 200],
			of100In1h: [
				[200, 403],
				403,
				expect.stringMatching(/^Out of call volume quota. .* in (01:00|00:59):\d\d\.$/),
				200,
			],
		},
	},
	authorizationHeader: {
		seen: () =>
			Promise.all(
				[token, `Bearer ${token}`].map(
					async (Authorization) =>
						(await read('/agencyshifts/shifts/101', { Authorization })).status,
				),
			),
		as: { either: [200, 200], token: [200, 401], bearer: [401, 200] },
	},
	filter: {
		seen: () =>
			Promise.all(
				[
					'name eq "Müller €" and zip ge 16780',
					"name eq 'Müller €' and zip ge 16780",
					'name:eq:Müller €;zip:ge:16780',
				].map((filter) => count(`filter=${quoted(filter)}`)),
			),
		as: { doubleQuotes: [1, 400, 400], singleQuotes: [400, 1, 400], colons: [400, 400, 1] },
	},
	filterNumbers: {
		seen: async () => {
			const filters = ['zip lt 9', 'zip lt "9"', 'zip eq "16780"', 'zip eq 16780'];
			const counts = await Promise.all(filters.map((filter) => count(`filter=${filter}`)));
			return counts.map((rows) => (rows > 2 && rows !== 400 ? 'many' : rows));
		},
		as: {
			asNumber: [0, 0, 2, 2],
			asText: [0, 'many', 2, 2],
			refused: [0, 400, 400, 2],
		},
	},
	changesSince: {
		seen: () =>
			Promise.all(
				[
					'2026-03-01T07:00:00Z',
					'2026-03-01',
					'2026-03-01 07:00:00',
					'03/01/2026',
					'1772348400',
				].map(async (date) => (await vendors(`limit=1&changesSince=${date}`)).status),
			),
		as: {
			iso: [200, 200, 200, 200, 400],
			date: [400, 200, 400, 400, 400],
			sql: [400, 400, 200, 400, 400],
			us: [400, 400, 400, 200, 400],
			unix: [400, 400, 400, 400, 200],
		},
	},
	showArchived: {
		seen: async () => {
			const all = await count('');
			const values = ['true', 'false', '1', '0', 'yes', 'no'];
			const counts = await Promise.all(values.map((value) => count(`showArchived=${value}`)));
			return counts.map((rows) => (rows === 400 ? 400 : rows - all));
		},
		as: {
			trueFalse: [12, 0, 400, 400, 400, 400],
			oneZero: [400, 400, 12, 0, 400, 400],
			yesNo: [400, 400, 400, 400, 12, 0],
			any: [12, 12, 12, 12, 12, 12],
		},
	},
	largestPage: {
		seen: async () => (await rowsOf('limit=1000')).length,
		as: { rows200: 200, rows50: 50, rows25: 25 },
	},
	largerPages: {
		seen: async () => (await vendors('limit=201')).status,
		as: { cut: 200, refused: 400 },
	},
	offset: {
		seen: () => rowsOf('limit=2&offset=2'),
		as: { fromZero: [3, 4], fromOne: [2, 3], ignored: [1, 2] },
	},
	etag: {
		seen: async () => {
			const { rowVersion } = sandbox.records.get('shift', 101)!;
			return (await read('/agencyshifts/shifts/101', { ETag: rowVersion })).status;
		},
		as: { honoured: 304, ignored: 200 },
	},
	totalRows: {
		seen: async () => (bodyOf(await vendors('limit=3')) as { totalRows: unknown }).totalRows,
		as: { all: 419, page: 3, text: '419', missing: undefined },
	},
	noRows: {
		seen: async () => both(await vendors(none)),
		as: {
			list: [200, { totalRows: 0, vendors: [] }],
			null: [200, { totalRows: 0, vendors: null }],
			object: [200, { totalRows: 0, vendors: {} }],
			missing: [200, { totalRows: 0 }],
			noContent: [204, ''],
		},
	},
	rows: {
		seen: async () => bodyOf(await patch(101, 102)),
		as: {
			list: { ok: [expect.any(Object), { path: '/licenses/102', status: 200 }] },
			byIndex: { ok: { 1: expect.any(Object), 2: { path: '/licenses/102', status: 200 } } },
		},
	},
	dates: {
		seen: async () => (bodyOf(await upload()) as { fileCreated: unknown }).fileCreated,
		as: {
			iso: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			sql: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
			us: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/),
			unix: expect.closeTo(Date.now() / 1000, -4),
		},
	},
	types: {
		seen: async () => {
			const { expires_in } = bodyOf(await requestToken()) as { expires_in: unknown };
			const notification = await call('POST', '/agencynotifications/notification', { data: {} });
			return [expires_in, bodyOf(notification)];
		},
		as: {
			described: [3600, { notificationID: expect.any(String) }],
			text: ['3600', { notificationID: expect.any(String) }],
			numbers: [3600, { notificationID: expect.any(Number) }],
		},
	},
	redirect: {
		seen: async () => {
			const { headers, ...from } = await authorize();
			return [String(headers['content-type']).split(';')[0], textOf({ headers, ...from })[0]];
		},
		as: { plainText: ['text/plain', 'h'], json: ['application/json', '"'] },
	},
	success: {
		seen: async () => [both(await create()), both(await answer()), (await vendors()).status],
		as: {
			described: [[201, { shiftScheduleID: expect.any(Number) }], [204, ''], 200],
			ok: [[200, { shiftScheduleID: expect.any(Number) }], [200, ''], 200],
			created: [[201, { shiftScheduleID: expect.any(Number) }], [201, ''], 200],
			noContent: [[204, ''], [204, ''], 200],
		},
	},
	nothing: {
		seen: async () => {
			const mapped = await call('POST', '/agencymappings/mappings/clients/101', { data: {} });
			return [textOf(mapped), textOf(await answer())];
		},
		as: {
			empty: ['', ''],
			object: ['{}', ''],
			list: ['[]', ''],
			true: ['true', ''],
			null: ['null', ''],
		},
	},
	errors: {
		seen: async () => {
			const from = await create(problem);
			return [from.status, textOf(from)];
		},
		as: {
			described: [
				400,
				'{"errors":{"validationErrors":[{"field":"name","message":"must be string"}]}}',
			],
			message: [400, `{"message":"${said}"}`],
			list: [400, `{"errors":["${said}"]}`],
			problem: [
				400,
				`{"type":"about:blank","title":"Bad Request","status":400,"detail":"${said}"}`,
			],
			plainText: [400, said],
			status200: [
				200,
				'{"errors":{"validationErrors":[{"field":"name","message":"must be string"}]}}',
			],
		},
	},
	names: {
		seen: async () => Object.keys(bodyOf(await create()) as object),
		as: {
			described: ['shiftScheduleID'],
			lower: ['shiftscheduleid'],
			capitalized: ['ShiftScheduleID'],
		},
	},
	wrapper: {
		seen: async () => [Object.keys(bodyOf(await create()) as object), both(await create(problem))],
		as: {
			none: [['shiftScheduleID'], [400, { errors: expect.any(Object) }]],
			data: [['data'], [400, { errors: expect.any(Object) }]],
			result: [['result'], [400, { errors: expect.any(Object) }]],
		},
	},
	escapes: {
		seen: async () =>
			/"name":"(M.*?ller .*?)"/.exec(
				textOf(await vendors(`filter=${quoted('name eq "Müller €"')}`)),
			)?.[1],
		as: { none: 'Müller €', php: 'M\\u00fcller \\u20ac' },
	},
	notice: {
		seen: async () => textOf(await create()).slice(0, 6),
		as: { none: '{"shif', php: '<br />' },
	},
	charset: {
		seen: async () => {
			const { headers, data } = await vendors(`filter=${quoted('name eq "Müller €"')}`);
			const at = data.indexOf('M', data.indexOf('"name"'));
			return [
				headers['content-type'],
				data.subarray(0, 2).toString('hex'),
				data.subarray(at, at + 3).toString('hex'),
			];
		},
		as: {
			utf8: ['application/json; charset=utf-8', '7b22', '4dc3bc'],
			byteOrderMark: ['application/json; charset=utf-8', 'efbb', '4dc3bc'],
			latin1Declared: ['application/json; charset=ISO-8859-1', '7b22', '4dfc6c'],
			latin1Undeclared: ['application/json', '7b22', '4dfc6c'],
		},
	},
};

const ways = dialectNames.flatMap((name) => waysOf(name).map((way) => [name, way] as const));

test.each(ways)('%s=%s', async (name, way) => {
	const { seen, as } = cases[name];
	set({ [name]: way });
	expect(await seen()).toEqual((as as Record<string, unknown>)[way]);
});

test('they hold together, at a sign-in and after a fault too', async () => {
	set({ types: 'text', wrapper: 'data', names: 'capitalized', notice: 'php', errors: 'message' });
	expect(textOf(await requestToken())).toMatch(
		/^<br \/>\n<b>Notice.*<br \/>\n\{"data":\{"Access_token":"[\w-]+","Expires_in":"3600",/s,
	);
	sandbox.faults.set([
		{ fault: 'refuse', times: 1 },
		{ fault: 'cutOff', times: 1 },
	]);
	expect(textOf(await create())).toMatch(/<br \/>\n\{"Message":"The sandbox was told/);
	await expect(create()).rejects.toThrow(/ECONNRESET|aborted/);
	set({});
	expect(bodyOf(await create())).toEqual({ shiftScheduleID: expect.any(Number) });
});

describe('are read', () => {
	test.each([
		['filtre=colons', 'There is no dialect "filtre". There are: gateway,'],
		[
			'filter=singlequotes',
			'The dialect "filter" has no way "singlequotes". There are: doubleQuotes, singleQuotes, colons',
		],
		['filter', 'The dialect "filter" has no way "".'],
	])('%s is refused', (flag, why) => {
		expect(() => readDialectFlag(flag)).toThrow(why);
	});

	test('over HTTP, while it runs', async () => {
		const put = (data: object) => axios.put(`${sandbox.url}/sandbox/dialects`, data);
		await put({ totalRows: 'text', wrapper: 'data' });
		await put({ wrapper: 'none' });
		expect(sandbox.dialects).toEqual({ ...defaultDialects, totalRows: 'text' });
		await expect(put({ wrapper: 'x' })).rejects.toMatchObject({
			response: { status: 400, data: { errors: expect.stringContaining('has no way') } },
		});
		const { data } = await axios.get<object>(`${sandbox.url}/sandbox/dialects`);
		expect(data).toEqual({ ...defaultDialects, totalRows: 'text' });
	});
});

test('a mixture is the same for the same seed, and of known ways', () => {
	const mixtures = Array.from({ length: 200 }, (_, seed) => randomDialects(seed));
	expect(randomDialects(7)).toEqual(mixtures[7]);
	for (const mixture of mixtures) expect(readDialects(mixture)).toBe(mixture);
	for (const [name, way] of ways) {
		expect([name, mixtures.some((mixture) => mixture[name] === way)]).toEqual([name, true]);
	}
	const differ = (mixture: Dialects) =>
		dialectNames.filter((name) => mixture[name] !== defaultDialects[name]);
	expect(differ(randomDialects(3, 1, ['etag', 'rows']))).toEqual(['etag', 'rows']);
	expect(differ(randomDialects(3, 0))).toEqual([]);
});
