// Lists of services whose `offset` counts the first row as 1, and what a process remembers of that.
import { AgencyVendors } from '../../../../nodes/AgencyVendors/AgencyVendors.node';
import { runNode } from '../../../harness/run.cts';
import { useSandbox, withPageSize } from '../../../harness/useSandbox.cts';

const sandbox = useSandbox({ each: 'test' });

const pages = () =>
	sandbox.exchanges
		.filter(({ operation }) => operation === 'listVendors')
		.map(({ url }) => new URL(url, 'http://x').searchParams)
		.map((query) => [Number(query.get('offset') ?? 0), Number(query.get('limit'))]);

async function read(parameters: object) {
	sandbox.exchanges.length = 0;
	const { json, error, hints } = await runNode({
		node: new AgencyVendors(),
		parameters: { returnAll: true, ...parameters },
		credentials: sandbox.credentials(withPageSize(40)),
	});
	expect(error).toBeUndefined();
	return [json.map(({ departmentBusinessID }) => departmentBusinessID), hints];
}

test.each([
	['fromZero', 0, []],
	['fromOne', 1, [expect.stringMatching(/Nothing shows that the service skipped/)]],
] as const)('%s', async (offset, base, hints) => {
	sandbox.dialects.offset = offset;
	const ids = sandbox.records.list('vendor').rows.map(({ id }) => id);
	const middle = { returnAll: false, limit: 50, options: { offset: 30 } };
	expect(await read(middle)).toEqual([ids.slice(30 - base, 80 - base), hints]);
	expect(await read({})).toEqual([ids, []]);
	// Another run of the same process, with the same account.
	expect(await read(middle)).toEqual([ids.slice(30, 80), []]);
	expect(pages()).toEqual([
		[30 + base, 40],
		[70 + base, 10],
	]);
});
