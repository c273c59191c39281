// Requests that hang, and a service that fails at night: what they keep from being sent, by virtual time.
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

/** How many creates of good rows were answered. */
let succeeded = 0;
/** Creates that have no answer. */
let open: ServerResponse[];

/** Rows with a name that begins with "hangs" get no answer; reads and other rows do. */
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

/** Lets time pass until something is so. @returns the seconds that it took, in quarters */
async function secondsUntil(isSo: () => boolean, most = 1000): Promise<number> {
	await comeToRest();
	for (let quarters = 0; quarters < 4 * most; quarters++) {
		if (isSo()) return quarters / 4;
		time.pass(250);
		await comeToRest();
	}
	return Infinity;
}

/** The service gives up all that hangs: nothing of a test goes on after it. */
async function respondToAll(...runs: Array<Promise<unknown>>) {
	for (let round = 0; round < 200 && open.length > 0; round++) {
		for (const response of open.splice(0)) response.writeHead(201).end('{"shiftScheduleID": 1}');
		await comeToRest();
	}
	await Promise.all(runs);
}

/** Seconds within which a request goes, however many hang. */
const soon = 32;

describe.each([10, 25])('while %d rows hang', (count) => {
	test('the rows after them in the run are sent', async () => {
		const run = create([...rows(count, 'hangs'), ...rows(5, 'good')]);
		expect(await secondsUntil(() => succeeded === 5)).toBeLessThan(soon);
		await respondToAll(run);
	});

	test('one in each of so many runs, another run of the operation is sent', async () => {
		const runs = rows(count, 'hangs').map((row) => create([row]));
		await comeToRest();
		const run = create(rows(1, 'good'));
		expect(await secondsUntil(() => succeeded === 1)).toBeLessThan(soon);
		await respondToAll(run, ...runs);
	});

	test("one in each of so many runs with a 'Timeout' of 8 seconds, as are those of another run", async () => {
		const runs = rows(count, 'hangs').map((row) => create([row], { timeout: 8 }));
		await comeToRest();
		const run = create(rows(1, 'good'));
		expect(await secondsUntil(() => succeeded === 1)).toBeLessThan(8);
		await respondToAll(run, ...runs);
	});

	test('reads of another operation are sent', async () => {
		// Now ten writes may go at once, and one of each further run.
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
])('of 200 rows %d hang, from row %d on: the others are sent at once', async (...given) => {
	const [count, first, seconds] = given;
	const items = rows(200, 'good');
	for (let n = 0; n < count; n++) items[first + Math.floor((n * 199) / count)] = { name: 'hangs' };
	const run = create(items);
	expect(await secondsUntil(() => succeeded === 200 - count)).toBeLessThan(seconds);
	await respondToAll(run);
});

test('of a service that hangs, no more than 48 rows are in doubt', async () => {
	const run = create(rows(200, 'hangs'));
	await secondsUntil(() => false, 290);
	expect(open).toHaveLength(48);
	await respondToAll(run);
});

test('in a night of 503, one row is in doubt, and another one after each wait', async () => {
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

test('while signing in takes long, nothing hangs, and the first write goes alone', async () => {
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
