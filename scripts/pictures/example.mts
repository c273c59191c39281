// The picture of an example workflow after a run.
import { isNote } from '../../n8n-in-process/workflow.mts';
import type { Editor } from '../../n8n-full/editor.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { weekExample } from '../../n8n-full/n8nWithSandbox.mts';
import { importWorkflow } from '../../n8n-full/workflows.mts';
import { takeBoth } from './camera.mts';

export async function takeExample(editor: Editor, session: N8nSession): Promise<void> {
	await editor.open(await importWorkflow(session, weekExample));
	await session.endOf(await editor.executeWorkflow());
	const [, ...nodes] = weekExample.nodes.filter((node) => !isNote(node));
	for (const { name } of nodes) await editor.succeeded(name).waitFor();
	// While the workflow runs, its button is blank.
	await editor.part('execute-workflow-button', 'Execute workflow').waitFor();
	await takeBoth(editor.page, 'example-workflow');
}
