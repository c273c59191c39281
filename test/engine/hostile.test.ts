// Services that misbehave: a clear error for the item, no crash, no secret in anything n8n saves.
import type { ServerResponse } from 'node:http';

import { AgencyInspections } from '../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../nodes/AgencyVendors/AgencyVendors.node';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { runNode, storeWith, type RunOptions } from '../harness/run';
import { startFakeService } from '../harness/server';

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
	const credentials = () => storeWith(sandboxCredential(service.url, { grantType: 'password' }));
	const stopped = await runNode({ ...options, credentials: credentials() });
	const continued = await runNode({
		...options,
		credentials: credentials(),
		node$: { onError: 'continueRegularOutput' },
	});
	await service.close();
	for (const secret of secrets) {
		expect(stopped.saved).not.toContain(secret);
		expect(continued.saved).not.toContain(secret);
	}
	expect(continued.items).toHaveLength(1);
	expect(continued.items[0]).toMatchObject({ pairedItem: { item: 0 } });
	const { error, details } = continued.json[0] as { error: string; details: { outcome: string } };
	expect(stopped.error?.message).toBe(error);
	return { message: error, outcome: details.outcome, asked: service.paths };
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
		'a redirect to another host',
		(response: ServerResponse) => {
			response.writeHead(302, { location: 'http://127.0.0.1:9/steal' });
			response.end();
		},
		'refused',
		/redirect/,
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
		'unknown',
		/No answer from http.*the connection broke/,
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
	['no list', { totalRows: 3 }, /'vendors'/],
	['no count', { vendors: [] }, /'totalRows'/],
	['a count that is text', { totalRows: '3', vendors: [] }, /'totalRows'/],
	['a list that ends early', { totalRows: 3, vendors: [] }, /incomplete.*3 rows/],
	['an array', [], /JSON object/],
])('a list answer with %s', async (_, body, message) => {
	const result = await against(send(200, JSON.stringify(body)), list);
	expect(result).toMatchObject({ outcome: 'refused', message: expect.stringMatching(message) });
});
