// n8n's workers with this package: concurrent sign-ins, and files.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { waitForExecutions, requireEnd } from '../../n8n-full/executions.mts';
import { startQueueMode, composeServices, type QueueModeN8n } from '../../n8n-full/queueMode.mts';
import { ensureN8nInstalled } from '../../n8n-full/install.mts';
import {
	publishWebhookWorkflow,
	publishCreateWorkflow,
	agencyStep,
	type CreateWorkflow,
} from '../../n8n-full/webhookWorkflows.mts';
import type { SandboxOptions } from '../../sandbox/server.mts';

import { assertNoneDoubledOrLost, namesOfRows } from '../harness/serviceRows.mts';
import { openQueueSandbox, type QueueSandbox } from './queueSandbox.mts';

let queueMode: QueueModeN8n;
before(async () => void (queueMode = await startQueueMode(17_600)));
after(() => queueMode?.close());

const ranByWorker = (id: string) => queueMode.workers.some((worker) => worker.ranExecution(id));

void test('n8n knows every environment variable it is given', async () => {
	const modules = join(await ensureN8nInstalled(), '..', '..', '..');
	const { main, worker } = composeServices;
	const names = Object.keys({ ...main.environment, ...worker.environment });
	assert.ok(names.length > 0);
	const folders = globSync('{n8n,n8n-core,@n8n/*}/dist', { cwd: modules });
	const named = ['-rohwE', '--include=*.js', names.join('|'), ...folders];
	// Not execFileSync: it would block for seconds, in which n8n would close connections that the next test uses.
	const { stdout } = await promisify(execFile)('grep', named, { cwd: modules, maxBuffer: 1e9 });
	const known = new Set(stdout.split('\n'));
	assert.deepEqual(
		names.filter((name) => !known.has(name)),
		[],
	);
});

const executions = 20;
const rows = 20;
let started = 0;

/** Starts executions at the same time. All must succeed, and each row must be in the service once. */
async function allAtOnce(
	{ id, startExecution }: CreateWorkflow,
	service: QueueSandbox,
	before = 0,
): Promise<void> {
	const names = Array.from({ length: executions }, () => namesOfRows(started++, rows));
	await Promise.all(names.map(startExecution));
	const ended = (await waitForExecutions(queueMode.session, id, before + executions)).slice(
		0,
		executions,
	);
	for (const { id: execution } of ended) await requireEnd(queueMode.session, execution);
	for (const worker of queueMode.workers) {
		assert.ok(
			ended.some((execution) => worker.ranExecution(execution.id)),
			'a worker had nothing to do',
		);
	}
	assertNoneDoubledOrLost(service.sandbox, names.flat());
}

for (const [account, options] of [
	['an account', {}],
	['an account with one live token', { oneLiveToken: true }],
] as Array<[string, SandboxOptions]>) {
	void test(`${executions} executions at once, with ${account}: at first, and after its token was revoked`, async (t) => {
		const service = await openQueueSandbox(t, queueMode.session, options);
		const creates = await publishCreateWorkflow(queueMode.session, service.credentialId);
		const most = 2 * queueMode.workers.length;

		await allAtOnce(creates, service);
		const atFirst = service.requestCount('passwordToken');
		service.sandbox.accounts.revokeTokens();
		await allAtOnce(creates, service, executions);
		const afterwards = service.requestCount('passwordToken') - atFirst;
		t.diagnostic(`token requests: ${atFirst} at first, ${afterwards} after the revocation`);
		assert.ok(atFirst <= most, `${atFirst} token requests at first`);
		assert.ok(afterwards <= most, `${afterwards} token requests after the revocation`);
	});
}

void test('a worker uploads a 12 MB file that the main process received', async (t) => {
	const service = await openQueueSandbox(t, queueMode.session);
	const step = agencyStep(service.credentialId, 'agencyFiles', { inputDataFieldName: 'report' });
	const upload = await publishWebhookWorkflow(queueMode.session, step);
	const content = randomBytes(12 * 2 ** 20);
	const body = new FormData();
	body.set('report', new Blob([content]), 'Übung.bin');
	await upload.post({ body });
	const [execution] = await waitForExecutions(queueMode.session, upload.id, 1);
	await requireEnd(queueMode.session, execution!.id);
	assert.ok(ranByWorker(execution!.id));

	const file = service.sandbox.records.list('file').rows.at(-1)!.data;
	assert.equal(file.fileName, 'Übung.bin');
	const stored = readFileSync(join(service.sandbox.filesFolder, file.fileGUID as string));
	assert.ok(stored.equals(content));
});
