// `npm run test:endurance -- soak` runs hundreds of executions in one process of the full n8n, while tokens expire again and again.
// The memory and the open files of the process must not grow, and it must sign in no more often than tokens expire.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { ensureN8nInstalled } from '../../n8n-full/install.mts';
import { FullN8n, packPackage } from '../../n8n-full/fullN8n.mts';
import { exampleCredentialId, n8nOwner } from '../../n8n-full/n8nWithSandbox.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { measureProcess, megabytes, type ProcessUsage } from './measure.mts';
import { runOnce, webhookWorkflow } from './webhook.mts';

const executions = 500;
/** How many executions run at once. */
const concurrency = 5;
/** Executions before anything is measured, since n8n loads its parts when they are first needed. */
const warmUp = 200;
const rounds = 5;
/** In seconds. */
const tokenLifetime = 20;

/** How much the process may hold after the last round beyond what it held after warming up. */
const growthLimits = { heap: 6e6, rss: 80e6, files: 5 };

/** n8n uses this port and the next one. */
const port = 15_718;
const inspector = `127.0.0.1:${port + 2}`;

let sandbox: Sandbox;
let n8n: FullN8n;
let stop: (() => Promise<void>) | undefined;
let home: string;
let signIns = 0;
let requests = 0;
/** Answers that refuse a request, other than those to an expired token. */
let refused = 0;

before(async () => {
	const executable = await ensureN8nInstalled();
	home = mkdtempSync(join(tmpdir(), 'agency-soak-'));
	sandbox = await startSandbox({
		tokenLifetime,
		onExchange({ operation, status }) {
			requests++;
			if (operation === 'codeToken') signIns++;
			if (status >= 400 && status !== 401) refused++;
		},
	});
	n8n = new FullN8n(executable, home, port, {
		N8N_METRICS: 'true',
		NODE_OPTIONS: `--inspect=${inspector}`,
	});
	await n8n.install(await packPackage(join(home, 'packed')));
	await n8n.import('credentials', [
		{
			id: exampleCredentialId,
			name: 'Agency Records',
			type: 'agencyRecordsApi',
			data: sandboxCredential(sandbox.url),
		},
	]);
	await n8n.import('workflow', [webhookWorkflow]);
	stop = await n8n.start();
	await (await n8n.session(n8nOwner)).publish(webhookWorkflow.id);
});

after(async () => {
	await stop?.();
	await sandbox?.close();
	if (home) rmSync(home, { recursive: true, force: true });
});

/** @returns how many seconds the executions took */
async function run(count: number): Promise<number> {
	const begun = performance.now();
	let left = count;
	const runInTurn = async () => {
		while (left-- > 0) await runOnce(n8n.url);
	};
	await Promise.all(Array.from({ length: concurrency }, runInTurn));
	return (performance.now() - begun) / 1000;
}

const shown = ({ heap, rss, files }: ProcessUsage) =>
	`${megabytes(heap)} in use, ${megabytes(rss)} in all, ${files} files`;

void test(`${executions} executions leave nothing behind`, async () => {
	await run(warmUp);
	const first = await measureProcess(n8n.url, inspector);
	console.log(`after ${warmUp} executions to warm up: ${shown(first)}`);
	signIns = requests = refused = 0;

	const begun = performance.now();
	let last = first;
	for (let round = 1; round <= rounds; round++) {
		const seconds = await run(executions / rounds);
		last = await measureProcess(n8n.url, inspector);
		const done = (executions / rounds) * round;
		console.log(
			`after ${done}: ${shown(last)}; ${(executions / rounds / seconds).toFixed(1)} executions/s`,
		);
	}
	const seconds = (performance.now() - begun) / 1000;
	console.log(
		`${requests} requests, ${signIns} of them for a token, in ${Math.round(seconds)} s; ${refused} refused`,
	);

	for (const [name, limit] of Object.entries(growthLimits) as Array<[keyof ProcessUsage, number]>) {
		const growth = last[name] - first[name];
		assert.ok(growth <= limit, `${name} grew by ${growth}, and may grow by ${limit}`);
	}
	const nodes = webhookWorkflow.nodes.filter(({ credentials }) => credentials);
	assert.ok(requests >= executions * nodes.length, 'not all was sent');
	assert.equal(refused, 0);
	assert.ok(signIns >= 1 && signIns <= seconds / tokenLifetime + 1, `${signIns} sign-ins`);
});
