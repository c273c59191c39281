// How people can see a service's page limits and find the right 'Page Size', as docs/settings.md describes.
import { AgencyRecordsRequest } from '../../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyVendors } from '../../../../nodes/AgencyVendors/AgencyVendors.node';
import type { Dialects } from '../../../../sandbox/dialects.mts';
import { runNode } from '../../../harness/run.cts';
import { useSandbox, withPageSize } from '../../../harness/useSandbox.cts';

const sandbox = useSandbox();

/** The number of rows of the whole list, or the error. */
async function vendorsRead(pageSize: number) {
	const credentials = sandbox.credentials(withPageSize(pageSize));
	const node = new AgencyVendors();
	const { json, error } = await runNode({ node, parameters: { returnAll: true }, credentials });
	return error ? error.message : json.length;
}

/** The output of 'Get' for one large page. */
async function largePage() {
	const path = '/agencyvendors/vendors?limit=1000';
	const node = new AgencyRecordsRequest();
	const parameters = { operation: 'get', path };
	const { json, error } = await sandbox.run({ node, parameters });
	if (error) return error.message;
	const { vendors, totalRows } = json[0] as { vendors: object[]; totalRows?: number };
	return { rows: vendors.length, totalRows };
}

/** The number of vendors in the sandbox. */
const all = 418;

test.each<[string, Partial<Dialects>, object | RegExp, object]>([
	['counts the list', { largestPage: 'cutAt50' }, { rows: 50, totalRows: all }, { 100: all }],
	[
		'has no count',
		{ largestPage: 'cutAt50', totalRows: 'missing' },
		{ rows: 50 },
		{ 50: all, 100: all },
	],
	[
		'counts the rows of the page',
		{ largestPage: 'cutAt50', totalRows: 'page' },
		{ rows: 50, totalRows: 50 },
		// Without a hint, as docs/lists.md says.
		{ 50: all, 100: 50 },
	],
	[
		'refuses large pages',
		{ largestPage: 'refusedAbove50' },
		/limit/i,
		{ 50: all, 100: expect.stringMatching(/limit/i) as string },
	],
])('a service that %s', async (_, dialects, page, readByPageSize) => {
	Object.assign(sandbox.dialects, dialects);
	if (page instanceof RegExp) expect(await largePage()).toMatch(page);
	else expect(await largePage()).toEqual(page);
	const read: Record<number, unknown> = {};
	for (const size of Object.keys(readByPageSize))
		read[Number(size)] = await vendorsRead(Number(size));
	expect(read).toEqual(readByPageSize);
});
