// Lists through n8n-core, over sockets: from services that page, number and count in other ways than expected,
// and from a list that does not stand still.
import type { ServerResponse } from 'node:http';

import { AgencyNemsis3 } from '../../../../nodes/AgencyNemsis3/AgencyNemsis3.node';
import { AgencyVendors } from '../../../../nodes/AgencyVendors/AgencyVendors.node';
import { runNode } from '../../../harness/run';
import { startFakeService } from '../../../harness/server';
import { credentialsFor } from '../../../harness/useSandbox';

type Page = (offset: number, limit: number) => object;

/** Reads a whole list, in pages of ten. */
async function read(page: Page, node = new AgencyVendors()) {
	const offsets: number[] = [];
	const service = await startFakeService((request, response) => {
		const { searchParams } = new URL(request.url!, 'http://x');
		const offset = Number(searchParams.get('offset') ?? 0);
		offsets.push(offset);
		const body = page(offset, Number(searchParams.get('limit')));
		response.end(JSON.stringify(body));
	});
	const result = await runNode({
		node,
		parameters: { returnAll: true },
		credentials: credentialsFor(service.url, { setConventions: true, pageSize: 10 }),
	});
	await service.close();
	return { ...result, offsets };
}

const ids = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
const vendorsOf = (numbers: number[]) =>
	numbers.map((id, n) => ({ rowNum: n + 1, departmentBusinessID: id, name: `Vendor ${id}` }));
const idsOf = (json: object[]) =>
	json.map((row) => (row as { departmentBusinessID: number }).departmentBusinessID);

test('a service that knows no offset is found out, whatever time each answer carries', async () => {
	let time = 0;
	const { error, offsets } = await read(() => ({
		time: ++time,
		totalRows: 300,
		vendors: vendorsOf(ids(0, 10)),
	}));
	expect(error?.message).toMatch(/same page twice, at row 10: it does not read 'limit'/);
	expect(error?.description).toMatch(/Agency Records Check.*'Page Size'/);
	expect(offsets).toContain(10);
});

test('rows that came in at the top while others went: the rows that came twice are said', async () => {
	const before = ids(0, 40);
	const after = [99, ...ids(0, 39)];
	const { json, hints } = await read((offset, limit) => ({
		totalRows: 40,
		vendors: vendorsOf((offset < 20 ? before : after).slice(offset, offset + limit)),
	}));
	expect(idsOf(json)).toEqual([...ids(0, 20), ...ids(19, 39)]);
	expect(hints).toEqual([expect.stringMatching(/list changed while it was read/)]);
});

test('a service that counts the page instead of the list is read to its end', async () => {
	const { json, hints, offsets } = await read((offset, limit) => {
		const vendors = vendorsOf(ids(offset, Math.min(34, offset + limit)));
		return { totalRows: vendors.length, vendors };
	});
	expect(idsOf(json)).toEqual(ids(0, 34));
	expect(offsets).toEqual([0, 10, 20, 30, 34]);
	expect(hints).toEqual([expect.stringMatching(/more rows than its 'totalRows' says/)]);
});

test('equal device codes are all there', async () => {
	const codes = [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 9];
	const { json, hints, error } = await read(
		(offset, limit) => ({
			totalRows: codes.length,
			ddevice: codes
				.map((Code, n) => ({ rowNum: n + 1, Element: 'dDevice.02', Code, Description: 'Pads' }))
				.slice(offset, offset + limit),
		}),
		new AgencyNemsis3(),
	);
	expect(error).toBeUndefined();
	expect(json.map(({ Code }) => Code)).toEqual(codes);
	expect(hints).toEqual([expect.stringMatching(/or holds equal rows/)]);
});

test.each(['stopWorkflow', 'continueRegularOutput'])(
	'a page that is refused ends the others, which would never come (On Error: %s)',
	async (onError) => {
		const held: ServerResponse[] = [];
		const service = await startFakeService((request, response) => {
			const offset = Number(new URL(request.url!, 'http://x').searchParams.get('offset') ?? 0);
			if (offset === 0) {
				response.end(JSON.stringify({ totalRows: 400, vendors: vendorsOf(ids(0, 10)) }));
				return;
			}
			held.push(response);
			if (held.length < 4) return;
			// All that are under way at first; the third is refused.
			const [, , third] = held;
			third!.statusCode = 403;
			third!.end(JSON.stringify({ errors: { permissionErrors: ['Not these rows'] } }));
		});
		const { error, json } = await runNode({
			node: new AgencyVendors(),
			parameters: { returnAll: true },
			credentials: credentialsFor(service.url, { setConventions: true, pageSize: 10 }),
			nodeSettings: { onError: onError as 'stopWorkflow' },
		});
		await service.close();
		expect(error?.message ?? json[0]?.message).toMatch(/not permitted.*Not these rows/);
	},
);
