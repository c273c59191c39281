// The picture of an example workflow after a run.
import { isNote } from '../../runner/workflow.mts';
import type { Editor } from '../../runtime/editor.mts';
import type { Session } from '../../runtime/n8n.mts';
import { example } from '../../runtime/station.mts';
import { importWorkflow } from '../../runtime/workflows.mts';
import { takeBoth } from './camera.mts';

export async function takeExample(editor: Editor, session: Session): Promise<void> {
	await editor.open(await importWorkflow(session, example));
	await session.endOf(await editor.executeWorkflow());
	const [, ...nodes] = example.nodes.filter((node) => !isNote(node));
	for (const { name } of nodes) await editor.succeeded(name).waitFor();
	await takeBoth(editor.page, 'example-workflow');
}
