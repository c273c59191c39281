// Bulk patches: few requests, one linked result a path.
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { runNode, type RunOptions } from '../../harness/run';
import { credentialsFor, useSandbox } from '../../harness/useSandbox';

const sandbox = useSandbox();
const { exchanges } = sandbox;

const patch = (options: Partial<RunOptions>, baseUrl = sandbox.url) =>
	runNode({
		node: new AgencyLicenses(),
		credentials: credentialsFor(baseUrl),
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
const patches = () => exchanges.filter(({ operation }) => operation === 'patchLicenses');

test('250 patches are 3 requests at batch size 100, and 250 linked results', async () => {
	const given = licenses(250);
	const { items, error } = await patch({
		items: given,
		parameters: { options: { batchSize: 100 } },
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

test('several paths of an item, and the same path of several items', async () => {
	const { items } = await patch({
		items: [
			{ a: '/licenses/101', b: '/licenses/102' },
			{ a: '/licenses/102', b: '/licenses/101' },
		],
		parameters: {
			path: { entries: [{ path: '={{ $json.a }}' }, { path: '={{ $json.b }}' }] },
			value: { entries: [{ userID: 1 }, { userID: 2 }] },
		},
	});
	expect(items.map(({ json, pairedItem }) => [json.path, pairedItem])).toEqual([
		['/licenses/101', { item: 0 }],
		['/licenses/102', { item: 0 }],
		['/licenses/102', { item: 1 }],
		['/licenses/101', { item: 1 }],
	]);
	expect(sandbox.records.get('license', 101)!.data.userIDs).toEqual([1, 2]);
});

test('a refused path is an error of its item, and under Stop all of them are named', async () => {
	const given = [...licenses(2), { path: '/licenses/9', user: 1 }];
	const stopped = await patch({ items: [...given, { path: '/licenses/8', user: 1 }] });
	const refused = ['/licenses/9', '/licenses/8'].map(
		(path) => `The service refused the path "${path}" with status 404`,
	);
	expect(stopped.error?.message).toBe(`${refused[0]} [row 3 (item 2)]`);
	expect(stopped.error?.description).toContain(`${refused.join('\n')}\nNothing was changed on`);
	const { items, errorItems } = await patch({
		items: given,
		nodeSettings: { onError: 'continueErrorOutput' },
	});
	expect(items).toHaveLength(2);
	expect(errorItems).toMatchObject([
		{ json: { error: { outcome: 'refused', httpStatus: 404 } }, pairedItem: { item: 2 } },
	]);
});

test('items of another ETag travel in another request', async () => {
	await patch({
		items: [...licenses(4).map((item, n) => ({ ...item, tag: n < 3 ? 'v1' : 'v2' }))],
		parameters: { options: { etag: '={{ $json.tag }}' } },
	});
	expect(patches().map(({ headers }) => headers.etag)).toEqual(['v1', 'v2']);
});

test.each(['102', ' 102 ', 102])(
	'the ID %j where a path belongs is refused before anything is sent, and the path is offered',
	async (path) => {
		const { error } = await patch({ items: [{ path, user: 7 }] });
		expect(error?.message).toMatch(
			/^'Licenses to Patch 1 › Path' is .*, but must be a path such as \/licenses\/101: write \/licenses\/ before /,
		);
		expect(exchanges).toEqual([]);
	},
);
