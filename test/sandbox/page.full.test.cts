// The sandbox's page without a browser: its content, its forms, and who may use it.

import axios from 'axios';
import { load, type CheerioAPI } from 'cheerio';

import { users } from '../../sandbox/accounts.mts';
import { keyHeader, signIn } from '../harness/client.mts';
import { useSandbox } from '../harness/useSandbox.cts';

const sandbox = useSandbox({ each: 'test' });

const open = () =>
	axios.create({ baseURL: sandbox.url, validateStatus: () => true, maxRedirects: 0 });
const page = async (address = '/') => load((await open().get<string>(address)).data);
const send = (address: string, fields: Record<string, string> = {}, headers = {}) =>
	open().post<string>(address, new URLSearchParams(fields), { headers });

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
/** The text that a person reads in the elements of a page. */
const textOf = ($: CheerioAPI, selector = 'body') => oneLine($(selector).text());
/** The text of each element. */
const textsOf = ($: CheerioAPI, selector: string) =>
	$(selector)
		.get()
		.map((element) => oneLine($(element).text()));

/** The service's own API, as a client uses it. */
async function client() {
	const headers = { ...keyHeader, Authorization: await signIn(sandbox.url) };
	return axios.create({ baseURL: sandbox.url, headers, validateStatus: () => true });
}
const schedules = '/agencyshiftschedules/shiftschedules';
const allRecords = () => Buffer.from(sandbox.records.snapshot()).toString('base64');

test('the page may only load its own files', async () => {
	const policy = String((await open().get('/')).headers['content-security-policy']);
	expect(policy).toContain("default-src 'none'");
	expect(policy).not.toMatch(/unsafe|http|data:|\*/);
});

describe('requests', () => {
	/** The text of each row, without its time. */
	const rows = async () =>
		textsOf(await page(), '[data-live="requests"] tbody tr').map((row) => row.replace(/^\S+ /, ''));

	test('are bounded, and their rows contain no bodies or headers', async () => {
		const service = await client();
		for (let n = 0; n < 250; n++) await service.post(schedules, { name: `Shift-${n}` });
		await service.get(`${schedules}?${'x'.repeat(5000)}`);
		const shown = await rows();
		expect(shown.length).toBeLessThanOrEqual(200);
		expect(JSON.stringify(shown)).not.toMatch(/Shift-|x{400}/);
		expect(textOf(await page(), '#requests caption')).toContain(
			'252 in all; the latest 200 are shown',
		);
	});

	/** What an open request says, by its number. */
	const opened = async (number: number) =>
		textOf(await page(`/?request=${number}`), '[data-live="request"]');

	test('can be opened: request, response, and the fault that struck, even without a response', async () => {
		const service = await client();
		await service.post(schedules, { name: 'The night watch', stationNumber: 4 });
		const shown = await opened(2);
		expect(shown).toMatch(/^Close Request 2 Request POST /);
		expect(shown).toContain(`Request POST ${schedules} `);
		expect(shown).toContain('content-type: application/json');
		expect(shown).toContain('{"name":"The night watch","stationNumber":4}');
		expect(shown).toMatch(/Response 400 .*validationErrors/);
		sandbox.faults.set([{ fault: 'resetAfter' }]);
		await service.post(schedules, { name: 'A' }).catch(() => {});
		expect((await rows())[0]).toMatch(/^POST \S+schedules no response \d+ ms resetAfter$/);
		expect(await opened(3)).toMatch(
			/^Close Request 3 A fault struck: processes the request, then drops the connection resetAfter /,
		);
		const $ = await page();
		expect($('#request-2').attr('href')).toBe('/?records=vendor&request=2#requests');
	});
});

describe('records', () => {
	test('make a small page even if they are 100,000 long ones, and can be paged', async () => {
		sandbox.records.transaction(() => {
			for (let n = 0; n < 100_000; n++)
				sandbox.records.insert('shiftSchedule', { name: `Shift-${n}-${'x'.repeat(200)}` });
		});
		const first = await page('/?records=shiftSchedule');
		expect(first.html().length).toBeLessThan(200_000);
		expect(textOf(first)).toContain('1–25 of 100,000');
		expect(textOf(first)).toContain('Shift-99999-');
		const second = await page(first('a:contains("Older")').attr('href'));
		expect(textOf(second)).toContain('26–50 of 100,000');
		expect(textOf(second)).toContain('Shift-99974-');
		expect(textOf(second)).not.toContain('Shift-99975-');
	});

	test('that are archived are marked next to their ID', async () => {
		sandbox.records.archive('vendor', 106);
		const $ = await page('/?records=vendor&search=106');
		expect(textsOf($, '[data-live="records"] tbody th')).toContain('archived 106');
	});

	test('can be searched by ID, and by text in any case', async () => {
		sandbox.records.update('vendor', 106, { name: 'Größe & 100%' });
		const found = async (search: string) => {
			const $ = await page(`/?${new URLSearchParams({ records: 'vendor', search }).toString()}`);
			return [textOf($, '.pages span'), textsOf($, '[data-live="records"] tbody th')];
		};
		expect((await found('105'))[1]).toContain('archived 105');
		expect(await found('größe & 100%')).toEqual(['1–1 of 1', ['106']]);
		expect(await found('businessType')).toEqual(['0', []]);
	});

	test('show markup as text', async () => {
		sandbox.records.insert('file', { fileName: '<img src=x onerror="alert(1)">&\'' });
		const shown = await page('/?records=file');
		expect(shown('[src=x]').length).toBe(0);
		expect(textOf(shown)).toContain('<img src=x onerror="alert(1)">&\'');
	});
});

describe('secrets', () => {
	/** The page's values for the credential, by their labels. */
	const shown = async () => {
		const $ = await page();
		const rows = $('#credential tr').get();
		return Object.fromEntries(
			rows.map((row) => [$(row).find('th').text(), $(row).find('code').text()]),
		);
	};

	test('after a password change, tokens still work, a sign-in needs the new one, and it can be changed back', async () => {
		const service = await client();
		const before = await shown();
		expect((await send('/sandbox/credential/password')).status).toBe(303);
		const { Password = '', ...others } = await shown();
		expect({ ...others, Password: before.Password }).toEqual(before);
		expect((await service.post(schedules, { name: 'A' })).status).toBe(201);
		await expect(signIn(sandbox.url)).rejects.toThrow('400');
		await expect(signIn(sandbox.url, { ...users[0]!, password: Password })).resolves.toBeTruthy();
		await send('/sandbox/credential/password');
		expect(await shown()).toEqual(before);
		await expect(signIn(sandbox.url)).resolves.toBeTruthy();
	});

	test('after a change of the subscription key, requests with the old one are refused', async () => {
		const service = await client();
		await send('/sandbox/credential/apiKey');
		expect((await service.post(schedules, { name: 'A' })).status).toBe(401);
		const headers = { [Object.keys(keyHeader)[0]!]: (await shown())['Subscription Key'] };
		expect((await service.post(schedules, { name: 'A' }, { headers })).status).toBe(201);
	});
});

test.each([
	['vendor', '{"zip":"many","name":7}', 'name must be string; zip must be integer'],
	['vendor/105', '{"departmentBusinessID":7}', 'departmentBusinessID is not a known field'],
	['vendor', '{"name":', 'The record is not JSON: '],
	['vendor/9999', '{"name":"A"}', 'There is no vendor 9999'],
	['shift', '{"color":"red"}', 'kind must be equal'],
])('a record %s with %s is refused, with the reason', async (path, json, why) => {
	const before = allRecords();
	const { status, data } = await send(`/sandbox/records/${path}`, { json });
	expect([status, allRecords()]).toEqual([400, before]);
	const shown = typeof data === 'string' ? load(data) : undefined;
	expect(shown ? textOf(shown, '[role=status]') : JSON.stringify(data)).toContain(why);
	if (shown?.('#json').length) expect(shown('#json').val()).toBe(json);
});

describe('faults', () => {
	test('are named by what they do, and the page says how to stop listening', async () => {
		const $ = await page();
		const names = textsOf($, '.fault label');
		expect(names).toContain('processes the request, then drops the connection');
		expect(textOf($, '#faults .hint')).toMatch(/nothing listens.*http:\/\/127\.0\.0\.1:9/);
	});

	test('keep their count of strikes when the form changes their status', async () => {
		sandbox.faults.set([{ fault: 'refuse', times: 1 }]);
		const service = await client();
		const post = async () => (await service.post(schedules, { name: 'A' })).status;
		expect([await post(), await post()]).toEqual([503, 201]);
		const on = { 'refuse-0.on': 'on', 'refuse-0.percent': '100' };
		await send('/sandbox/faults', { ...on, 'webPage.on': 'on', 'webPage.percent': '50' });
		expect(sandbox.faults.rules).toEqual([
			{ fault: 'refuse', times: 1 },
			{ fault: 'webPage', probability: 0.5 },
		]);
		expect(await post()).toBe(201);
		const refused = await send('/sandbox/faults', { ...on, 'refuse-0.status': '600' });
		expect(refused.status).toBe(400);
	});
});

test('dialects that differ from the defaults are marked, and can be reset', async () => {
	sandbox.dialects.gateway = 'plain';
	const marked = async () => textsOf(await page(), '#dialects label:has(.mark)');
	expect(await marked()).toEqual([expect.stringContaining('subscription key')]);
	await send('/sandbox/dialects', { all: 'own' });
	expect([sandbox.dialects.gateway, await marked()]).toEqual(['azure', []]);
});

describe('access', () => {
	const own = ['/', '/sandbox/events', '/sandbox/faults', '/sandbox/page.js'];
	const get = async (address: string, headers: object) =>
		(await open().get(address, { headers: { ...headers } })).status;

	test.each(own)("is refused under another host's name %s", async (address) => {
		for (const Host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80'])
			expect(await get(address, { Host })).toBe(421);
	});

	test.each(['localhost:8950', '127.0.0.1', '[::1]:80'])('is open under %s', async (Host) => {
		expect(await get('/', { Host })).toBe(200);
	});

	const { origin: elsewhere } = new URL('http://127.0.0.1:1/');
	const fromElsewhere: Array<Record<string, string>> = [
		{ Origin: 'https://evil.example' },
		{ Origin: 'null' },
		{ Origin: elsewhere },
		{ 'Sec-Fetch-Site': 'cross-site' },
		{ 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate' },
	];
	test.each(fromElsewhere)('is refused to changes from other sites: %j', async (from) => {
		const before = allRecords();
		const responses = [
			await send('/sandbox/faults', { plan: 'mixed' }, from),
			await send('/sandbox/records/vendor', { json: '{"name":"Acme"}' }, from),
			await open().put('/sandbox/faults', [{ fault: 'refuse' }], { headers: from }),
		];
		expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
		expect([sandbox.faults.rules, allRecords()]).toEqual([[], before]);
	});

	test('is allowed to links from other sites, but not to pictures or scripts', async () => {
		const site = { 'Sec-Fetch-Site': 'cross-site' };
		expect(await get('/', { ...site, 'Sec-Fetch-Mode': 'navigate' })).toBe(200);
		expect(await get('/', { ...site, 'Sec-Fetch-Mode': 'no-cors' })).toBe(403);
	});

	test("to the page's forms and addresses does not exist in the service", async () => {
		const service = await client();
		const form = await service.post(schedules, new URLSearchParams({ name: 'A' }));
		expect(form.status).toBe(400);
		expect((await open().get('/nowhere')).status).toBe(401);
		expect((await service.get('/nowhere')).status).toBe(404);
	});
});
