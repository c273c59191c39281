// `npm run test:endurance -- soak`: hundreds of executions in one process of the full n8n, while tokens end again and again. Its
// memory, its open files and the sign-ins must stay where they were.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { ensureRuntime } from '../../runtime/install.mts';
import { FullN8n, pack } from '../../runtime/n8n.mts';
import { credentialId, owner } from '../../runtime/station.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { measure, megabytes, type Figures } from './measure.mts';
import { publish, runOnce, webhookWorkflow } from './webhook.mts';

const executions = 500;
/** Under way at once. */
const lanes = 5;
/** Executions before anything is measured: n8n loads its parts when it needs them first. */
const warmUp = 200;
const rounds = 5;
/** Seconds. */
const tokenLifetime = 20;

/** By how much what was measured after the last round may exceed what was after warming up. */
const bounds = { heap: 6e6, rss: 80e6, files: 5 };

/** n8n's, and the next one. */
const port = 15_718;
const inspector = `127.0.0.1:${port + 2}`;

let sandbox: Sandbox;
let n8n: FullN8n;
let stop: (() => Promise<void>) | undefined;
let home: string;
let signIns = 0;
let requests = 0;
/** Answers that say no, to a token that has ended apart. */
let refused = 0;

before(async () => {
	const executable = await ensureRuntime();
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
	await n8n.install(await pack(join(home, 'packed')));
	await n8n.import('credentials', [
		{
			id: credentialId,
			name: 'Agency Records',
			type: 'agencyRecordsApi',
			data: sandboxCredential(sandbox.url),
		},
	]);
	await n8n.import('workflow', [webhookWorkflow]);
	stop = await n8n.start();
	await publish(await n8n.session(owner));
});

after(async () => {
	await stop?.();
	await sandbox?.close();
	if (home) rmSync(home, { recursive: true, force: true });
});

/** @returns seconds it took */
async function run(count: number): Promise<number> {
	const begun = performance.now();
	let left = count;
	const lane = async () => {
		while (left-- > 0) await runOnce(n8n.url);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	return (performance.now() - begun) / 1000;
}

const shown = ({ heap, rss, files }: Figures) =>
	`${megabytes(heap)} in use, ${megabytes(rss)} in all, ${files} files`;

void test(`${executions} executions leave nothing behind`, async () => {
	await run(warmUp);
	const first = await measure(n8n.url, inspector);
	console.log(`after ${warmUp} executions to warm up: ${shown(first)}`);
	signIns = requests = refused = 0;

	const begun = performance.now();
	let last = first;
	for (let round = 1; round <= rounds; round++) {
		const seconds = await run(executions / rounds);
		last = await measure(n8n.url, inspector);
		const done = (executions / rounds) * round;
		console.log(
			`after ${done}: ${shown(last)}; ${(executions / rounds / seconds).toFixed(1)} executions/s`,
		);
	}
	const seconds = (performance.now() - begun) / 1000;
	console.log(
		`${requests} requests, ${signIns} of them for a token, in ${Math.round(seconds)} s; ${refused} refused`,
	);

	for (const [name, bound] of Object.entries(bounds) as Array<[keyof Figures, number]>) {
		const growth = last[name] - first[name];
		assert.ok(growth <= bound, `${name} grew by ${growth}, and may by ${bound}`);
	}
	const nodes = webhookWorkflow.nodes.filter(({ credentials }) => credentials);
	assert.ok(requests >= executions * nodes.length, 'not all was sent');
	assert.equal(refused, 0);
	assert.ok(signIns >= 1 && signIns <= seconds / tokenLifetime + 1, `${signIns} sign-ins`);
});
