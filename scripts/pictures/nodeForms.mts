// A picture of each node's form as it opens, for its page.
import type { Editor } from '../../n8n-full/editor.mts';
import type { DocumentedNode } from '../docs/package.mts';
import { frameOf, take, type Frame } from './camera.mts';

/** The form, without the empty space below its options, which are last. */
async function formFrame(editor: Editor): Promise<Frame> {
	const { x, y, width } = await frameOf(editor.part('node-parameters'));
	const options = await frameOf(editor.part('collection-parameter-add').last());
	return { x, y, width, height: options.y + options.height + 16 - y };
}

export async function takeNodeForms(
	editor: Editor,
	nodes: readonly DocumentedNode[],
): Promise<void> {
	// Large enough for the longest form without scrolling.
	await editor.page.setViewportSize({ width: 1200, height: 1700 });
	for (const { name, description, operations } of nodes) {
		const [{ operation }] = operations as [DocumentedNode['operations'][number]];
		const { displayName } = description;
		await editor.open();
		await editor.add({ search: displayName, node: displayName, action: operation.action });
		await take(editor.page, `nodes/${name}`, await formFrame(editor));
	}
}
