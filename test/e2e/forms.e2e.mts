// Every form as the editor draws it: a person can read each text to its end.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { loadPackage } from '../../n8n-in-process/package.mts';
import { workflowOf, type Step } from '../../n8n-in-process/workflow.mts';
import { chromiumPath } from '../../n8n-full/browser.mts';
import { cutTexts } from '../../n8n-full/cutTexts.mjs';
import type { Editor } from '../../n8n-full/editor.mts';
import {
	openEditorWithSandbox,
	type EditorWithSandbox,
} from '../../n8n-full/editorWithSandbox.mts';
import { createWorkflow } from '../../n8n-full/workflows.mts';

const skip = chromiumPath ? false : 'no Chromium on this machine';

const { nodeTypes } = await loadPackage(join(import.meta.dirname, '..', '..'));
const nodes = Object.entries(nodeTypes).map(([type, { description }]) => ({ type, description }));

let environment: EditorWithSandbox | undefined;
let editor: Editor;

before(
	async () => {
		if (skip) return;
		environment = await openEditorWithSandbox(15_692);
		editor = environment.editor;
	},
	{ timeout: 20 * 60_000 },
);
after(() => environment?.close());

const task = (name: string, work: () => Promise<void>): void => void test(name, { skip }, work);

task('the node panel, with all that the nodes do', async () => {
	await editor.open();
	await editor.part('canvas-plus-button').click();
	for (const { description } of nodes) {
		const { displayName, polling } = description;
		// The panel names a trigger after its service.
		const node = polling ? displayName.replace(/ Trigger$/, '') : displayName;
		await editor.search({ search: displayName, node });
		assert.deepEqual(await cutTexts(editor.part('node-creator')), []);
	}
});

/** Everything a collection can hold, with each input's initial value. */
const everythingIn = ({ options }: INodeProperties) =>
	Object.fromEntries(
		(options as INodeProperties[]).map((option) => [option.name, option.default] as const),
	);

/** Shows inputs that depend on an earlier choice. */
const choices = { output: 'selected' };

const withEverything = ({ properties }: INodeTypeDescription) => ({
	...choices,
	...Object.fromEntries(
		properties
			.filter(({ type }) => type === 'collection')
			.map((collection) => [collection.name, everythingIn(collection)] as const),
	),
});

/** Nodes whose inputs offer every list there is, except those of resources and operations. */
const withLists = ['Agency Vendors', 'Agency Shift Schedules', 'Agency Records Trigger'];

/** Texts that cannot be read in the lists that the form's inputs open. */
async function cutInLists(): Promise<string[]> {
	const cut: string[] = [];
	for (const input of await editor.lists.all()) {
		await input.click();
		await editor.openList.waitFor();
		cut.push(...(await cutTexts(editor.openList)));
		await editor.page.keyboard.press('Escape');
		await editor.openList.waitFor({ state: 'hidden' });
	}
	return cut;
}

task('with everything that can be added', async () => {
	const steps = nodes.map(
		({ type, description }, at): Step => ({
			name: description.displayName,
			type,
			position: [(at % 5) * 200, Math.floor(at / 5) * 160],
			parameters: withEverything(description),
		}),
	);
	const everything = { ...workflowOf('Everything', steps), connections: {} };
	const workflow = await createWorkflow(environment!.session, everything);
	await editor.open(workflow);
	const cut: Record<string, string[]> = {};
	for (const { description } of nodes) {
		await editor.openForm(description.displayName);
		cut[description.displayName] = await cutTexts(editor.part('node-parameters'));
		if (withLists.includes(description.displayName))
			cut[`lists of ${description.displayName}`] = await cutInLists();
		await editor.closeForm();
	}
	const found = Object.entries(cut).filter(([, texts]) => texts.length > 0);
	assert.deepEqual(Object.fromEntries(found), {});
});

task('the credential', async () => {
	await editor.createCredential('Agency Records API', {});
	const form = editor.part('editCredential-modal');
	assert.deepEqual(await cutTexts(form), []);
});
