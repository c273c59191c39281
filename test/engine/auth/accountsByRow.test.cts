// A credential with expressions: n8n evaluates them with the values of the item that the credential is read for. A run
// sends all items with one account, or nothing if they belong to several.
import { useDefaultExpressions, useProductionExpressions } from '../../../n8n-in-process/n8n.mts';
import { createSchedules } from '../../harness/createSchedules.cts';
import { continueOnFail } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();
beforeAll(useProductionExpressions);
afterAll(useDefaultExpressions);

const rowsWith = (values: readonly unknown[]) =>
	values.map((value, n) => ({ name: `row ${n}`, value: value as string }));

const hundred = Array.from({ length: 100 }, (_, n) => (n === 61 ? 'B' : 'A'));

/** Neither a missing item nor the last one reveals it. */
const spared = '={{ $input.item?.json?.value === "B" ? "other" : "chief" }}';

test.each([
	['Username', 2, { username: '={{ $json.value }}' }, ['chief', 'other']],
	['Username', 62, { username: '={{ $json.value === "B" ? "other" : "chief" }}' }, hundred],
	['Base URL', 3, { baseUrl: '=https://{{ $json.value }}.example.org' }, ['a', 'a', 'b', 'a']],
	['Subscription Key', 2, { apiKey: '={{ $json.value.trim() }}' }, ['key1', undefined]],
	['Password', 2, { password: '={{ $("Start").item.json.value }}' }, ['key1', 'key2']],
	['Username', 2, { username: spared }, ['A', 'B', 'A']],
	['Client Secret', 2, { clientSecret: '={{ $input.item.json.value ?? 1 }}' }, ['key1', undefined]],
])('an expression in %s that differs in row %i is refused', async (label, row, changes, values) => {
	const items = rowsWith(values);
	const said = `'${label}' in the credential is an expression with different values for row 1 and row ${row}`;
	const { error } = await createSchedules(sandbox.credentials(changes), { items });
	expect(error?.message).toBe(`${said} [rows 1–${items.length} (items 0–${items.length - 1})]`);
	expect(error?.description).toMatch(
		/^Nothing was sent, since a run uses one account for all rows/,
	);
	const { json } = await createSchedules(sandbox.credentials(changes), {
		items: [...items, {}],
		nodeSettings: continueOnFail,
	});
	expect(json.map(({ message }) => String(message as string).split(' [')[0]).slice(0, -1)).toEqual(
		items.map(() => said),
	);
	expect(sandbox.exchanges).toEqual([]);
});

test.each([
	[1, {}, 1],
	[5, {}, 6],
	[40, {}, 11],
	[40, { username: '={{ "chief" }}' }, 11],
	[40, { username: '={{ $json.value }}' }, 41],
])('%i rows, credential with %j: all are sent after %i readings', async (count, changes, times) => {
	const store = sandbox.credentials(changes);
	const { username } = sandbox.credentials().read('account');
	const items = rowsWith(Array.from({ length: count }, () => username));
	await createSchedules(store, { items: items.slice(0, 1) });
	const reads = jest.spyOn(store, 'read');
	const { json } = await createSchedules(store, { items });
	expect(json).toHaveLength(count);
	expect(reads).toHaveBeenCalledTimes(times);
});

test.each([
	['={{ $json.value }}', [113], 114],
	[spared, [299], 300],
	[spared, [160, 161, 162, 163, 164, 165, 166, 167], 167],
])('among 300 rows, %s: a row of another account is found', async (username, others, row) => {
	const values = Array.from({ length: 300 }, (_, n) => (others.includes(n) ? 'B' : 'A'));
	const store = sandbox.credentials({ username });
	const { error } = await createSchedules(store, { items: rowsWith(values) });
	expect(error?.message).toContain(`row 1 and row ${row}`);
	expect(sandbox.exchanges).toEqual([]);
});

test('with Execute Once, only the first row is sent, with its account', async () => {
	const store = sandbox.credentials({ username: '={{ $json.value }}' });
	const { username } = sandbox.credentials().read('account');
	const { json } = await createSchedules(store, {
		items: rowsWith([username, 'other']),
		nodeSettings: { executeOnce: true },
	});
	expect(json).toHaveLength(1);
});
