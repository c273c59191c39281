// What becomes of the rows of an execution when n8n's processes, or its queue, end in the middle of it.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';

import type { INodeParameters } from 'n8n-workflow';

import { openFleet, type Fleet, type Member } from '../../runtime/fleet.mts';

import {
	endsOf,
	executionsOf,
	namesOf,
	openDesk,
	publishCreates,
	type Creates,
	type Desk,
} from './desk.mts';

let fleet: Fleet;
before(async () => void (fleet = await openFleet(17_640)));
after(() => fleet?.close());

const rows = 3000;
/** So many have arrived when it happens. */
const middle = 1000;
const names = namesOf('once', rows);

interface MidRun {
	desk: Desk;
	creates: Creates;
	worker: Member;
	execution: string;
}

/**
 * An execution in the middle of its rows.
 * @param options of the node
 */
async function midRun(t: TestContext, options: INodeParameters = {}): Promise<MidRun> {
	const desk = await openDesk(t, fleet);
	const creates = await publishCreates(fleet, desk, options);
	const inTheMiddle = desk.arrived('createShiftSchedule', middle);
	await creates.begin(names);
	await inTheMiddle;
	const [execution] = await executionsOf(fleet, creates.id);
	const worker = fleet.workers.find((one) => one.ran(execution!.id))!;
	return { desk, creates, worker, execution: execution!.id };
}

/** How many rows are in the books so often. */
function tally(desk: Desk): Record<'missing' | 'once' | 'doubled', number> {
	const times = desk.books(names);
	const count = (fits: (found: number) => boolean) => times.filter(fits).length;
	return {
		missing: count((found) => found === 0),
		once: count((found) => found === 1),
		doubled: count((found) => found > 1),
	};
}

const complete = { missing: 0, once: rows, doubled: 0 };

void test('a worker that is asked to end finishes its rows first', async (t) => {
	const { desk, creates, worker } = await midRun(t);
	await worker.stop();
	const [ended] = await endsOf(fleet, creates.id, 1);
	assert.equal(ended!.status, 'success');
	assert.deepEqual(tally(desk), complete);
	await worker.start();
});

void test('Redis is restarted', async (t) => {
	const { desk, creates } = await midRun(t);
	await fleet.redis.stop();
	await fleet.redis.start();
	const [ended] = await endsOf(fleet, creates.id, 1);
	assert.equal(ended!.status, 'success');
	assert.deepEqual(tally(desk), complete);

	const more = namesOf('afterwards', 10);
	await creates.begin(more);
	await endsOf(fleet, creates.id, 2);
	assert.deepEqual(new Set(desk.books(more)), new Set([1]));
});

/** Presses Retry, and waits for the end of what it begins. */
async function retry(execution: string): Promise<string> {
	const path = `/executions/${execution}/retry`;
	const { status } = (await fleet.session.post(path, { loadWorkflow: true })) as { status: string };
	return status;
}

for (const [way, options] of [['without a key', {}]] as Array<[string, INodeParameters]>) {
	void test(`${way}: a worker is killed, the execution is retried, and the rows are given again`, async (t) => {
		const { desk, creates, worker, execution } = await midRun(t, options);
		const since = Date.now();
		await worker.stop('SIGKILL');
		const restarted = worker.start();
		const [ended] = await endsOf(fleet, creates.id, 1);
		t.diagnostic(`${ended!.status} after ${Date.now() - since} ms: ${JSON.stringify(tally(desk))}`);
		assert.notEqual(ended!.status, 'success');
		t.diagnostic(`retried: ${await retry(execution)}, ${JSON.stringify(tally(desk))}`);
		await creates.begin(names);
		const [again] = await endsOf(fleet, creates.id, 3);
		t.diagnostic(`given again: ${again!.status}, ${JSON.stringify(tally(desk))}`);
		await restarted;
	});

	void test(`${way}: worker and main process are killed, and the execution is retried`, async (t) => {
		const { desk, creates, worker, execution } = await midRun(t, options);
		await Promise.all([worker.stop('SIGKILL'), fleet.main.stop('SIGKILL')]);
		// n8n looks for what crashed when it starts: by then the queue must have given the worker up.
		await worker.start();
		await fleet.main.start();
		const [ended] = await endsOf(fleet, creates.id, 1);
		t.diagnostic(`${ended!.status}: ${JSON.stringify(tally(desk))}`);
		t.diagnostic(`retried: ${await retry(execution)}, ${JSON.stringify(tally(desk))}`);
	});
}
