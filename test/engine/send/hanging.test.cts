// Hanging requests and a service that fails all night, in virtual time: which other requests they hold up.
import type { ServerResponse } from 'node:http';

import { createSchedules } from '../../harness/createSchedules.cts';
import { comeToRest } from '../../harness/eventLoop.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { continueOnFail, outcomesOf } from '../../harness/run.cts';
import { startFakeService, type FakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();
let service: FakeService;
let credentials: ReturnType<typeof credentialsFor>;

/** The number of creates of good rows that got a response. */
let succeeded = 0;
/** Creates without a response. */
let open: ServerResponse[];

/** Rows with a name that begins with "hangs" get no response; reads and other rows do. */
beforeEach(async () => {
	succeeded = 0;
	open = [];
	service = await startFakeService(({ method }, response, body) => {
		if (method === 'GET') return response.end('{"shift": {"id": 1}}');
		if (body.includes('hangs')) return open.push(response);
		succeeded++;
		return response.writeHead(201).end('{"shiftScheduleID": 1}');
	});
	credentials = credentialsFor(service.url);
});

const rows = (count: number, name: string) => Array.from({ length: count }, () => ({ name }));
const create = (items: Array<{ name: string }>, options = {}, cancel?: AbortSignal) =>
	createSchedules(credentials, { options, items, nodeSettings: continueOnFail, cancel });

/** Lets time pass until a condition holds. @returns the seconds that it took, in steps */
async function secondsUntil(isSo: () => boolean, most = 1000, step = 0.25): Promise<number> {
	await comeToRest();
	for (let seconds = 0; seconds < most; seconds += step) {
		if (isSo()) return seconds;
		time.pass(1000 * step);
		await comeToRest();
	}
	return Infinity;
}

/** The service responds to all hanging requests, so that nothing of a test continues after it. */
async function respondToAll(...runs: Array<Promise<unknown>>) {
	for (let round = 0; round < 200 && open.length > 0; round++) {
		for (const response of open.splice(0)) response.writeHead(201).end('{"shiftScheduleID": 1}');
		await comeToRest();
	}
	await Promise.all(runs);
}

/** Seconds within which a request is sent, however many hang. */
const soon = 32;

describe.each([10, 25])('while %d rows hang', (count) => {
	test('each in a run of its own, another run of the operation is sent', async () => {
		const runs = rows(count, 'hangs').map((row) => create([row]));
		await comeToRest();
		const run = create(rows(1, 'good'));
		expect(await secondsUntil(() => succeeded === 1)).toBeLessThan(soon);
		await respondToAll(run, ...runs);
	});

	test("each in a run with a 'Timeout' of 8 seconds, another run is sent", async () => {
		const runs = rows(count, 'hangs').map((row) => create([row], { timeout: 8 }));
		await comeToRest();
		const run = create(rows(1, 'good'));
		expect(await secondsUntil(() => succeeded === 1)).toBeLessThan(8);
		await respondToAll(run, ...runs);
	});

	test('reads of another operation are sent', async () => {
		// Now ten writes may be in progress, and one of each further run.
		await create(rows(1, 'good'));
		const runs = rows(count, 'hangs').map((row) => create([row]));
		await comeToRest();
		let isRead = false;
		const run = readShifts(credentials, 1).then(() => (isRead = true));
		expect(await secondsUntil(() => isRead)).toBeLessThan(11);
		await respondToAll(run, ...runs);
	});
});

// Ten may fill the window, if it has not grown before.
test.each([
	[3, 1, 1],
	[3, 0, 3],
	[10, 1, 11],
])('if %d of 200 rows hang, from row %d on, the others are sent at once', async (...given) => {
	const [count, first, seconds] = given;
	const items = rows(200, 'good');
	for (let n = 0; n < count; n++) items[first + Math.floor((n * 199) / count)] = { name: 'hangs' };
	const run = create(items);
	expect(await secondsUntil(() => succeeded === 200 - count)).toBeLessThan(seconds);
	await respondToAll(run);
});

test('a hanging service leaves no more than 48 rows in doubt', async () => {
	const run = create(rows(200, 'hangs'));
	await secondsUntil(() => false, 200, 1);
	expect(open).toHaveLength(48);
	await respondToAll(run);
});

test('a service that returns 503 all night leaves one row in doubt, and one more after each wait', async () => {
	const failing = await startFakeService((_, response) => response.writeHead(503).end());
	credentials = credentialsFor(failing.url);
	const run = create(rows(8, 'good'));
	const sentAt: number[] = [];
	await secondsUntil(() => {
		while (sentAt.length < failing.requests.length) sentAt.push(time.now);
		return sentAt.length === 8;
	});
	expect(outcomesOf(await run)).toEqual(Array(8).fill('inDoubt'));
	const waits = sentAt.slice(1).map((at, row) => at - sentAt[row]!);
	for (const [row, wait] of waits.entries()) expect(wait).toBeGreaterThan(2 ** row * 250);
});

test('while a sign-in takes long, nothing counts as hanging, and the first write goes alone', async () => {
	const paths: string[] = [];
	let respondToSignIn!: () => void;
	const slow = await startFakeService((request, response) => {
		paths.push(request.url!);
		if (request.url !== '/authpass/Token.php') return open.push(response);
		respondToSignIn = () => response.end('{"access_token": "late", "expires_in": 60}');
	}, false);
	credentials = credentialsFor(slow.url);
	const run = create(rows(30, 'good'));
	await secondsUntil(() => false, 25);
	respondToSignIn();
	await comeToRest();
	expect(paths).toHaveLength(2);
	expect(await secondsUntil(() => paths.length === 12)).toBeLessThan(5);
	await respondToAll(run);
});
