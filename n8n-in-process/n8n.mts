// Loads n8n's engine (n8n-core and n8n-workflow) without n8n's server, once per process, with a user folder of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as BackendCommon from '@n8n/backend-common';
import type * as Di from '@n8n/di';
import type * as Core from 'n8n-core';
import type * as Workflow from 'n8n-workflow';

// n8n-core reads these environment variables while it is loaded.
const folder = mkdtempSync(join(tmpdir(), 'n8n-in-process-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
Object.assign(process.env, {
	N8N_USER_FOLDER: folder,
	N8N_ENCRYPTION_KEY: 'n8n-in-process',
	N8N_LOG_LEVEL: 'silent',
	N8N_DIAGNOSTICS_ENABLED: 'false',
});
// A proxy would receive even requests to loopback addresses.
for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
	delete process.env[name];
	delete process.env[name.toUpperCase()];
}

// n8n-core is CommonJS. Loading all three with require() makes everyone share one n8n-workflow and one container.
const require = createRequire(import.meta.url);
export const core = require('n8n-core') as typeof Core;
export const workflow = require('n8n-workflow') as typeof Workflow;
export const { Container } = require('@n8n/di') as typeof Di;

Container.get(core.InstanceSettings);

export type BinaryMode = 'default' | 'filesystem';

/** Sets where n8n keeps binary data: inside the items, or in files, as n8n's server does by default. */
export async function setBinaryMode(mode: BinaryMode): Promise<void> {
	Container.get(core.BinaryDataConfig).mode = mode;
	await Container.get(core.BinaryDataService).init();
}

/** Drops lines below the default log level of n8n's server. Even the silent logger would format them first. */
export function useProductionLogLevel(): void {
	const { Logger } = require('@n8n/backend-common') as typeof BackendCommon;
	Object.assign(Container.get(Logger), { debug() {} });
}

let vmReady: Promise<void> | undefined;

/** Switches to the expression engine that n8n's server uses. Without this, n8n-workflow uses its older engine. */
export function useProductionExpressions(): Promise<void> {
	return (vmReady ??= workflow.Expression.initExpressionEngine({
		engine: 'vm',
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 1024,
	}));
}

/** Switches back to the older expression engine. The engine is shared by everything that runs in this process. */
export async function useDefaultExpressions(): Promise<void> {
	await vmReady;
	vmReady = undefined;
	await workflow.Expression.disposeExpressionEngine();
	workflow.Expression.setExpressionEngine('legacy');
}
