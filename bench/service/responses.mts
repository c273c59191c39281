// The service's responses. They are always the same, and long ones are prepared in advance, so that the bench does not
// measure the service.
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';

/** The number of vendors in the list. */
export const totalVendors = 100_000;

/** All columns of the list, with their documented types. */
const vendor = (rowNum: number) => ({
	rowNum,
	departmentBusinessID: rowNum,
	category: 'Supplies',
	name: `Vendor ${rowNum}`,
	businessType: 'Retail',
	address1: `${rowNum} Main Street`,
	address2: '',
	city: 'Springfield',
	state: 'CA',
	zip: 90001,
	contactName: 'Alex Moreno',
	phone: '555-0100',
	fax: '',
	email: 'sales@vendor.example',
	url: '',
	notes: '',
	archive: 'false',
	rowVersion: 'AAAAAAAACX8=',
});

let rows: string[] | undefined;

function page(url: URL): string {
	rows ??= Array.from({ length: totalVendors }, (_, n) => JSON.stringify(vendor(n + 1)));
	const offset = Number(url.searchParams.get('offset') ?? 0);
	const limit = Number(url.searchParams.get('limit') ?? 100);
	return `{"totalRows":${totalVendors},"vendors":[${rows.slice(offset, offset + limit).join(',')}]}`;
}

let lastId = 100;

/** @returns the status and the body, once the whole request has arrived */
export async function respondTo(request: IncomingMessage): Promise<[number, string]> {
	const url = new URL(request.url!, 'http://service');
	if (url.pathname === '/agencyfiles/files') {
		await finished(request.resume());
		return [201, JSON.stringify({ fileID: ++lastId, fileGUID: 'x' })];
	}
	const body = await text(request);
	if (url.pathname.endsWith('Token.php')) return [200, '{"access_token":"t","expires_in":3600}'];
	if (request.method === 'GET') return [200, page(url)];
	if (request.method === 'PATCH') {
		const patches = JSON.parse(body) as Array<{ path: Array<{ path: string }> }>;
		const ok = patches.flatMap(({ path }) => path.map((entry) => ({ ...entry, status: 200 })));
		return [200, JSON.stringify({ ok })];
	}
	return [201, `{"shiftScheduleID":${++lastId}}`];
}
