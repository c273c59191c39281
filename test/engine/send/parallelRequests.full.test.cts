// The number of requests in progress, as seen by the service.
import type { INodeParameters } from 'n8n-workflow';

import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import { readShifts } from '../../harness/readShifts.cts';
import { runNode } from '../../harness/run.cts';
import { startFakeService, type FakeService } from '../../harness/server.cts';
import { withPageSize, credentialsFor } from '../../harness/useSandbox.cts';

/** A page of a list of 50 vendors, as long as the page size below. */
const pageFrom = (offset: number) => {
	const vendors = Array.from({ length: 10 }, (_, n) => ({
		rowNum: offset + n + 1,
		departmentBusinessID: 101 + offset + n,
	}));
	return JSON.stringify({ totalRows: 50, vendors });
};
const allRows = Array.from({ length: 50 }, (_, n) => n + 1);
const readLists = (fake: FakeService, lists: number, options: INodeParameters = {}) =>
	runNode({
		node: new AgencyVendors(),
		parameters: {
			returnAll: true,
			output: 'raw',
			// Tells the service which list a page is for.
			filters: { rowVersion: '={{ $json.list }}' },
			options: { ...options },
		},
		items: Array.from({ length: lists }, (_, n) => ({ list: `list ${n}` })),
		credentials: credentialsFor(fake.url, withPageSize(10)),
	});

test.each([
	[1, 4, 4],
	[4, 8, 2],
	[3, 8, 2],
	[4, 4, 1],
	[8, 4, 1],
])('%d lists share %d parallel requests: %d pages each', async (lists, parallelRequests, share) => {
	const open: Array<{ list: string; respond: () => void }> = [];
	const most: Record<string, number> = {};
	const service = await startFakeService((request, response) => {
		const { searchParams } = new URL(request.url!, 'http://x');
		const offset = Number(searchParams.get('offset') ?? 0);
		const list = searchParams.get('rowVersion')!;
		open.push({ list, respond: () => response.end(pageFrom(offset)) });
		const ofThisList = open.filter((page) => page.list === list).length;
		most[list] = Math.max(most[list] ?? 0, ofThisList);
		// The number of pages is known after the first.
		const eachAsks = offset === 0 ? 1 : share;
		const isFull = open.length === Math.min(lists * eachAsks, parallelRequests);
		if (isFull) for (const { respond } of open.splice(0).reverse()) respond();
	});
	const { json, error } = await readLists(service, lists, { parallelRequests });
	expect(error).toBeUndefined();
	expect(most).toEqual(
		Object.fromEntries(Array.from({ length: lists }, (_, n) => [`list ${n}`, share])),
	);
	expect(json.map(({ rowNum }) => rowNum)).toEqual(
		Array.from({ length: lists }, () => allRows).flat(),
	);
});

test('while thousands of items are read, other work in the same n8n gets its turn', async () => {
	let turns = 0;
	const others = setInterval(() => turns++, 1);
	const options = { timeout: '={{ $itemIndex === 3999 ? 0 : 300 }}' };
	const { error } = await readShifts(credentialsFor('http://127.0.0.1:9'), 4000, { options });
	clearInterval(others);
	expect(error?.message).toMatch(/'Timeout \(Seconds\)' is 0/);
	expect(turns).toBeGreaterThan(1);
});
