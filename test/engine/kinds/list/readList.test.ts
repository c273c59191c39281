// A list is read page by page: through n8n-core, over sockets, against the sandbox.
import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import { AgencyVendors } from '../../../../nodes/AgencyVendors/AgencyVendors.node';
import {
	useDefaultExpressions,
	useProductionExpressions,
} from '../../../../n8n-in-process/n8n.mts';
import { runNode } from '../../../harness/run';
import { useSandbox } from '../../../harness/useSandbox';

const sandbox = useSandbox();
beforeAll(useProductionExpressions);
afterAll(useDefaultExpressions);

const requests = () => sandbox.exchanges.filter(({ operation }) => operation === 'listVendors');
const links = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);

describe('Vendor: Get Many', () => {
	const list = (parameters: object, conventions: ICredentialDataDecryptedObject = {}) =>
		runNode({
			node: new AgencyVendors(),
			parameters: { output: 'raw', ...parameters },
			credentials: sandbox.credentials(conventions),
		});
	const numbers = (json: object[]) => json.map((row) => (row as { rowNum: number }).rowNum);
	const upTo = (count: number, from = 1) =>
		Array.from({ length: count }, (_, index) => from + index);
	const total = () => sandbox.records.list('vendor').totalRows;

	test('the service may cap a page below the page size', async () => {
		const { json } = await list({ returnAll: true }, { setConventions: true, pageSize: 250 });
		expect(numbers(json)).toEqual(upTo(total()));
		expect(requests().map(({ url }) => new URL(url, 'http://x').search)).toEqual([
			'?limit=250',
			'?limit=250&offset=200',
			'?limit=250&offset=400',
		]);
	});

	test.each([
		[{ limit: 7 }, 7, 1],
		[{ limit: 130 }, 130, 1],
		[{ limit: 5, options: { offset: 10 } }, 5, 11],
	])('%j gives %d rows from row %d', async (parameters, count, from) => {
		const { json } = await list(parameters);
		expect(numbers(json)).toEqual(upTo(count, from));
	});

	test('every list parameter reaches the service', async () => {
		const filters = {
			changesSince: '2020-01-01T00:00:00Z',
			filter: 'state eq "CA" and zip gt 30000',
			rowVersion: sandbox.records.get('vendor', 150)!.rowVersion,
			showArchived: 'true',
		};
		const { filter, ...others } = filters;
		const { json } = await list({ returnAll: true, filterBy: 'text', filter, filters: others });
		const expected = sandbox.records
			.list('vendor', { rowVersion: filters.rowVersion, showArchived: true })
			.rows.filter(({ data }) => data.state === 'CA' && Number(data.zip) > 30_000);
		expect(json.map(({ departmentBusinessID }) => departmentBusinessID)).toEqual(
			expected.map(({ id }) => id),
		);
		expect(json.length).toBeGreaterThan(0);
		const { searchParams } = new URL(requests()[0]!.url, 'http://x');
		expect(Object.fromEntries(searchParams)).toEqual({ ...filters, limit: '100' });
	});

	test('the list is read for every item, and every row is linked to its item', async () => {
		const { items } = await runNode({
			node: new AgencyVendors(),
			parameters: { limit: '={{ $json.n }}' },
			items: [{ n: 2 }, { n: 1 }],
			credentials: sandbox.credentials(),
		});
		expect(links(items)).toEqual([{ item: 0 }, { item: 0 }, { item: 1 }]);
	});
});
