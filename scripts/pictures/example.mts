// The picture of an example workflow after a run.
import { isNote } from '../../runner/workflow.mts';
import type { Editor } from '../../runtime/editor.mts';
import type { N8nSession } from '../../runtime/fullN8n.mts';
import { weekExample } from '../../runtime/n8nWithSandbox.mts';
import { importWorkflow } from '../../runtime/workflows.mts';
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
