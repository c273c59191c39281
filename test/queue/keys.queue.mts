// Items with keys on several workers: overlapping executions of one workflow, with the same keys and with different
// ones. ROUNDS sets the repetitions of each case, WORKERS the number of workers.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';

import {
	executionsOfWorkflow,
	outputOfNode,
	waitForExecutions,
} from '../../n8n-full/executions.mts';
import { startQueueMode, type QueueModeN8n } from '../../n8n-full/queueMode.mts';
import {
	agencyStepName,
	publishCreateWorkflow,
	type CreateWorkflow,
} from '../../n8n-full/webhookWorkflows.mts';

import { assertNoneDoubledOrLost, namesOfRows } from '../harness/serviceRows.mts';
import { openQueueSandbox, type QueueSandbox } from './queueSandbox.mts';

const rounds = Number(process.env.ROUNDS ?? 2);
const workers = Number(process.env.WORKERS ?? 2);

let queueMode: QueueModeN8n;
before(async () => void (queueMode = await startQueueMode(17_680, workers)));
after(() => queueMode?.close());

async function openCreates(
	t: TestContext,
): Promise<{ service: QueueSandbox; creates: CreateWorkflow }> {
	const service = await openQueueSandbox(t, queueMode.session);
	const options = { sendOnceKey: '={{ $json.name }}' };
	const creates = await publishCreateWorkflow(
		queueMode.session,
		service.credentialId,
		options,
		'continueRegularOutput',
	);
	return { service, creates };
}

/** The numbers of sent and already sent items in the latest executions. @throws Error for any other */
async function outcomes({ id }: CreateWorkflow, newest: number) {
	const { session } = queueMode;
	const counts = { sent: 0, alreadySent: 0 };
	const errors = new Set<unknown>();
	for (const execution of (await executionsOfWorkflow(session, id)).slice(0, newest)) {
		for (const { json } of await outputOfNode(session, execution.id, agencyStepName)) {
			if ('error' in json) errors.add(json.message);
			else counts[json.alreadySent ? 'alreadySent' : 'sent']++;
		}
	}
	assert.deepEqual([...errors], []);
	return counts;
}

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

for (const [title, count, apart] of [
	['200 keys, begun together', 200, 0],
	['2,000 keys, 500 ms apart', 2000, 500],
] as const) {
	void test(`${workers} executions with the same ${title}: each is sent once`, async (t) => {
		const { service, creates } = await openCreates(t);
		for (let round = 0; round < rounds; round++) {
			const names = namesOfRows(`${title}, ${round}`, count);
			const begun = [];
			for (let execution = 0; execution < workers; execution++) {
				begun.push(creates.startExecution(names));
				if (apart > 0) await delay(apart);
			}
			await Promise.all(begun);
			await waitForExecutions(queueMode.session, creates.id, (round + 1) * workers);
			assertNoneDoubledOrLost(service.sandbox, names);
			const { sent, alreadySent } = await outcomes(creates, workers);
			assert.deepEqual([sent, alreadySent], [count, count * (workers - 1)]);
		}
	});
}

void test('10 executions of 500 different keys at once: all are remembered', async (t) => {
	const { service, creates } = await openCreates(t);
	for (let round = 0; round < rounds; round++) {
		const batches = Array.from({ length: 10 }, (_, batch) => namesOfRows(`${round}-${batch}`, 500));
		await Promise.all(batches.map(creates.startExecution));
		await waitForExecutions(queueMode.session, creates.id, round * 20 + 10);
		assert.deepEqual(await outcomes(creates, 10), { sent: 5000, alreadySent: 0 });
		// The same items again, one execution after the other.
		for (const [at, names] of batches.entries()) {
			await creates.startExecution(names);
			await waitForExecutions(queueMode.session, creates.id, round * 20 + 11 + at);
		}
		assert.deepEqual(await outcomes(creates, 10), { sent: 0, alreadySent: 5000 });
		assertNoneDoubledOrLost(service.sandbox, batches.flat());
	}
});
