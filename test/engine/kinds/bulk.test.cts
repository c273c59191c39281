// Bulk patches: few requests, and one linked result per path, according to the service's report.
import type { INodeParameters } from 'n8n-workflow';

import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { continueOnFail, errorOf, type RunOptions } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { useCannedService } from '../response/cannedService.cts';

const sandbox = useSandbox();
const { exchanges } = sandbox;

const patch = (options: Partial<RunOptions>) =>
	sandbox.run({
		node: new AgencyLicenses(),
		...options,
		parameters: {
			op: 'replace',
			path: { entries: [{ path: '={{ $json.path }}' }] },
			value: { entries: [{ userID: '={{ $json.user }}' }] },
			...options.parameters,
		},
	});
const licenses = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ path: `/licenses/${101 + n}`, user: 1000 + n }));
const patches = () => sandbox.requests('patchLicenses');

test('250 patches are 3 requests at batch size 100, and 250 linked results', async () => {
	const given = licenses(250);
	const { items, error } = await patch({
		items: given,
		parameters: { options: { batchSize: 100, include: 'responseOnly' } },
	});
	expect(error).toBeUndefined();
	expect(patches().map(({ body }) => (body as object[]).length)).toEqual([100, 100, 50]);
	expect(items).toEqual(
		given.map(({ path }, item) => ({ json: { path, status: 200 }, pairedItem: { item } })),
	);
	for (const { path, user } of given) {
		const id = Number(path.split('/').at(-1));
		expect(sandbox.records.get('license', id)!.data.userIDs).toEqual([user]);
	}
});

test('an item with several paths gets a result for each', async () => {
	const paths = [0, 1].map((n) => ({ path: `=/licenses/{{ 101 + 2 * $itemIndex + ${n} }}` }));
	const { items } = await patch({
		items: [{}, {}],
		parameters: { path: { entries: paths }, value: { entries: [{ userID: 1 }, { userID: 2 }] } },
	});
	expect(items.map(({ json, pairedItem }) => [json.path, pairedItem])).toEqual(
		[0, 0, 1, 1].map((item, n) => [`/licenses/${101 + n}`, { item }]),
	);
	expect(sandbox.records.get('license', 101)!.data.userIDs).toEqual([1, 2]);
});

test("'not modified' for a whole batch gives an item with the path for each path", async () => {
	const service = await startFakeService((_, response) => response.writeHead(304).end());
	const { items } = await patch({
		items: licenses(2),
		credentials: credentialsFor(service.url),
		parameters: {
			path: { entries: [{ path: '={{ $json.path }}' }, { path: '={{ $json.path }}9' }] },
			options: { etag: 'v1' },
		},
	});
	const paths = ['/licenses/101', '/licenses/1019', '/licenses/102', '/licenses/1029'];
	expect(items).toEqual(
		paths.map((path, at) => ({
			json: { notModified: true, path, etag: 'v1' },
			pairedItem: { item: Math.floor(at / 2) },
		})),
	);
});

describe('a duplicate path', () => {
	const again = (path: string) => [...licenses(2), { path, user: 7 }];
	const oneByOne = { options: { batchSize: 1 } };

	test.each(['/licenses/101', 'licenses/101', ' /Licenses/101 '])(
		'stops the run before anything is sent, and both rows are named: %j',
		async (path) => {
			const { error } = await patch({ items: again(path), parameters: oneByOne });
			expect(error?.message).toMatch(
				/'Licenses to Update'.*"\/licenses\/101".*(row 1\b.*row 3\b|rows 1, 3\b)/,
			);
			expect(exchanges).toEqual([]);
		},
	);

	test('under Continue keeps only its own rows from being sent, however they are batched', async () => {
		const { json } = await patch({
			items: again('/licenses/101'),
			parameters: oneByOne,
			nodeSettings: continueOnFail,
		});
		const refused = {
			message: expect.stringContaining('"/licenses/101" more than once') as string,
			error: { code: 'invalidValues', outcome: 'notSent' },
		};
		expect(json).toMatchObject([refused, { path: '/licenses/102', status: 200 }, refused]);
		const sent = patches().map(({ body }) => body);
		expect(sent).toMatchObject([[{ path: [{ path: '/licenses/102' }] }]]);
	});

	test('within one row keeps that row from being sent', async () => {
		const path = '/licenses/101';
		const parameters = { path: { entries: [{ path }, { path }] } };
		const { error } = await patch({ items: [{ user: 7 }], parameters });
		expect(error?.message).toMatch(/^'Licenses to Update' has "\/licenses\/101" more than once/);
		expect(exchanges).toEqual([]);
	});
});

test("a refused path is its item's error, and under Stop the run's error", async () => {
	const given = [...licenses(2), { path: '/licenses/9', user: 1 }];
	const stopped = await patch({ items: [...given, { path: '/licenses/8', user: 1 }] });
	expect(stopped.error).toMatchObject({
		message: 'The service refused the path "/licenses/9" with status 404 [row 3 (item 2)]',
		httpCode: '404',
		description: expect.stringMatching(/^Nothing was changed on.*Not processed: rows 3–4 /s),
	});
	const nodeSettings = { onError: 'continueErrorOutput' } as const;
	const { items, errorItems } = await patch({ items: given, nodeSettings });
	expect(items).toHaveLength(2);
	expect(errorItems).toMatchObject([
		{ json: { error: { outcome: 'refused', httpStatus: 404 } }, pairedItem: { item: 2 } },
	]);
});

test('items with different ETags go in different requests', async () => {
	await patch({
		items: [...licenses(4).map((item, n) => ({ ...item, tag: n < 3 ? 'v1' : 'v2' }))],
		parameters: { options: { etag: '={{ $json.tag }}' } },
	});
	expect(patches().map(({ headers }) => headers.etag)).toEqual(['v1', 'v2']);
});

const ids = ['102', ' 102 ', 102];
test.each(ids)('the ID %j instead of a path is refused, and the path suggested', async (path) => {
	const { error } = await patch({ items: [{ path, user: 7 }] });
	expect(error?.message).toMatch(
		/^'Licenses to Update 1 › Path' is .*, but must be a path such as \/101 or \/\{\{ \$json\.ID }}, without an empty part$/,
	);
	expect(exchanges).toEqual([]);
});

describe('the outcome of a path', () => {
	// Requests in doubt open the circuit.
	useVirtualTime({ skipsPauses: true });
	const service = useCannedService();
	const path = '/licenses/1';
	const batch = async (ok: unknown[], options: INodeParameters = {}, count = 1) => {
		const { json, hints } = await service.run('bulk', { body: { ok } }, { options, count });
		return { json, hints, said: json.map((item) => errorOf(item)?.outcome ?? item) };
	};

	test.each([200, 201, 204, 299, '204'])('with status %j is a success', async (status) => {
		expect((await batch([{ path, status }])).said).toEqual([{ path, status: Number(status) }]);
	});

	const message = expect.stringContaining(path) as string;

	test.each([400, 401, 404, 409, 499, '404', 429])('with status %j is refused', async (status) => {
		const { json } = await batch([{ path, status }]);
		const error = { outcome: 'refused', retryable: status === 429 };
		expect(json).toMatchObject([{ message, error }]);
		// The token was accepted with the request.
		expect(errorOf(json[0])?.code).not.toBe('tokenRefused');
	});

	test.each([
		[404, /Check that it is complete and has the record's ID in the service/],
		[409, /If a version was given, it is out of date/],
	])('with status %d comes with advice that fits every path', async (status, advice) => {
		const { json } = await batch([{ path, status }]);
		expect(errorOf(json[0])?.advice).toMatch(advice);
	});

	const others = [null, '', ' ', false, true, [], [200], {}, 'OK', '2e2', '0200', '202', undefined];
	test.each([
		...[408, 500, 503, 100, 199, 202, 300, 302, 303, 600, 0, -200, 200.5, ...others].map(
			(status) => ({ status }),
		),
		{ status: 200, success: false },
		{ status: 200, errors: ['no such user'] },
	])('with %j is in doubt', async (report) => {
		const { json } = await batch([{ path, ...report }]);
		expect(json).toMatchObject([{ message, error: { outcome: 'inDoubt', retryable: false } }]);
	});

	test('with status 304 is "not modified"', async () => {
		const unchanged = { notModified: true, path };
		expect((await batch([{ path, status: 304 }])).said).toEqual([unchanged]);
		const { said } = await batch([{ path, status: 304 }], { etag: 'v1' });
		expect(said).toEqual([{ ...unchanged, etag: 'v1' }]);
	});

	test.each([
		[[200, 200], { path, status: 200 }],
		[[404, 404], 'refused'],
		[[304, 304], { notModified: true, path }],
	])('with the equal reports %j is what both say', async (statuses, expected) => {
		expect((await batch(statuses.map((status) => ({ path, status })))).said).toEqual([expected]);
	});

	test.each([
		[200, 404],
		[404, 200],
		[404, 409],
		[404, 500],
		[200, 500],
		[200, null],
		[304, 404],
		[304, 200],
	])('with the reports %j and %j is in doubt, and both are named', async (...statuses) => {
		const { json } = await batch(statuses.map((status) => ({ path, status })));
		expect(json).toMatchObject([
			{
				message: expect.stringMatching(
					new RegExp(`unclear .* "${path}": .*reported .*${statuses.join('.*')}`),
				),
				error: { outcome: 'inDoubt', retryable: false },
			},
		]);
	});

	test.each(['licenses/1', ' /Licenses/1'])('reported as %j is a success', async (other) => {
		const { said, hints } = await batch([{ path: other, status: 200 }]);
		expect([said, hints]).toEqual([[{ path: other, status: 200 }], []]);
	});

	test('without a report is in doubt', async () => {
		const { json } = await batch([]);
		const says = expect.stringContaining(`the path "${path}": the service reported nothing`);
		expect(json).toMatchObject([{ message: says, error: { outcome: 'inDoubt' } }]);
	});

	test.each<[string, unknown[]]>([
		['no report at all', []],
		['reports without a status', [{ path }]],
		['reports of a service that is too busy', [{ path, status: 503 }]],
	])('with %s slows down the requests', async (_, ok) => {
		const { said } = await batch(ok, { batchSize: 1 }, 300);
		expect(service.paths.length).toBeLessThan(100);
		expect(said.filter((outcome) => outcome === 'notSent').length).toBeGreaterThan(200);
	});

	test.each([
		['paths that fail, each perhaps for itself', [{ path, status: 500 }]],
		['one path of two that is told', [{ path, status: 200 }, { path: '/licenses/2' }]],
	])('with %s does not slow down the requests', async (_, ok) => {
		await batch(ok, { batchSize: 2 }, 300);
		expect(service.paths.filter((asked) => /licenses/.test(asked))).toHaveLength(150);
	});

	test('reports on paths that were not sent are ignored', async () => {
		const foreign = ['/licenses/2', '7', undefined, { toString: {} }].map((other) => ({
			path: other,
		}));
		const { said } = await batch([...foreign, null, 'x', { path, status: 200 }]);
		expect(said).toEqual([{ path, status: 200 }]);
	});
});
