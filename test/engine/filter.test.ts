// Conditions chosen on the form become the list's filter; raw text is sent instead of them.
import { AgencyVendors } from '../../nodes/AgencyVendors/AgencyVendors.node';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { startSandbox, type Exchange, type Sandbox } from '../../sandbox/server.mts';
import { filterText } from '../../engine/form/filter';
import { runNode, storeWith } from '../harness/run';

let sandbox: Sandbox;
let exchanges: Exchange[] = [];
beforeAll(async () => {
	sandbox = await startSandbox({ onExchange: (exchange) => exchanges.push(exchange) });
});
beforeEach(() => (exchanges = []));
afterAll(() => sandbox.close());

const list = (filters: object) =>
	runNode({
		node: new AgencyVendors(),
		parameters: { returnAll: true, filters: { ...filters } },
		credentials: storeWith(sandboxCredential(sandbox.url)),
	});
const sent = () =>
	exchanges
		.filter(({ operation }) => operation === 'listVendors')
		.map(({ url }) => new URL(url, 'http://x').searchParams.get('filter'));
const conditions = (...entries: object[]) => ({ conditions: { entries } });
const fuel = { field: 'category', operator: 'eq', value: 'Fuel' };

test('conditions are joined, and the service reads them', async () => {
	const { json } = await list(conditions(fuel, { field: 'state', operator: 'ne', value: 'CA' }));
	expect(sent()[0]).toBe('category eq "Fuel" and state ne "CA"');
	const expected = sandbox.store
		.list('vendor')
		.rows.filter(({ data }) => data.category === 'Fuel' && data.state !== 'CA');
	expect(json.map(({ departmentBusinessID }) => departmentBusinessID)).toEqual(
		expected.map(({ id }) => id),
	);
});

test('quotes and backslashes of a value stay inside it', async () => {
	const { id } = sandbox.store.list('vendor').rows[3]!;
	const name = 'The "Hose\\Nozzle" Co.';
	sandbox.store.update('vendor', id, { ...sandbox.store.get('vendor', id)!.data, name });
	const { json } = await list(conditions({ field: 'name', operator: 'eq', value: name }));
	expect(json.map(({ departmentBusinessID }) => departmentBusinessID)).toEqual([id]);
	expect(filterText([{ field: 'name', operator: 'eq', value: 'a" or "b' }])).toBe(
		'name eq "a\\" or \\"b"',
	);
});

test('raw text is sent as it is; beside conditions it is refused', async () => {
	await list({ filter: 'zip lt 20000' });
	await list({ ...conditions(fuel), filter: '' });
	expect(sent()).toEqual(['zip lt 20000', 'category eq "Fuel"']);
	exchanges = [];
	const { error } = await list({ ...conditions(fuel), filter: '={{ "zip lt 20000" }}' });
	expect(error?.message).toMatch(
		/^'Filter \(Raw Text\)' is given beside 'Filter Conditions', but only one of the two/,
	);
	expect(exchanges).toEqual([]);
});

test.each(['={{ undefined }}', '={{ null }}', '={{ "" }}'])(
	'a condition whose value is %s is refused',
	async (value) => {
		const { error } = await list(conditions({ ...fuel, value }));
		expect(error?.message).toMatch(/^'Filter Conditions 1 › Value' is required and not filled in/);
		expect(exchanges).toEqual([]);
	},
);

test('a column that the list does not have is named', async () => {
	const { error } = await list(conditions({ ...fuel, field: '={{ "color" }}' }));
	expect(error?.message).toMatch(/'Filter Conditions 1 › Field' is "color", but must be one of/);
	expect(exchanges).toEqual([]);
});

test('without conditions no filter is sent', async () => {
	await list(conditions());
	expect(sent()[0]).toBeNull();
});
