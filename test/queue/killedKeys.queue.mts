// A worker is killed while it sends rows that have keys: at random moments, and exactly while it holds the lock of
// n8n's store. Then the same rows are given again. KILLS is how many random moments; SEED repeats them.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';

import type { IDataObject, IPairedItemData } from 'n8n-workflow';

import { executionsOfWorkflow, outputOfNode } from '../../n8n-full/executions.mts';
import {
	startQueueMode,
	type QueueModeN8n,
	type QueueModeProcess,
} from '../../n8n-full/queueMode.mts';
import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import {
	agencyStepName,
	publishCreateWorkflow,
	type CreateWorkflow,
} from '../../n8n-full/webhookWorkflows.mts';
import { seededRandom } from '../../sandbox/random.mts';

import { openQueueSandbox, rowNames, type QueueSandbox } from './queueSandbox.mts';

const kills = Number(process.env.KILLS ?? 2);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const rows = 1000;
const parallelRequests = 32;

/** The most rows that a killed process may leave in doubt: docs/across-runs.md promises it. */
const mostInDoubt = parallelRequests + 64;

/** Milliseconds for which an execution may wait for the lock of a dead worker, and send its rows. */
const longest = 400_000;

const operation = 'createShiftSchedule';

let queueMode: QueueModeN8n;
before(async () => void (queueMode = await startQueueMode(17_760)));
after(() => queueMode?.close());

interface Creates extends QueueSandbox, CreateWorkflow {}

async function openCreates(t: TestContext): Promise<Creates> {
	const service = await openQueueSandbox(t, queueMode.session, { latencySpread: 40 });
	const options = { sendOnceKey: '={{ $json.name }}', sendOnceRemember: 100_000, parallelRequests };
	const workflow = await publishCreateWorkflow(
		queueMode.session,
		service.credentialId,
		options,
		'continueRegularOutput',
	);
	return { ...service, ...workflow };
}

/** Starts an execution. @returns its ID */
async function begin({ id, startExecution }: Creates, names: readonly string[]): Promise<string> {
	const before = (await executionsOfWorkflow(queueMode.session, id)).length;
	await startExecution(names);
	return await waitUntilDefined(async () => {
		const all = await executionsOfWorkflow(queueMode.session, id);
		return all.length > before ? all[0]!.id : undefined;
	}, 'an execution to begin');
}

const workerOf = (execution: string): Promise<QueueModeProcess> =>
	waitUntilDefined(
		async () => queueMode.workers.find((worker) => worker.ranExecution(execution)),
		'a worker to begin',
	);

/** Gives rows once more, and counts them when that execution has ended. */
async function giveAgain(creates: Creates, names: readonly string[]) {
	const execution = await begin(creates, names);
	await waitUntilDefined(
		async () => {
			const all = await executionsOfWorkflow(queueMode.session, creates.id);
			return all.find(({ id, status }) => id === execution && !['new', 'running'].includes(status));
		},
		'the rows to be sent',
		longest,
	);
	const items = await outputOfNode(queueMode.session, execution, agencyStepName);
	const inDoubt = items
		.filter(({ json }) => (json.error as IDataObject | undefined)?.outcome === 'unknown')
		.map(({ pairedItem }) => names[(pairedItem as IPairedItemData).item]!);
	const times = creates.timesCreated(names);
	return {
		doubled: times.filter((found) => found > 1).length,
		lost: names.filter((name, row) => times[row] === 0 && !inDoubt.includes(name)).length,
		inDoubt: inDoubt.length,
	};
}

void test(`killed at ${kills} random moments (seed ${seed})`, async (t) => {
	const dice = seededRandom(seed);
	for (let kill = 0; kill < kills; kill++) {
		// A node of its own, which remembers no keys yet.
		const creates = await openCreates(t);
		const names = rowNames(`kill ${kill}`, rows);
		const moment = Math.floor(1 + dice() * (rows - 1));
		const arrived = creates.requestsArrived(operation, moment);
		const worker = await workerOf(await begin(creates, names));
		await arrived;
		await worker.stop('SIGKILL');
		await worker.start();
		const counts = await giveAgain(creates, names);
		t.diagnostic(JSON.stringify(counts));
		const { inDoubt, ...others } = counts;
		assert.deepEqual(others, { doubled: 0, lost: 0 });
		assert.ok(inDoubt <= mostInDoubt, `${inDoubt} in doubt`);
	}
});

/** While its table has a row, PostgreSQL keeps back what is written for nodes. */
const holdBack = `
	CREATE TABLE hold (held boolean);
	CREATE FUNCTION held_back() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		WHILE EXISTS (SELECT FROM hold) LOOP
			PERFORM pg_sleep(0.05);
		END LOOP;
		RETURN NEW;
	END $$;
	CREATE TRIGGER held_back BEFORE UPDATE ON processed_data FOR EACH ROW
		WHEN (NEW.context <> '') EXECUTE FUNCTION held_back()`;

void test('killed while it holds the lock: another worker breaks it, and goes on', async (t) => {
	const creates = await openCreates(t);
	const names = rowNames('lock', rows);
	const isLocked = async () => {
		const sql = `SELECT count(*) FROM processed_data WHERE context = '' AND "workflowId" = '${creates.id}'`;
		return (await queueMode.query(sql)) === '1';
	};
	await queueMode.query(holdBack);
	const arrived = creates.requestsArrived(operation, 200);
	const execution = await begin(creates, names);
	await arrived;
	await queueMode.query('INSERT INTO hold VALUES (true)');
	await waitUntilDefined(async () => {
		const writing = `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'UPDATE %processed_data%'`;
		return (await queueMode.query(writing)) !== '0' || undefined;
	}, 'keys to be written');
	const worker = await workerOf(execution);
	await worker.stop('SIGKILL');
	assert.ok(await isLocked());
	// What the dead worker wanted to write is written late.
	await queueMode.query('DELETE FROM hold');
	const counts = await giveAgain(creates, names);
	t.diagnostic(JSON.stringify(counts));
	const { inDoubt, ...others } = counts;
	assert.deepEqual(others, { doubled: 0, lost: 0 });
	assert.ok(inDoubt <= mostInDoubt, `${inDoubt} in doubt`);
	assert.ok(!(await isLocked()));
	await worker.start();
});
