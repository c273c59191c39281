// What becomes of the rows of an execution when n8n's processes, or its queue, end in the middle of it.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';

import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';

import { eventually } from '../../runtime/eventually.mts';
import { endsOf, executionsOf, outputOf, type Execution } from '../../runtime/executions.mts';
import { openFleet, type Fleet, type Member } from '../../runtime/fleet.mts';
import { publishCreates, stepName, type Creates } from '../../runtime/published.mts';

import { rowNames, openQueueSandbox, type QueueSandbox } from './queueSandbox.mts';

let fleet: Fleet;
before(async () => void (fleet = await openFleet(17_640)));
after(() => fleet?.close());

const rows = 3000;
/** So many have arrived when it happens. */
const middle = 1000;
const names = rowNames('once', rows);

interface MidRun {
	desk: QueueSandbox;
	creates: Creates;
	worker: Member;
	execution: string;
}

/**
 * An execution in the middle of its rows.
 * @param options of the node
 */
async function midRun(t: TestContext, options: INodeParameters = {}): Promise<MidRun> {
	const desk = await openQueueSandbox(t, fleet.session);
	const creates = await publishCreates(
		fleet.session,
		desk.credentialId,
		options,
		'continueRegularOutput',
	);
	const inTheMiddle = desk.requestsArrived('createShiftSchedule', middle);
	await creates.begin(names);
	await inTheMiddle;
	const [execution] = await executionsOf(fleet.session, creates.id);
	const worker = fleet.workers.find((one) => one.ran(execution!.id))!;
	return { desk, creates, worker, execution: execution!.id };
}

/** How many rows are in the books so often. */
function tally(desk: QueueSandbox): Record<'missing' | 'once' | 'doubled', number> {
	const times = desk.timesCreated(names);
	const count = (fits: (found: number) => boolean) => times.filter(fits).length;
	return {
		missing: count((found) => found === 0),
		once: count((found) => found === 1),
		doubled: count((found) => found > 1),
	};
}

const complete = { missing: 0, once: rows, doubled: 0 };

void test('Redis is restarted: what waits in the queue is not lost', async (t) => {
	// Long enough that all workers have their hands full.
	const desk = await openQueueSandbox(t, fleet.session, { latency: 3000 });
	const { id, begin } = await publishCreates(fleet.session, desk.credentialId);
	const all = Array.from({ length: 14 }, (_, execution) => rowNames(execution, 5));
	await Promise.all(all.map(begin));
	await eventually(async () => {
		const states = (await executionsOf(fleet.session, id)).map(({ status }) => status);
		const isFull = states.length === all.length && states.includes('running');
		return (isFull && states.includes('new')) || undefined;
	}, 'executions that wait beside those that run');
	await fleet.redis.stop();
	await fleet.redis.start();
	const ended = await endsOf(fleet.session, id, all.length);
	assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set(['success']));
	assert.deepEqual(new Set(desk.timesCreated(all.flat())), new Set([1]));
});

/** Presses Retry, and waits for the end of what that begins. */
const retry = async (execution: string): Promise<Execution> =>
	(await fleet.session.post(`/executions/${execution}/retry`, { loadWorkflow: true })) as Execution;

/** The rows of which an execution says that they are in doubt. */
async function doubted({ id }: Execution): Promise<string[]> {
	const items = await outputOf(fleet.session, id, stepName);
	return items
		.filter(({ json }) => (json.error as IDataObject | undefined)?.outcome === 'unknown')
		.map(({ pairedItem }) => names[(pairedItem as IPairedItemData).item]!);
}

const missing = (desk: QueueSandbox): string[] => {
	const times = desk.timesCreated(names);
	return names.filter((_, row) => times[row] === 0);
};

/** No row is doubled, and each that is missing was named. */
async function nothingLost(desk: QueueSandbox, ended: Execution): Promise<void> {
	assert.equal(tally(desk).doubled, 0);
	const named = new Set(await doubted(ended));
	assert.deepEqual(
		missing(desk).filter((name) => !named.has(name)),
		[],
	);
}

const told = async (desk: QueueSandbox, what: string, ended: Execution): Promise<string> => {
	const inDoubt = (await doubted(ended)).length;
	return `${what}: ${ended.status}, ${JSON.stringify({ ...tally(desk), inDoubt })}`;
};

const ways: Array<{ way: string; options: INodeParameters; isSafe: boolean }> = [
	{ way: 'without a key', options: {}, isSafe: false },
	{ way: 'with a key', options: { sendOnceKey: '={{ $json.name }}' }, isSafe: true },
];

for (const { way, options, isSafe } of ways) {
	void test(`${way}: a worker that is asked to end finishes its rows first`, async (t) => {
		const { desk, creates, worker } = await midRun(t, options);
		await worker.stop();
		const [ended] = await endsOf(fleet.session, creates.id, 1);
		assert.equal(ended!.status, 'success');
		assert.deepEqual(tally(desk), complete);
		await worker.start();
	});

	void test(`${way}: Redis is restarted`, async (t) => {
		const { desk, creates } = await midRun(t, options);
		await fleet.redis.stop();
		await fleet.redis.start();
		const [ended] = await endsOf(fleet.session, creates.id, 1);
		assert.equal(ended!.status, 'success');
		assert.deepEqual(tally(desk), complete);

		const more = rowNames('afterwards', 10);
		await creates.begin(more);
		await endsOf(fleet.session, creates.id, 2);
		assert.deepEqual(new Set(desk.timesCreated(more)), new Set([1]));
	});

	void test(`${way}: a worker is killed, the execution is retried, then its rows are given again`, async (t) => {
		const { desk, creates, worker, execution } = await midRun(t, options);
		await worker.stop('SIGKILL');
		await worker.start();
		const [killed] = await endsOf(fleet.session, creates.id, 1);
		t.diagnostic(await told(desk, 'killed', killed!));
		assert.notEqual(killed!.status, 'success');

		// Whether n8n begins anything then depends on who noticed first that the worker was dead.
		t.diagnostic(await told(desk, 'retried', await retry(execution)));
		assert.equal(tally(desk).doubled, 0);

		await creates.begin(names);
		const [again] = await endsOf(fleet.session, creates.id, 3);
		t.diagnostic(await told(desk, 'given again', again!));
		if (isSafe) await nothingLost(desk, again!);
	});

	void test(`${way}: worker and main process are killed, and the execution is retried`, async (t) => {
		const { desk, creates, worker, execution } = await midRun(t, options);
		await Promise.all([worker.stop('SIGKILL'), fleet.main.stop('SIGKILL')]);
		await Promise.all([worker.start(), fleet.main.start()]);
		await endsOf(fleet.session, creates.id, 1);
		const retried = await retry(execution);
		t.diagnostic(await told(desk, 'retried', retried));
		assert.equal(tally(desk).doubled, 0);
		if (isSafe) await nothingLost(desk, retried);
	});
}
