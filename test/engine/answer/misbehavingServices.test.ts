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

type Operation = Pick<RunOptions, 'node' | 'parameters'>;
type Answer = (response: ServerResponse) => void;

const create: Operation = {
	node: new AgencyShiftSchedules(),
	parameters: { fields: { name: 'A' } },
};
const archive: Operation = {
	node: new AgencyInspections(),
	parameters: { inspectionID: 101, answerID: 101 },
};
const list: Operation = { node: new AgencyVendors(), parameters: { returnAll: true } };

const send =
	(status: number, body: unknown): Answer =>
	(response) => {
		response.statusCode = status;
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	};
const webPage = '<!DOCTYPE html><html><body>chief-password</body></html>';
const repeatsSecrets: Answer = (response) => {
	const { authorization } = response.req.headers;
	send(500, [...secrets.slice(0, -1), authorization].join(' '))(response);
};
const breaksOffAfter =
	(text: string): Answer =>
	(response) => {
		response.writeHead(201, { 'content-length': '100' });
		response.write(text);
		setImmediate(() => response.socket?.resetAndDestroy());
	};
const breaksOff = breaksOffAfter('{"shiftSche');
const breaksOffLate = breaksOffAfter('{"shiftScheduleID":7}');
const resets: Answer = (response) => void response.socket?.resetAndDestroy();
const countsMoreRows: Answer = (response) => {
	const { searchParams } = new URL(response.req.url!, 'http://x');
	const offset = Number(searchParams.get('offset') ?? 0);
	const vendors = Array.from({ length: 100 }, (_, n) => ({ name: `${offset + n}` }));
	send(200, { totalRows: offset + 101, vendors })(response);
};

test.each<[string, Operation, Answer, string, RegExp, number?]>([
	['a web page', create, send(200, webPage), 'unknown', /web page instead of data/],
	['a web page', archive, send(200, webPage), 'unknown', /web page instead of data/],
	['no ID', create, send(201, { ok: true }), 'done', /expected 'shiftScheduleID'/],
	['broken JSON', create, send(201, '{"shiftScheduleID": 1'), 'done', /expected a JSON object/],
	['nothing', create, send(201, ''), 'done', /is empty/],
	['a list', create, send(201, [1]), 'done', /expected a JSON object/],
	['a text', create, send(201, '"text"'), 'done', /expected a JSON object/],
	['a number', create, send(201, 42), 'done', /expected a JSON object/],
	['an error page', create, send(502, webPage), 'unknown', /status 502/],
	['its secrets', create, repeatsSecrets, 'unknown', /: \*\*\* \*\*\* \*\*\* \*\*\*\)$/],
	['a broken connection', create, resets, 'unknown', /No answer from http.*the connection broke/],
	['half an answer', create, breaksOff, 'done', /status 201, but the answer broke off/],
	['whole JSON, then half', create, breaksOffLate, 'done', /201, but the answer broke off/],
	['other rows', list, send(200, { totalRows: 3, vendors: [1, null] }), 'refused', /'vendors'/],
	['no count', list, send(200, { totalRows: 'three', vendors: [] }), 'refused', /'totalRows'/],
	['a count below 0', list, send(200, { totalRows: -1, vendors: [] }), 'refused', /'totalRows'/],
	[
		'a count beyond all memory',
		list,
		send(200, { totalRows: 1e12, vendors: [{ rowNum: 1 }] }),
		'refused',
		/more than one run/,
	],
	['too few rows', list, send(200, { totalRows: 3, vendors: [] }), 'refused', /incomplete.*3 rows/],
	['an array of something else', list, send(200, [1]), 'refused', /JSON object/],
	['no end of pages', list, countsMoreRows, 'refused', /does not end/, 25],
])('%s', async (_, operation, answer, outcome, message, mostRequests = 1) => {
	const service = await startFakeService((_request, response) => answer(response));
	const run = (nodeSettings: RunOptions['nodeSettings']) =>
		runNode({ ...operation, credentials: credentialsFor(service.url), nodeSettings });
	const stopped = await run({});
	const continued = await run({ onError: 'continueRegularOutput' });
	await service.close();
	for (const secret of secrets) {
		expect(stopped.saved).not.toContain(secret);
		expect(continued.saved).not.toContain(secret);
	}
	const json = { message: expect.stringMatching(message), error: { outcome } };
	expect(continued.items).toMatchObject([{ json, pairedItem: { item: 0 } }]);
	expect(stopped.error?.message).toBe(continued.json[0]!.message);
	// A create is never sent again by itself: each of the two runs sent it once.
	const requests = service.paths.filter((path) => !path.includes('Token'));
	expect(requests.length).toBeLessThanOrEqual(2 * mostRequests);
});
