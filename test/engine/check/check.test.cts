// The check finds out what a service does, and says what to set. All ways of all dialects: dialects.full.test.cts.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { AgencyRecordsCheck } from '../../../nodes/AgencyRecordsCheck/AgencyRecordsCheck.node';
import { defaultDialects, type Dialects } from '../../../sandbox/dialects.mts';
import { secretsOf } from '../../faults/secrets.cts';
import { answerAsGateway, gatewayAnswers } from '../../harness/gatewayAnswers.cts';
import { runNode } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox, withPageSize } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { isOpen, verdictsOf } from './expectedFindings.cts';
import { applyFindings } from './applyFindings.cts';

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
	return { json, paths: service.paths, reads: service.requests };
}

const finding = (items: readonly IDataObject[], question: RegExp): IDataObject =>
	items.find((item) => question.test(item.question as string))!;

/** A service that differs from the sandbox in each question that has a setting. */
const stranger: Partial<Dialects> = {
	authorizationHeader: 'bearer',
	largestPage: 'refusedAbove50',
	totalRows: 'page',
	types: 'text',
};

test('where nothing differs there is nothing to change, and all is read only', async () => {
	const { json, hints } = await check();
	expect(json.flatMap((item) => Object.values(item)).filter((value) => !value)).toEqual([]);
	expect(json[0]).toMatchObject({ answer: 'No settings to change.' });
	expect(hints).toEqual([
		'No settings to change. The settings fit this service, as far as its responses show.',
	]);
	const verdicts = verdictsOf(json, defaultDialects);
	expect(verdicts.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
	const methods = sandbox.exchanges.map(({ method, url }) => `${method} ${url.split('?')[0]!}`);
	const others = methods.filter((request) => !request.startsWith('GET '));
	expect(others.filter((request) => !/Authorize|Token\.php/.test(request))).toEqual([]);
	expect(methods.length - others.length).toBeLessThanOrEqual(13);
});

test('a stranger is found out, and the settings that it needs are named', async () => {
	const dialects = { ...defaultDialects, ...stranger };
	Object.assign(sandbox.dialects, dialects);
	const { json, hints } = await check();
	expect(verdictsOf(json, dialects).filter(({ verdict }) => verdict !== 'right')).toEqual([]);
	expect(hints).toEqual([
		"2 things to do. Set 'Authorization Header' to 'Bearer and Token' in the credential. Set 'Page Size' to '50' in the credential.",
	]);
	expect(`${json[0]!.answer as string} ${json[0]!.action as string}`).toBe(hints[0]);
	Object.assign(sandbox.dialects, dialects);
	const again = await check(sandbox.credentials(applyFindings(json)));
	expect(again.json[0]!.answer).toBe('No settings to change.');
});

test.each([
	['cutAt25', /^100 rows\.$/],
	['refusedAbove50', /^50 rows\.$/],
	[
		'cutAt200',
		/^100 rows\. With 'Page Size' at '200', all 295 rows of Device Code take 2 requests instead of 3\.$/,
	],
	[
		'any',
		/^100 rows\. With 'Page Size' at '1000', all 295 rows of Device Code take 1 request instead of 3\.$/,
	],
] as const)('larger pages are tried: %s', async (largestPage, answer) => {
	Object.assign(sandbox.dialects, { largestPage });
	expect(finding((await check()).json, /page size/).answer).toMatch(answer);
});

test('what the largest page that a service gives would save is said, and the settings fit', async () => {
	const rows = Array.from({ length: 25_000 }, (_, n) => ({ departmentBusinessID: n }));
	const { json, reads } = await checkService((request, response) => {
		const query = new URL(request.url!, 'http://x').searchParams;
		const [offset, limit] = ['offset', 'limit'].map((name) => Number(query.get(name)));
		const vendors = rows.slice(offset, offset! + limit!);
		if (!request.url!.includes('/vendors')) return response.writeHead(403).end();
		return response.end(JSON.stringify({ totalRows: rows.length, vendors }));
	});
	expect(finding(json, /page size/)).toMatchObject({
		answer:
			"100 rows. With 'Page Size' at '10000', all 25,000 rows of Vendor take 3 requests instead of 250.",
		action: 'Nothing to change.',
	});
	expect(reads.length).toBeLessThan(15);
});

test.each([
	['one page holds the whole list', 300, 500],
	['a page is as large as it can be', 20_000, 10_000],
])('where %s, no other size is tried', async (_, totalRows, pageSize) => {
	const service = await startFakeService(({ url }, response) => {
		const limit = Number(new URL(url!, 'http://x').searchParams.get('limit'));
		const ids = Array.from({ length: Math.min(totalRows, limit) }, (_none, id) => id);
		const vendors = ids.map((departmentBusinessID) => ({ departmentBusinessID }));
		return response.writeHead(limit ? 200 : 403).end(JSON.stringify({ totalRows, vendors }));
	});
	const { json } = await check(credentialsFor(service.url, withPageSize(pageSize)));
	expect(finding(json, /page size/).answer).toMatch(/^[\d,]+ rows\.$/);
	const limits = service.paths.map((path) => Number(/limit=(\d+)/.exec(path)?.[1] ?? 0));
	expect(new Set(limits.filter((limit) => limit > 10))).toEqual(new Set([pageSize]));
});

test("where the count is that of the page, and pages are cut, lists need the service's page", async () => {
	Object.assign(sandbox.dialects, { largestPage: 'cutAt50', totalRows: 'page' });
	const { json } = await check();
	expect(finding(json, /totalRows/)).toMatchObject({
		answer: 'The rows of the page.',
		action: "Set 'Page Size' to '50' in the credential.",
	});
});

test.each([
	['Base URL', { baseUrl: 'http://127.0.0.1:1' }, /connect/],
	['Subscription Key', { apiKey: 'wrong-key' }, /[Kk]ey/],
	['Password', { password: 'wrong-password' }, /password/],
])('a wrong %s is told first, and costs one try', async (_, changes, why) => {
	Object.assign(sandbox.dialects, { gateway: 'azure' });
	const credentials = sandbox.credentials(changes);
	const { json, error, saved } = await check(credentials);
	expect(error).toBeUndefined();
	const found = finding(json, /sign in/);
	expect(found).toMatchObject({ action: json[0]!.action, answer: json[0]!.answer });
	expect(found.answer).toMatch(why);
	expect(found.action).not.toMatch(/this item/);
	expect(sandbox.exchanges.length).toBeLessThanOrEqual(3);
	for (const secret of secretsOf(credentials)) expect(saved.includes(secret)).toBe(false);
});

/** A service whose keys belong to products: this one is for none, or some, of the lists. */
const checkWithKeyFor = (lists: RegExp) =>
	checkService((request, response, body) => {
		if (request.method === 'GET' && !lists.test(request.url!))
			return answerAsGateway(response, gatewayAnswers.wrongKey);
		return void passOn(request, response, body);
	}, false);

test('a key of another product is not called refused: signing in has worked', async () => {
	const { json, reads } = await checkWithKeyFor(/none/);
	expect(finding(json, /sign in/)).toMatchObject({
		answer:
			'Signed in. This key is not for these lists: Critical Infrastructure Category, Device Code, Vendor.',
		action: expect.stringMatching(/A key belongs to a product: ask the service owner which/),
	});
	expect(json[0]).toMatchObject({ answer: expect.stringMatching(/^Signed in\. /) });
	expect(reads).toHaveLength(3);
	expect(json.slice(2).every(isOpen)).toBe(true);
});

test('a key for some of the lists, whose token is written after Bearer', async () => {
	sandbox.dialects.authorizationHeader = 'bearer';
	const { json } = await checkWithKeyFor(/vendors/);
	expect(finding(json, /sign in/)).toMatchObject({ answer: 'Yes; Bearer and Token.' });
	expect(finding(json, /Which lists/)).toMatchObject({
		answer: expect.stringMatching(/^Vendor; not: Critical .*, Device Code \(.*subscription key/),
		action: expect.stringMatching(/A key belongs to a product: ask the service owner which/),
	});
	expect(isOpen(finding(json, /page size/i))).toBe(false);
});

test('where no request is answered, why is told, and no setting is said to fit', async () => {
	const { json, paths } = await checkService((_, response) => {
		response.statusCode = 403;
		response.setHeader('Retry-After', '1269');
		const message = 'Out of call volume quota. Quota will be replenished in 00:21:09.';
		response.end(JSON.stringify({ statusCode: 403, message }));
	}, false);
	expect(paths).toEqual(['/authpass/Token.php']);
	expect(json[0]!.answer).toMatch(/asks to wait 21 minutes: .*quota/);
	expect(json.slice(1).every(isOpen)).toBe(true);
});

test('an outage is no finding', async () => {
	const { json } = await checkService((request, response, body) => {
		if (request.method === 'GET') response.writeHead(503).end();
		else void passOn(request, response, body);
	});
	expect(json.slice(1).every(isOpen)).toBe(true);
	expect(json[0]!.action).toBe('Nothing was changed: run the check again later.');
});

test('a service that hangs is asked for three tries, and nothing else', async () => {
	const begin = time.now;
	const timers: NodeJS.Timeout[] = [];
	const { json, paths } = await checkService(
		() => void timers.push(setTimeout(() => time.pass(20_500), 50)),
	);
	// Else time would pass in the next test.
	for (const timer of timers) clearTimeout(timer);
	expect(time.now - begin).toBeLessThan(150_000);
	expect(finding(json, /sign in/).answer).toMatch(/^No response/);
	expect(paths.length).toBeLessThan(20);
});

test('it ends with the execution', async () => {
	const stop = new AbortController();
	const service = await startFakeService(() => stop.abort());
	const credentials = credentialsFor(service.url);
	await runNode({ node, parameters: {}, credentials, cancel: stop.signal });
	expect(service.requests).toHaveLength(1);
});
