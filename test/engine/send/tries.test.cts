// One run of a node against a service that fails for a while, or for good.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { createSchedules, namedRows } from '../../harness/createSchedules.cts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { continueOnFail, outcomesOf, runNode, type RunOptions } from '../../harness/run.cts';
import { startFakeService, type FakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

type Respond = (response: ServerResponse, count: number, request: IncomingMessage) => void;

useVirtualTime({ skipsPauses: true });
useStoreOfKeys();
let service: FakeService;
/** @param respond gets the number of the request, from 1 */
async function serve(respond: Respond, signsIn?: boolean) {
	let count = 0;
	service = await startFakeService((request, reply) => respond(reply, ++count, request), signsIn);
}

const status = (response: ServerResponse, code: number, headers: object = {}, body = '') => {
	response.writeHead(code, { ...headers });
	response.end(body);
};
const credentials = () => credentialsFor(service.url);
const asked = () => service.requests;

const create = (count: number, options: IDataObject = {}, store = credentials()) =>
	createSchedules(store, {
		options: { include: 'responseOnly', ...options },
		items: namedRows(count),
		nodeSettings: continueOnFail,
	});
/** A 404 in the service's own words. */
const notFound = '{"success":false,"errors":"There is no such answer."}';
const archive = (options: object = {}, nodeSettings: RunOptions['nodeSettings'] = {}) =>
	runNode({
		node: new AgencyInspections(),
		parameters: { inspectionID: 1, answerID: 2, options: { include: 'responseOnly', ...options } },
		credentials: credentials(),
		nodeSettings: { ...continueOnFail, ...nodeSettings },
	});

type Reply = (response: ServerResponse) => void;
const lost: Reply = (response) => void response.socket!.resetAndDestroy();
const busy: Reply = (response) => status(response, 429, { 'retry-after': '0' });
const fails: Reply = (response) => status(response, 500);
const succeeds: Reply = (response) => status(response, 201, {}, '{"shiftScheduleID": 1}');
const replies404 =
	(body: string): Reply =>
	(response) =>
		status(response, 404, {}, body);

describe('a DELETE', () => {
	const wasNotThere = { notFound: true, inspectionID: 1, answerID: 2 };
	const refused = { error: { outcome: 'refused', httpStatus: 404 } };
	const inDoubt = { error: { outcome: 'inDoubt', retryable: false } };
	const advice = 'May already have been processed: run this item again, which does no harm.';
	const lostAndBusy = {
		message: expect.stringMatching(`^${advice} \\(The service returned status 429`),
		error: { outcome: 'inDoubt', retryable: true, advice },
	};
	const noResponse = { error: { code: 'noResponse', outcome: 'inDoubt', retryable: true, advice } };
	const stillInDoubt = { error: { outcome: 'inDoubt', retryable: true, advice } };
	const gone = replies404(notFound);
	const typed = replies404('{"errors":[{"type":"NotFound","message":"There is no such answer."}]}');
	const bare = replies404('');
	const noRoute = replies404('{ "statusCode": 404, "message": "Resource not found" }');
	const page = replies404('<html><head><title>404 Not Found</title></head></html>');

	test.each<[string, object, Reply[]]>([
		['was lost, then gets 404, found no record', wasNotThere, [lost, gone]],
		['was lost, refused for a while, then gets 404, found none', wasNotThere, [lost, busy, gone]],
		['gets 404 at once, was refused', refused, [gone]],
		['gets 404 after a refusal that was none of its doing, was refused', refused, [busy, gone]],
		['was lost, then gets 404 with typed errors, found none', wasNotThere, [lost, typed]],
		['was lost, then gets 404 with nothing', stillInDoubt, [lost, bare, bare, bare]],
		["was lost, then gets 404 with an ingress's page", stillInDoubt, [lost, page, page, page]],
		["with the gateway's words", inDoubt, [lost, noRoute]],
		['was lost, then finds the service busy', lostAndBusy, [lost, busy, busy, busy]],
		['was lost each time', noResponse, [lost, lost, lost, lost]],
		['is lost, then refused', inDoubt, [lost, (response) => status(response, 400, {}, notFound)]],
	])('that %s', async (_, expected, replies) => {
		await serve((response, count) => replies[count - 1]!(response));
		const { json, hints } = await archive();
		expect(json).toMatchObject([expected]);
		expect(asked()).toHaveLength(replies.length);
		// Nothing shows whether the first try archived it, or no such answer ever existed.
		expect(JSON.stringify(json)).not.toContain('archived');
		const mayBeWrong = hints.filter((hint) => /'notFound'.*or the ID is wrong/.test(hint));
		expect(mayBeWrong).toHaveLength(expected === wasNotThere ? 1 : 0);
	});

	test('that was lost stays in doubt even if the last try was not sent', async () => {
		await serve((response) => {
			response.destroy();
			void service.close();
		});
		expect((await archive()).json).toMatchObject([{ error: { outcome: 'inDoubt' } }]);
		expect(asked()).toHaveLength(1);
	});

	test('that is in doubt is resent by the next run, and has no key', async () => {
		await serve((response, count) => (count % 2 === 1 ? lost(response) : status(response, 204)));
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect((await archive({ maxTries: 1 }, retry)).json).toEqual([{ archived: true }]);
		const withKey = { maxTries: 1, sendOnceKey: 'a' };
		expect((await archive(withKey)).json).toMatchObject([{ error: { retryable: true } }]);
		expect((await archive(withKey)).json).toEqual([{ archived: true }]);
	});
});

test("the error item has the number of tries, the service's words and advice", async () => {
	const errors = 'Too many requests';
	await serve((response) =>
		status(response, 429, { 'retry-after': '0' }, JSON.stringify({ success: false, errors })),
	);
	expect((await create(1, { maxTries: 3 })).json).toEqual([
		{
			message: 'The service returned status 429: Too many requests',
			error: {
				code: 'tooBusy',
				fault: 'passing',
				outcome: 'refused',
				retryable: true,
				advice: 'Nothing was changed: run this item again later.',
				row: 1,
				tries: 3,
				httpStatus: 429,
				serviceMessage: 'Too many requests',
			},
		},
	]);
	expect(asked()).toHaveLength(3);
});

test('a long wait of one operation does not stop the others, and names that operation', async () => {
	await serve((response, _count, { method }) => {
		if (method === 'POST') status(response, 429, { 'retry-after': '3600' });
		else status(response, 200, {}, '{"shift":{"shift":"A"}}');
	});
	const store = credentials();
	const { json } = await create(50, { parallelRequests: 1, maxWait: 60 }, store);
	expect(outcomesOf({ json })).toEqual(['refused', ...Array<string>(49).fill('notSent')]);
	expect(json[0]).toMatchObject({
		message: expect.stringContaining('status 429, and asks to wait 60 minutes') as string,
		error: { retryable: true, tries: 1 },
	});
	const read = await readShifts(store, 1, { options: { maxWait: 60 } });
	expect(read.json).toEqual([{ shift: { shift: 'A' } }]);
	const again = await create(1, { maxTries: 1 }, store);
	expect(again.json[0]!.message).toMatch(
		/status 429 to POST .*shiftschedules; the run would have to wait another 60 minutes/,
	);
	expect(asked().filter((path) => path.includes('shiftschedules'))).toHaveLength(1);
});

test.each([
	['a create that gets 429', 429, () => create(1), 201, { shiftScheduleID: 1 }],
	[
		'a read that gets 503',
		503,
		() => readShifts(credentials(), 1, { options: {} }),
		200,
		{ shift: { shift: 'A' } },
	],
])("%s with a time to wait uses up 'Max Wait', but no try", async (_, code, run, success, data) => {
	await serve((response, count) => {
		if (count <= 20) status(response, code, { 'retry-after': '1' });
		else if (count <= 23) status(response, code, { 'retry-after': '0' });
		else status(response, success, {}, JSON.stringify(data));
	});
	expect((await run()).json).toEqual([data]);
	expect(asked()).toHaveLength(24);
});

test.each([
	['a read', 503, true],
	['a sign-in', 429, false],
])('%s that asks for almost no wait is repeated twice a second', async (_, code, signsIn) => {
	await serve((response) => status(response, code, { 'retry-after': '0.001' }), signsIn);
	const more = { options: { maxWait: 4 }, nodeSettings: continueOnFail };
	const { json } = await readShifts(credentials(), 1, more);
	expect(json).toMatchObject([{ error: { retryable: true } }]);
	expect(service.paths.length).toBeGreaterThanOrEqual(8);
	expect(service.paths.length).toBeLessThanOrEqual(10);
});

test("with 'Max Wait' 0, an expired token is still renewed, and one lost request does not end the run", async () => {
	const ended = '{"success":false,"errors":"The token has expired"}';
	await serve((response, count, { headers }) => {
		const isOfFirst = headers.authorization?.endsWith('token-1');
		if (isOfFirst && count > 1) status(response, 401, {}, ended);
		else (count === 25 ? lost : succeeds)(response);
	});
	const outcomes = outcomesOf(await create(30, { maxWait: 0, maxTries: 1 }));
	expect(outcomes.filter((outcome) => outcome !== 'sent')).toEqual(['inDoubt']);
	expect(asked().length).toBeGreaterThan(35);
});

test.each([
	['does not respond', lost],
	['returns 500', fails],
])('the run goes on with a service that mostly %s, but sometimes succeeds', async (_, respond) => {
	await serve((response, count) => (count % 10 === 0 ? succeeds : respond)(response));
	await create(100, { parallelRequests: 1 });
	expect(asked()).toHaveLength(100);
});

test('rows that make the service fail keep no other row from being sent', async () => {
	await serve((response, count) => (count <= 30 ? fails : succeeds)(response));
	const outcomes = outcomesOf(await create(130));
	expect(outcomes.filter((outcome) => outcome !== 'sent')).toEqual(Array(30).fill('inDoubt'));
	expect(asked()).toHaveLength(130);
});

test('a sign-in is retried once for all rows, and given up once for all', async () => {
	await serve((response) => status(response, 503), false);
	const { json } = await create(100, { parallelRequests: 50, maxTries: 3 });
	expect(outcomesOf({ json })).toEqual(Array(100).fill('notSent'));
	expect(service.paths).toHaveLength(3);
});
