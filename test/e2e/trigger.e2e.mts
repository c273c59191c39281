// The trigger in a full n8n: activated, polled by its own schedule, stopped and started again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../../runtime/n8n.mts';
import { credentialId, openStation, owner, type Station } from '../../runtime/station.mts';
import { addRecord, changeRecord, removeRecord } from '../../sandbox/books.mts';

const port = Number(process.env.E2E_PORT ?? 15_708);

let station: Station;
let stop: (() => Promise<void>) | undefined;
let session: Session;
/** ID of the workflow. */
let id: string;

async function start(): Promise<void> {
	stop = await station.n8n.start();
	session = await station.n8n.session(owner);
}

before(async () => {
	station = await openStation(port);
	const { n8n, credential } = station;
	await n8n.import('credentials', [credential(credentialId, 'password')]);
	await start();
});
after(async () => {
	await stop?.();
	await station?.close();
});

/** n8n refuses intervals under a minute; several times in each minute it takes. */
const everyTenSeconds = [0, 10, 20, 30, 40, 50].map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));

async function activate(): Promise<void> {
	const workflow = (await session.post('/workflows', {
		name: 'Vendors that change',
		nodes: [
			{
				id: 'trigger',
				name: 'Vendors',
				type: 'n8n-nodes-agency-records.agencyRecordsTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { resource: 'vendor', pollTimes: { item: everyTenSeconds } },
				credentials: { agencyRecordsApi: { id: credentialId, name: 'Agency Records' } },
			},
			{
				id: 'end',
				name: 'End',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { Vendors: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	})) as { id: string; versionId: string };
	({ id } = workflow);
	await session.post(`/workflows/${id}/activate`, { versionId: workflow.versionId });
}

/** Waits for something that n8n does by its own clock. */
async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
	const deadline = Date.now() + 90_000;
	for (;;) {
		const value = await look();
		if (value !== undefined) return value;
		if (Date.now() > deadline) throw new Error(`It took too long: ${what}`);
		await delay(250);
	}
}

const polls = () => station.exchanges.filter(({ operation }) => operation === 'listVendors').length;

/** The next poll, whatever comes of it. */
async function nextPoll(): Promise<void> {
	const before = polls();
	await until('a poll', async () => (polls() > before ? true : undefined));
}

async function executionIds(): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
	const { results } = (await session.get(`/executions?filter=${filter}`)) as {
		results: Array<{ id: string }>;
	};
	return results.map((execution) => execution.id).reverse();
}

/** Items that the trigger gave to an execution; n8n saves them with references instead of nested values. */
async function itemsOf(execution: string): Promise<IDataObject[]> {
	assert.equal(await session.endOf(execution), 'success');
	const { data } = (await session.get(`/executions/${execution}`)) as { data: string };
	const all = JSON.parse(data) as unknown[];
	const items = all.filter(
		(one): one is IDataObject => typeof one === 'object' && one !== null && 'changeType' in one,
	);
	// A reference is the index of the value, as text.
	return items.map((item) =>
		Object.fromEntries(
			Object.entries(item).map(([name, value]) => [
				name,
				(typeof value === 'string' ? all[Number(value)] : value) as string,
			]),
		),
	);
}

/** Waits until so many executions are there; gives the items of the last. */
async function itemsOfExecution(count: number): Promise<IDataObject[]> {
	const ids = await until(`execution ${count}`, async () => {
		const found = await executionIds();
		return found.length >= count ? found : undefined;
	});
	assert.equal(ids.length, count);
	return await itemsOf(ids.at(-1)!);
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

void test('what was added, changed and removed starts the workflow, once', async () => {
	const { store } = station.sandbox;
	await activate();
	await nextPoll();
	await nextPoll();
	assert.deepEqual(await executionIds(), [], 'nothing has changed');

	changeRecord(store, 'vendor', 101, { name: 'Changed' });
	removeRecord(store, 'vendor', 102);
	const added = addRecord(store, 'vendor', { name: 'Added' });
	assert.deepEqual(told(await itemsOfExecution(1)), [
		`added ${added} Added`,
		'changed 101 Changed',
		'removed 102',
	]);
	await nextPoll();
	await nextPoll();
	assert.equal((await executionIds()).length, 1);
});

void test('after a restart the last items come again, marked; then what changed meanwhile', async () => {
	await stop!();
	changeRecord(station.sandbox.store, 'vendor', 103, { name: 'While n8n was away' });
	await start();
	const repeated = told(await itemsOfExecution(2));
	assert.equal(repeated.length, 3);
	assert.ok(repeated.every((line) => line.endsWith(' repeated')));
	assert.deepEqual(told(await itemsOfExecution(3)), ['changed 103 While n8n was away']);
	await nextPoll();
	await nextPoll();
	assert.equal((await executionIds()).length, 3);
});
