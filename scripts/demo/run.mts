// Runs workflows in n8n's own engine. It is a module of its own because the engine takes seconds to load.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { KeyRows, useKeyRows } from '../../n8n-in-process/deduplication.mts';
import { setBinaryMode } from '../../n8n-in-process/n8n.mts';
import { loadPackage } from '../../n8n-in-process/package.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import {
	runWorkflow,
	type WorkflowFile,
	type WorkflowRun,
} from '../../n8n-in-process/workflow.mts';

export interface Engine {
	run: (workflow: WorkflowFile) => Promise<WorkflowRun>;
	close: () => void;
}

/**
 * The built nodes in n8n's engine. It remembers sent keys between runs. @param sandboxUrl the address in the examples'
 * credential
 */
export async function openEngine(sandboxUrl: string): Promise<Engine> {
	const folder = mkdtempSync(join(tmpdir(), 'agency-demo-'));
	const keys = new KeyRows(folder);
	await useKeyRows(keys);
	await setBinaryMode('filesystem');
	const credentials = new CredentialStore();
	credentials.rows.set('agencyRecordsSandbox', sandboxCredential(sandboxUrl));
	const environment = { ...(await loadPackage()), credentials };
	return {
		run: (workflow) => runWorkflow(workflow, environment),
		close() {
			keys.close();
			rmSync(folder, { recursive: true });
		},
	};
}
