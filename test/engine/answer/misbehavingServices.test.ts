// Services that misbehave: a clear error for the item, no crash, no secret in anything n8n saves.
import type { ServerResponse } from 'node:http';

import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../../nodes/AgencyVendors/AgencyVendors.node';
import { runNode, type RunOptions } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';

const secrets = [
	'sandbox-subscription-key',
	'station-app-secret',
	'chief-password',
	'fake-access-token',
];

async function against(
	answer: (response: ServerResponse) => void,
	options: Pick<RunOptions, 'node' | 'parameters'>,
) {
	const service = await startFakeService((_request, response) => answer(response));
	const credentials = () => credentialsFor(service.url);
	const stopped = await runNode({ ...options, credentials: credentials() });
	const continued = await runNode({
		...options,
		credentials: credentials(),
		nodeSettings: { onError: 'continueRegularOutput' },
	});
	await service.close();
	for (const secret of secrets) {
		expect(stopped.saved).not.toContain(secret);
		expect(continued.saved).not.toContain(secret);
	}
	expect(continued.items).toHaveLength(1);
	expect(continued.items[0]).toMatchObject({ pairedItem: { item: 0 } });
	const { message, error } = continued.json[0] as { message: string; error: { outcome: string } };
	expect(stopped.error?.message).toBe(message);
	return { message, outcome: error.outcome, asked: service.paths };
}

const create = {
	node: new AgencyShiftSchedules(),
	parameters: { fields: { name: 'A' } },
};
const list = { node: new AgencyVendors(), parameters: { returnAll: true } };
const send = (status: number, body: string) => (response: ServerResponse) => {
	response.statusCode = status;
	response.end(body);
};
const webPage = '<!DOCTYPE html><html><body>chief-password</body></html>';

test.each([
	['a web page', send(200, webPage), 'unknown', /web page instead of data/],
	['no ID', send(201, '{"ok":true}'), 'done', /expected 'shiftScheduleID'/],
	['broken JSON', send(201, '{"shiftScheduleID": 1'), 'done', /expected a JSON object/],
	['nothing', send(201, ''), 'done', /is empty/],
	['a list', send(201, '[1]'), 'done', /expected a JSON object/],
	['a text', send(201, '"text"'), 'done', /expected a JSON object/],
	['a number', send(201, '42'), 'done', /expected a JSON object/],
	['an error page', send(502, webPage), 'unknown', /status 502/],
	[
		'the secrets it was sent',
		(response: ServerResponse) => {
			const { authorization } = response.req.headers;
			send(500, [...secrets.slice(0, -1), authorization].join(' '))(response);
		},
		'unknown',
		/: \*\*\* \*\*\* \*\*\* \*\*\* \[/,
	],
	[
		'a broken connection',
		(response: ServerResponse) => void response.socket?.resetAndDestroy(),
		'unknown',
		/No answer from http.*the connection broke/,
	],
	[
		'half an answer',
		(response: ServerResponse) => {
			response.writeHead(201, { 'content-length': '100' });
			response.write('{"shiftSche');
			setImmediate(() => response.socket?.resetAndDestroy());
		},
		'done',
		/status 201, but the answer broke off/,
	],
])('after a create, %s', async (_, answer, outcome, message) => {
	const result = await against(answer, create);
	expect(result).toMatchObject({ outcome, message: expect.stringMatching(message) });
	// A create is never sent again by itself: each of the two runs sent it once.
	expect(result.asked.filter((path) => path.includes('shiftschedules'))).toHaveLength(2);
});

test('a web page after an archive is no success', async () => {
	const archive = {
		node: new AgencyInspections(),
		parameters: { inspectionID: 101, answerID: 101 },
	};
	expect((await against(send(200, webPage), archive)).outcome).toBe('unknown');
});

test.each([
	['a list of something else', { totalRows: 3, vendors: [1, null] }, /'vendors'/],
	['a count that is no number', { totalRows: 'three', vendors: [] }, /'totalRows'/],
	['a count below nothing', { totalRows: -1, vendors: [] }, /'totalRows'/],
	['a count beyond all memory', { totalRows: 1e12, vendors: [{ rowNum: 1 }] }, /more than one run/],
	['a list that ends early', { totalRows: 3, vendors: [] }, /incomplete.*3 rows/],
	['an array of something else', [1], /JSON object/],
])('a list answer with %s', async (_, body, message) => {
	const result = await against(send(200, JSON.stringify(body)), list);
	expect(result).toMatchObject({ outcome: 'refused', message: expect.stringMatching(message) });
	expect(result.asked.filter((path) => path.includes('vendors'))).toHaveLength(2);
});

/** A list of vendors, a page at a time, as a service gives it. */
const pages = (page: (offset: number, limit: number) => object) => (response: ServerResponse) => {
	const { searchParams } = new URL(response.req.url!, 'http://x');
	const offset = Number(searchParams.get('offset') ?? 0);
	const body = page(offset, Number(searchParams.get('limit')));
	send(200, JSON.stringify(body))(response);
};
const rows = (from: number, count: number) =>
	Array.from({ length: Math.max(0, count) }, (_, n) => ({
		rowNum: from + n + 1,
		name: `${from + n}`,
	}));

test.each([
	[
		'the same page again and again',
		pages((_offset, limit) => ({ totalRows: 1000, vendors: rows(0, limit) })),
		/same page twice, at row 100/,
	],
	[
		'no end of pages',
		pages((offset, limit) => ({ totalRows: offset + limit + 1, vendors: rows(offset, limit) })),
		/does not end/,
	],
	[
		'pages that stop coming',
		pages((offset, limit) => ({
			totalRows: 1000,
			vendors: offset < 500 ? rows(offset, limit) : [],
		})),
		/incomplete.*1000 rows, but sent none after row 500/,
	],
])('a service that sends %s', async (_, answer, message) => {
	const result = await against(answer, list);
	expect(result).toMatchObject({ outcome: 'refused', message: expect.stringMatching(message) });
	expect(result.asked.length).toBeLessThan(50);
});

describe('rows that move while the list is read', () => {
	const moved = /list changed while it was read/;
	const read = async (page: (offset: number, limit: number) => object) => {
		const service = await startFakeService((_request, response) => pages(page)(response));
		const credentials = credentialsFor(service.url);
		const result = await runNode({ ...list, credentials });
		await service.close();
		expect(result.error).toBeUndefined();
		return result;
	};

	test.each([
		['rows were added', (offset: number) => ({ totalRows: offset < 200 ? 300 : 301, shift: 0 })],
		['rows were removed', (offset: number) => ({ totalRows: offset < 200 ? 300 : 260, shift: 0 })],
		[
			'rows were removed before the page',
			(offset: number) => ({ totalRows: 300, shift: offset && 1 }),
		],
		['rows came in before the page', (offset: number) => ({ totalRows: 300, shift: offset && -1 })],
	])('%s', async (_, state) => {
		const { hints } = await read((offset, limit) => {
			const { totalRows, shift } = state(offset);
			const sent = rows(offset + shift, Math.min(limit, totalRows - offset));
			// No number comes twice: a row that was on the page before has the number of its new place.
			const numbered = sent.map((row, n) => ({
				...row,
				rowNum: Math.max(row.rowNum, offset + n + 1),
			}));
			return { totalRows, vendors: numbered };
		});
		expect(hints).toEqual([expect.stringMatching(moved)]);
	});

	test.each([
		['counted through', (offset: number) => offset],
		['counted on each page anew', () => 0],
	])('a list that stays as it is gives no hint: rows are %s', async (_, first) => {
		const { hints, json } = await read((offset, limit) => ({
			totalRows: 250,
			vendors: rows(first(offset), Math.min(limit, 250 - offset)).map((row, n) => ({
				...row,
				name: `${offset + n}`,
			})),
		}));
		expect(hints).toEqual([]);
		expect(json.map(({ name }) => name)).toEqual(rows(0, 250).map(({ name }) => name));
	});
});
