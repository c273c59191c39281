// The check finds out what a service does, and says what to set. All ways of all dialects: dialects.full.test.ts.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { AgencyRecordsCheck } from '../../../nodes/AgencyRecordsCheck/AgencyRecordsCheck.node';
import { defaultDialects, type Dialects } from '../../../sandbox/dialects.mts';
import { secretsOf } from '../../faults/secrets';
import { runNode } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { credentialsFor, useSandbox } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';
import { verdictsOf } from './expectedFindings';
import { applyFindings } from './applyFindings';

const sandbox = useSandbox({ each: 'test' });
const time = useVirtualTime({ skipsPauses: true });

const node = new AgencyRecordsCheck();
const check = (credentials = sandbox.credentials()) =>
	runNode({ node, parameters: {}, credentials });

/** Answers as the sandbox does. */
async function passOn(request: IncomingMessage, response: ServerResponse, body: string) {
	const { url, method, headers } = request;
	const { host: _, ...others } = headers as Record<string, string>;
	const sent = { method, headers: others, ...(method === 'POST' && { body }) };
	const answer = await fetch(`${sandbox.url}${url}`, sent);
	response.writeHead(answer.status).end(await answer.text());
}

/** Checks a service that answers as the test says. */
async function checkService(...answers: Parameters<typeof startFakeService>) {
	const service = await startFakeService(...answers);
	const { json } = await check(credentialsFor(service.url));
	const { paths } = service;
	return { json, paths, reads: paths.filter((path) => !path.includes('Token')) };
}

const finding = (items: readonly IDataObject[], question: RegExp): IDataObject =>
	items.find((item) => question.test(item.question as string))!;

/** A service that differs from the sandbox in each question that has a setting. */
const stranger: Partial<Dialects> = {
	authorizationHeader: 'bearer',
	largestPage: 'rows50',
	largerPages: 'refused',
	offset: 'fromOne',
	totalRows: 'page',
	types: 'text',
};

test('where nothing differs there is nothing to change, and all is read only', async () => {
	const { json, hints } = await check();
	expect(Object.keys(json[0]!).slice(0, 2)).toEqual(['question', 'change']);
	expect(
		json.flatMap((item) => Object.values(item)).filter((value) => !value && value !== false),
	).toEqual([]);
	expect(json[0]).toMatchObject({ answer: 'No settings to change.', confidence: 'yes' });
	expect(hints).toEqual(['No settings to change. The settings fit this service.']);
	expect(json.filter(({ confidence }) => confidence === 'could not tell')).toEqual([]);
	const verdicts = verdictsOf(json, defaultDialects);
	expect(verdicts.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
	expect(verdicts).toHaveLength(3);
	const methods = sandbox.exchanges.map(({ method, url }) => `${method} ${url.split('?')[0]!}`);
	expect(methods.filter((request) => !/^GET |Authorize|Token\.php/.test(request))).toEqual([]);
});

test('a stranger is found out, and the settings that it needs are named', async () => {
	const dialects = { ...defaultDialects, ...stranger };
	Object.assign(sandbox.dialects, dialects);
	const { json, hints } = await check();
	expect(verdictsOf(json, dialects).filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
	expect(hints).toEqual([
		'3 settings to change. In the credential, set: Authorization Header → Bearer and Token, Page Size → 50, Offset Counts From → 1.',
	]);
	expect(`${json[0]!.answer as string} ${json[0]!.action as string}`).toBe(hints[0]);
	const { properties } = new AgencyRecordsApi();
	const inForm = properties.map(({ displayName }) => displayName);
	const places = json.slice(1, 4).map(({ setting }) => inForm.indexOf(setting as string));
	expect(places).toEqual([...places].sort((a, b) => a - b));
	expect(json.map(({ change }) => change)).toEqual(json.map((_, at) => at > 0 && at < 4));
	Object.assign(sandbox.dialects, dialects);
	const again = await check(sandbox.credentials(applyFindings(json)));
	expect(again.json[0]!.answer).toBe('No settings to change.');
});

test.each<[Partial<Dialects>, string]>([
	[{}, 'The settings fit this service. No setting can fix the rest: Only'],
	[
		{ authorizationHeader: 'bearer' },
		'1 setting to change, 1 other thing to do. In the credential, set: Authorization Header → Bearer and Token. No setting can fix the rest: Only',
	],
])('with %j, what no setting solves follows what to change', async (dialects, hint) => {
	Object.assign(sandbox.dialects, { ...dialects, offset: 'ignored', largestPage: 'rows50' });
	const { json, hints } = await check();
	const changed = json.findLastIndex(({ change }) => change === true);
	expect(json[Math.max(0, changed) + 1]).toMatchObject({
		question: expect.stringContaining("'offset'") as string,
		change: false,
		action: expect.stringMatching(/^Only the first 50 rows of a list can be read/) as string,
	});
	expect(hints[0]).toContain(hint);
});

test.each([
	['Base URL', { baseUrl: 'http://127.0.0.1:1' }, /connect/, 'could not tell'],
	['Subscription Key', { apiKey: 'wrong-key' }, /[Kk]ey/, 'yes'],
	['Password', { password: 'wrong-password' }, /password/, 'yes'],
])('a wrong %s is told first, and costs one try', async (_, changes, why, confidence) => {
	Object.assign(sandbox.dialects, { gateway: 'azure' });
	const credentials = sandbox.credentials(changes);
	const { json, error, saved } = await check(credentials);
	expect(error).toBeUndefined();
	const found = finding(json, /Which lists/);
	expect(found).toMatchObject({ confidence, action: json[0]!.action });
	expect(found.answer).toMatch(/^None of the lists tried: /);
	expect(found.answer).toMatch(why);
	expect(found.answer).toContain(json[0]!.answer);
	expect(sandbox.exchanges.length).toBeLessThanOrEqual(3);
	for (const secret of secretsOf(credentials)) expect(saved.includes(secret)).toBe(false);
});

test('where no request is answered, why is told, and no setting is said to fit', async () => {
	const { json, paths } = await checkService((_, response) => {
		response.statusCode = 403;
		response.setHeader('Retry-After', '1269');
		const message = 'Out of call volume quota. Quota will be replenished in 00:21:09.';
		response.end(JSON.stringify({ statusCode: 403, message }));
	}, false);
	expect(paths).toEqual(['/authpass/Token.php']);
	expect(json[0]!.answer).toMatch(/replenished in 21 minutes/);
	expect(finding(json, /Which lists/).answer).toMatch(/^None .*replenished in 21 minutes/);
	const others = json.filter(({ question }) => !/What should|Which lists/.test(question as string));
	expect(others.filter(({ confidence }) => confidence !== 'could not tell')).toEqual([]);
});

test('it says what the account may not read, and goes on with what it may', async () => {
	const { json } = await checkService((request, response) => {
		response.statusCode = request.url!.startsWith('/agencynemsis3') ? 200 : 403;
		const common = { Element: 'dDevice.02', Description: 'A' };
		const ddevice = [1, 2].map((rowNum) => ({ rowNum, Code: 1000 + rowNum, ...common }));
		response.end(JSON.stringify({ totalRows: 2, ddevice }));
	});
	expect(finding(json, /Which lists/).answer).toBe(
		'Device Code; not: Vendor, Critical Infrastructure Category.',
	);
	expect(finding(json, /offset/).answer).toBe('The list is too short to tell.');
});

test('an outage is no finding', async () => {
	const { json } = await checkService((request, response, body) => {
		if (request.method === 'GET') response.writeHead(503).end();
		else void passOn(request, response, body);
	});
	expect(new Set(json.slice(1).map(({ confidence }) => confidence))).toEqual(
		new Set(['could not tell']),
	);
	expect(json[0]).toMatchObject({ change: false, action: 'Run the check again later.' });
});

test.each(['0', '1'])(
	'no more than 80 requests are sent, with those that are sent again after %s s',
	async (after) => {
		const dearest = { ...stranger, authorizationHeader: 'either', largestPage: 'rows25' } as const;
		Object.assign(sandbox.dialects, dearest);
		const asked = new Map<string, number>();
		const { reads } = await checkService((request, response, body) => {
			const times = (asked.get(request.url!) ?? 0) + 1;
			asked.set(request.url!, times);
			// Each read is sent three times.
			if (request.method === 'GET' && times % 3 !== 0)
				return response.writeHead(429, { 'retry-after': after }).end();
			return void passOn(request, response, body);
		}, false);
		expect(reads.length).toBeGreaterThan(30);
		expect(reads.length).toBeLessThanOrEqual(80);
	},
);

test('a service that hangs takes no more than two minutes', async () => {
	const begin = time.now;
	const timers: NodeJS.Timeout[] = [];
	const { json, paths } = await checkService(
		() => void timers.push(setTimeout(() => time.pass(20_000), 50)),
	);
	// Else time would pass in the next test.
	for (const timer of timers) clearTimeout(timer);
	expect(time.now - begin).toBeLessThan(150_000);
	expect(finding(json, /Which lists/).answer).toMatch(/^None of the lists tried: No response/);
	expect(paths.length).toBeLessThan(20);
});

test('it ends with the execution', async () => {
	const stop = new AbortController();
	const service = await startFakeService(() => stop.abort());
	const run = runNode({
		node,
		parameters: {},
		credentials: credentialsFor(service.url),
		cancel: stop.signal,
	});
	await run;
	expect(service.paths.filter((path) => !path.includes('Token'))).toHaveLength(1);
});
