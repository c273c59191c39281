// n8n's engine without n8n's server: n8n-core and n8n-workflow, loaded once, in a folder of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as Di from '@n8n/di';
import type * as Core from 'n8n-core';
import type * as Workflow from 'n8n-workflow';

// Read by n8n-core while it loads.
const folder = mkdtempSync(join(tmpdir(), 'n8n-runner-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
Object.assign(process.env, {
	N8N_USER_FOLDER: folder,
	N8N_ENCRYPTION_KEY: 'runner',
	N8N_LOG_LEVEL: 'silent',
	N8N_DIAGNOSTICS_ENABLED: 'false',
});
// A proxy would reroute even loopback traffic.
for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
	delete process.env[name];
	delete process.env[name.toUpperCase()];
}

// n8n-core is CommonJS; loaded the same way, everyone shares ONE n8n-workflow and ONE container.
const require = createRequire(import.meta.url);
export const core = require('n8n-core') as typeof Core;
export const workflow = require('n8n-workflow') as typeof Workflow;
export const { Container } = require('@n8n/di') as typeof Di;

Container.get(core.InstanceSettings);

export type BinaryMode = 'default' | 'filesystem';

/** Where n8n keeps binary data: inside the items, or in files, as n8n's server does by default. */
export async function setBinaryMode(mode: BinaryMode): Promise<void> {
	Container.get(core.BinaryDataConfig).mode = mode;
	await Container.get(core.BinaryDataService).init();
}

let vmReady: Promise<void> | undefined;

/** Switches to the expression engine that n8n's server uses; the default here is the older one. */
export function useProductionExpressions(): Promise<void> {
	return (vmReady ??= workflow.Expression.initExpressionEngine({
		engine: 'vm',
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 1024,
	}));
}

/** Switches back: the engine is one for all that run in this process. */
export async function useDefaultExpressions(): Promise<void> {
	await vmReady;
	vmReady = undefined;
	await workflow.Expression.disposeExpressionEngine();
	workflow.Expression.setExpressionEngine('legacy');
}
