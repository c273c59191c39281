// Runs the example in n8n's own engine. It is a module of its own because the engine takes seconds to load.
import type { ITaskData } from 'n8n-workflow';

import { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { setBinaryMode } from '../../n8n-in-process/n8n.mts';
import { loadPackage } from '../../n8n-in-process/package.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { runWorkflow, type WorkflowFile } from '../../n8n-in-process/workflow.mts';

/**
 * @param sandboxUrl where the example's credential leads
 * @param onNode called with the name of each node that has run
 * @returns how the run ended, in n8n's words
 */
export async function runExample(
	example: WorkflowFile,
	sandboxUrl: string,
	onNode: (name: string, task: ITaskData) => void,
): Promise<string> {
	await setBinaryMode('filesystem');
	const credentials = new CredentialStore();
	credentials.rows.set('agencyRecordsSandbox', sandboxCredential(sandboxUrl));
	const { run } = await runWorkflow(example, { ...(await loadPackage()), credentials }, { onNode });
	return run.status;
}
