// The trigger in a full n8n: activated, polled by its own schedule, stopped and started again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { IDataObject } from 'n8n-workflow';

import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import {
	waitForExecutions,
	errorOfExecution,
	outputOfNode,
	requireEnd,
	type ExecutionSummary,
} from '../../n8n-full/executions.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	readExample,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { createWorkflow } from '../../n8n-full/workflows.mts';
import { addRecord } from '../../sandbox/recordEdits.mts';

let environment: N8nWithSandbox;
let session: N8nSession;

before(async () => {
	environment = await openN8nWithSandbox(15_696);
	const { n8n, credential } = environment;
	await n8n.import('credentials', [credential(exampleCredentialId, 'password')]);
	session = await environment.start();
});
after(() => environment?.close());

/** n8n refuses intervals under a minute, but accepts several times in each minute. */
const pollTimes = {
	item: Array.from({ length: 12 }, (_, n) => ({
		mode: 'custom',
		cronExpression: `${5 * n} * * * * *`,
	})),
};

/** The items that a node returned in a successful execution. */
async function itemsOf({ id: execution }: ExecutionSummary, node: string): Promise<IDataObject[]> {
	await requireEnd(session, execution);
	return (await outputOfNode(session, execution, node)).map(({ json }) => json);
}

const told = (items: IDataObject[]) =>
	items
		.map((item) =>
			['changeType', 'departmentBusinessID', 'name', 'repeated']
				.filter((name) => item[name] !== undefined)
				.map((name) => (name === 'repeated' ? name : (item[name] as string)))
				.join(' '),
		)
		.sort();

const example = readExample('new-vendor-notification');
const exampleOften = {
	...example,
	nodes: example.nodes.map((node) =>
		node.name === 'New Vendor' ? { ...node, parameters: { ...node.parameters, pollTimes } } : node,
	),
};

/** The notifications in the service. */
const notices = () =>
	environment.sandbox.records
		.list('notification')
		.rows.map(({ data }) => (data.notificationModel as IDataObject).description);

async function restartAfterKill(): Promise<void> {
	await environment.stop('SIGKILL');
	environment.sandbox.faults.set([]);
	session = await environment.start();
}

const failOnce = (operation: string) =>
	environment.sandbox.faults.set([{ fault: 'refuse', operation, status: 403, times: 1 }]);

void test('the example reports a new vendor once, even if n8n is killed', async (t) => {
	const { records, faults } = environment.sandbox;
	const operation = 'createNotification';
	const id = await createWorkflow(session, exampleOften);

	await t.test('with one click, and again', async () => {
		for (let run = 0; run < 2; run++) {
			await requireEnd(session, await session.start(id, 'New Vendor'));
			assert.deepEqual(notices(), ['New vendor: Ridge Road Turnout Gear (Turnout Gear), ID 0']);
		}
	});

	await t.test('a poll that fails reaches its error trigger', async () => {
		await session.publish(id);
		failOnce('listVendors');
		const [execution] = await waitForExecutions(session, id, 1, true);
		const [{ text }] = (await itemsOf(execution!, 'Tell the Office')) as [{ text: string }];
		assert.match(text, /^New Vendor, Notification: .* return status 403$/);
	});

	await t.test('killed after the notification', async () => {
		const vendor = addRecord(records, 'vendor', { name: 'Hoses & Co.', category: 'Equipment' });
		await waitForExecutions(session, id, 4);
		await restartAfterKill();
		const [repeat] = await waitForExecutions(session, id, 5);
		assert.deepEqual(told(await itemsOf(repeat!, 'New Vendor')), [
			`added ${vendor} Hoses & Co. repeated`,
		]);
		assert.deepEqual(await itemsOf(repeat!, 'Notify the Agency'), [
			{ alreadySent: true, key: `${vendor} added` },
		]);
		assert.deepEqual(notices().slice(1), [`New vendor: Hoses & Co. (Equipment), ID ${vendor}`]);
	});

	await t.test(
		'killed while the notification is in progress: it is in doubt, even when retried',
		async () => {
			faults.set([{ fault: 'delayBefore', operation, milliseconds: 600_000, times: 1 }]);
			const vendor = addRecord(records, 'vendor', { name: 'Ladders Ltd.', category: 'Equipment' });
			await waitUntilDefined(async () => faults.struck.delayBefore || undefined, 'the notice');
			await restartAfterKill();
			const [repeat, killed] = await waitForExecutions(session, id, 7);
			assert.equal(killed!.status, 'crashed');
			const again = await session.retry(repeat!.id);
			for (const execution of [repeat!, again]) {
				assert.match(
					(await errorOfExecution(session, execution.id))!,
					new RegExp(`its outcome is unknown .*"${vendor} added"`),
				);
			}
			assert.deepEqual(notices().slice(2), [`New vendor: Ladders Ltd. (Equipment), ID ${vendor}`]);
		},
	);
});

void test('a poll that fails reaches the error output', async () => {
	const [rows, failed] = ['Rows', 'Failed'];
	const [newVendor] = exampleOften.nodes as [(typeof exampleOften.nodes)[number]];
	const { name, parameters } = newVendor;
	const noOp = { ...newVendor, type: 'n8n-nodes-base.noOp', parameters: {}, credentials: {} };
	const id = await createWorkflow(session, {
		...exampleOften,
		id: 'errorOutput',
		nodes: [
			{
				...newVendor,
				parameters: { ...parameters, resource: 'infrastructureCategory' },
				onError: 'continueErrorOutput',
			},
			{ ...noOp, id: rows, name: rows },
			{ ...noOp, id: failed, name: failed },
		],
		connections: {
			[name]: { main: [rows, failed].map((node) => [{ node, type: 'main', index: 0 }]) },
		},
	});
	await session.publish(id);
	failOnce('listCriticalInfrastructure');
	const [execution] = await waitForExecutions(session, id, 1);
	assert.deepEqual(await itemsOf(execution!, rows), []);
	const [item, ...others] = await itemsOf(execution!, failed);
	assert.match(item!.message as string, /return status 403$/);
	assert.deepEqual(others, []);
});
