// The rows of an execution in which n8n's processes or Redis die.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';

import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';

import {
	waitForExecutions,
	executionsOfWorkflow,
	outputOfNode,
	type ExecutionSummary,
} from '../../n8n-full/executions.mts';
import {
	startQueueMode,
	type QueueModeN8n,
	type QueueModeProcess,
} from '../../n8n-full/queueMode.mts';
import {
	publishCreateWorkflow,
	agencyStepName,
	type CreateWorkflow,
	type CreatingNode,
} from '../../n8n-full/webhookWorkflows.mts';

import {
	assertNoneDoubled,
	assertNoneDoubledOrLost,
	namesOfRows,
} from '../harness/serviceRows.mts';
import { openQueueSandbox, type QueueSandbox } from './queueSandbox.mts';

let queueMode: QueueModeN8n;
before(async () => void (queueMode = await startQueueMode(17_640)));
after(() => queueMode?.close());

const rows = 3000;
/** The number of arrived rows at which a process is killed. */
const rowsBeforeCrash = 1000;
const names = namesOfRows('once', rows);

interface RunningExecution {
	service: QueueSandbox;
	creates: CreateWorkflow;
	worker: QueueModeProcess;
	execution: string;
}

/**
 * Starts an execution and waits until it has sent some of its rows.
 * @param options the node's options
 */
async function startAndWaitForRows(
	t: TestContext,
	options: INodeParameters,
	node?: CreatingNode,
): Promise<RunningExecution> {
	const service = await openQueueSandbox(t, queueMode.session);
	const creates = await publishCreateWorkflow(
		queueMode.session,
		service.credentialId,
		options,
		'continueRegularOutput',
		node,
	);
	const enoughRows = service.requestsArrived('createShiftSchedule', rowsBeforeCrash);
	await creates.startExecution(names);
	await enoughRows;
	const [execution] = await executionsOfWorkflow(queueMode.session, creates.id);
	const worker = queueMode.workers.find((one) => one.ranExecution(execution!.id))!;
	return { service, creates, worker, execution: execution!.id };
}

/** The rows that an execution reports as in doubt. */
async function rowsInDoubt({ id }: ExecutionSummary): Promise<string[]> {
	const items = await outputOfNode(queueMode.session, id, agencyStepName);
	return items
		.filter(({ json }) => (json.error as IDataObject | undefined)?.outcome === 'inDoubt')
		.map(({ pairedItem }) => names[(pairedItem as IPairedItemData).item]!);
}

const key = { sendOnceKey: '={{ $json.name }}' };
const senders: Array<{ name: string; options: INodeParameters; node?: CreatingNode }> = [
	{ name: 'without a key', options: {} },
	{ name: 'with a key', options: key },
	{ name: 'any other request, with a key', options: key, node: 'agencyRecordsRequest' },
];

for (const { name, options, node } of senders) {
	void test(`${name}: a worker that is told to stop finishes its rows first`, async (t) => {
		const { service, creates, worker } = await startAndWaitForRows(t, options, node);
		await worker.stop();
		const [ended] = await waitForExecutions(queueMode.session, creates.id, 1);
		assert.equal(ended!.status, 'success');
		assertNoneDoubledOrLost(service.sandbox, names);
		await worker.start();
	});

	void test(`${name}: Redis is restarted`, async (t) => {
		const { service, creates } = await startAndWaitForRows(t, options, node);
		await queueMode.redis.stop();
		await queueMode.redis.start();
		const [ended] = await waitForExecutions(queueMode.session, creates.id, 1);
		assert.equal(ended!.status, 'success');
		assertNoneDoubledOrLost(service.sandbox, names);

		const more = namesOfRows('afterwards', 10);
		await creates.startExecution(more);
		await waitForExecutions(queueMode.session, creates.id, 2);
		assertNoneDoubledOrLost(service.sandbox, more);
	});

	void test(`${name}: a worker is killed, the execution is retried, then a new execution gets the same rows`, async (t) => {
		const { service, creates, worker, execution } = await startAndWaitForRows(t, options, node);
		await worker.stop('SIGKILL');
		await worker.start();
		const [killed] = await waitForExecutions(queueMode.session, creates.id, 1);
		assert.notEqual(killed!.status, 'success');

		// Whether n8n then starts an execution at all depends on which process notices the dead worker first.
		await queueMode.session.retry(execution);
		assertNoneDoubled(service.sandbox, names);

		await creates.startExecution(names);
		const [again] = await waitForExecutions(queueMode.session, creates.id, 3);
		if (options === key) assertNoneDoubledOrLost(service.sandbox, names, await rowsInDoubt(again!));
	});
}
