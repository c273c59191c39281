// What n8n's workers do with this package: everything, signed in together, and with files.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { endsOf, errorOf } from '../../runtime/executions.mts';
import { openFleet, services, type Fleet } from '../../runtime/fleet.mts';
import { ensureRuntime } from '../../runtime/install.mts';
import { publish, publishCreates, stepOf, type Creates } from '../../runtime/published.mts';
import { everyOperation } from '../../runtime/station.mts';
import { importWorkflow } from '../../runtime/workflows.mts';
import type { Exchange, SandboxOptions } from '../../sandbox/server.mts';

import { rowNames, openQueueSandbox, type QueueSandbox } from './queueSandbox.mts';

let fleet: Fleet;
before(async () => void (fleet = await openFleet(17_600)));
after(() => fleet?.close());

const ranByWorker = (id: string) => fleet.workers.some((worker) => worker.ran(id));

void test('all 18 operations run on the workers', async (t) => {
	const exchanges: Exchange[] = [];
	const desk = await openQueueSandbox(t, fleet.session, {
		onExchange: (exchange) => exchanges.push(exchange),
	});
	const { session } = fleet;
	const workflow = await importWorkflow(session, everyOperation, desk.credentialId);
	const { executionId } = (await session.post(`/workflows/${workflow}/run`, {
		triggerToStartFrom: { name: 'One Row' },
	})) as { executionId: string };
	assert.equal(await session.endOf(executionId), 'success');
	assert.ok(ranByWorker(executionId));

	const done = exchanges.filter(({ url }) => url.startsWith('/agency'));
	assert.deepEqual(
		done.filter(({ status }) => status >= 400),
		[],
	);
	assert.equal(new Set(done.map(({ operation }) => operation)).size, 18);
});

void test('n8n knows every variable that it is told', async () => {
	const modules = join(await ensureRuntime(), '..', '..', '..');
	const files = globSync('{n8n,n8n-core,@n8n/*}/dist/**/*.js', { cwd: modules });
	let unknown = Object.keys({ ...services.main.environment, ...services.worker.environment });
	assert.ok(unknown.length > 0);
	for (const file of files) {
		const code = readFileSync(join(modules, file), 'utf8');
		unknown = unknown.filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
		if (unknown.length === 0) break;
	}
	assert.deepEqual(unknown, []);
});

const executions = 20;
const rows = 20;
let begun = 0;

/** Begins executions at the same time; they must succeed, with each row in the books once. */
async function allAtOnce({ id, begin }: Creates, desk: QueueSandbox, before = 0): Promise<void> {
	const names = Array.from({ length: executions }, () => rowNames(begun++, rows));
	await Promise.all(names.map(begin));
	const ended = (await endsOf(fleet.session, id, before + executions)).slice(0, executions);
	for (const { id: execution, status } of ended) {
		assert.equal(status, 'success', await errorOf(fleet.session, execution));
	}
	for (const worker of fleet.workers) {
		assert.ok(
			ended.some((execution) => worker.ran(execution.id)),
			'a worker had nothing to do',
		);
	}
	assert.deepEqual(new Set(desk.timesCreated(names.flat())), new Set([1]));
}

for (const [account, options] of [
	['an account', {}],
	['an account with one live token', { oneLiveToken: true }],
] as Array<[string, SandboxOptions]>) {
	void test(`${executions} executions at once, with ${account}: at first, and after its token was revoked`, async (t) => {
		const desk = await openQueueSandbox(t, fleet.session, options);
		const creates = await publishCreates(fleet.session, desk.credentialId);
		const most = 2 * fleet.workers.length;

		await allAtOnce(creates, desk);
		const atFirst = desk.requestCount('passwordToken');
		desk.sandbox.accounts.revokeTokens();
		await allAtOnce(creates, desk, executions);
		const afterwards = desk.requestCount('passwordToken') - atFirst;
		t.diagnostic(`token requests: ${atFirst} at first, ${afterwards} after the revocation`);
		assert.ok(atFirst <= most, `${atFirst} token requests at first`);
		assert.ok(afterwards <= most, `${afterwards} token requests after the revocation`);
	});
}

void test('a file of 12 MB, taken in by the main process, is uploaded by a worker', async (t) => {
	const desk = await openQueueSandbox(t, fleet.session);
	const step = stepOf(desk.credentialId, 'agencyFiles', { inputDataFieldName: 'report' });
	const upload = await publish(fleet.session, step);
	const content = randomBytes(12 * 2 ** 20);
	const body = new FormData();
	body.set('report', new Blob([content]), 'Übung.bin');
	await upload.post({ body });
	const [execution] = await endsOf(fleet.session, upload.id, 1);
	assert.equal(execution!.status, 'success');
	assert.ok(ranByWorker(execution!.id));

	const file = desk.sandbox.store.list('file').rows.at(-1)!.data;
	assert.equal(file.fileName, 'Übung.bin');
	const stored = readFileSync(join(desk.sandbox.filesFolder, file.fileGUID as string));
	assert.ok(stored.equals(content));
});
