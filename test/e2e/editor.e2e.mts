// The editor as a person uses it, in a real browser: a department's tasks, done with what the screen shows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { typedCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { workflowOf } from '../../n8n-in-process/workflow.mts';
import { chromiumPath } from '../../n8n-full/browser.mts';
import type { Editor } from '../../n8n-full/editor.mts';
import {
	openEditorWithSandbox,
	type EditorWithSandbox,
} from '../../n8n-full/editorWithSandbox.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { importWorkflow, pinnedRows, workflowWithRows } from '../../n8n-full/workflows.mts';

const skip = chromiumPath ? false : 'no Chromium on this machine';

let environment: EditorWithSandbox;
let session: N8nSession;
let editor: Editor;

before(
	async () => {
		if (skip) return;
		environment = await openEditorWithSandbox(15_688);
		({ session, editor } = environment);
	},
	{ timeout: 20 * 60_000 },
);
after(() => environment?.close());

const task = (name: string, work: () => Promise<void>): void =>
	void test(name, { skip }, async () => {
		await work();
		assert.deepEqual(editor.errors.splice(0), []);
	});

const made = (kind: string) => environment.sandbox.records.list(kind).rows.map(({ data }) => data);

task('a credential is entered, and its test says that it works', async () => {
	await editor.createCredential('Agency Records API', typedCredential(environment.sandbox.url));
	await editor.credentialWorks.waitFor();
	const [tested] = environment.exchanges.slice(-1);
	assert.deepEqual([tested?.operation, tested?.status], ['listVendors', 200]);
});

task('the vendors of one state are looked up', async () => {
	const [first] = made('vendor') as [{ state: string }];
	await editor.open();
	await editor.add({ search: 'supplier', node: 'Agency Vendors', action: 'Get many vendors' });
	await editor.page.getByPlaceholder('Add Filter').click();
	const filters = editor.page.getByRole('option').filter({ visible: true });
	await filters.filter({ hasText: /^\s*Filter\s*$/ }).click();
	await editor.type(editor.parameter('filter').locator('input'), `state eq "${first.state}"`);
	await editor.execute();
	const expected = made('vendor').filter(({ state }) => state === first.state);
	assert.match(await editor.outputs.innerText(), new RegExp(`^${expected.length} items`));
});

const week = Array.from({ length: 7 }, (_, day) => ({
	begins: `2026-03-0${day + 1}T07:00:00`,
	ends: `2026-03-0${day + 2}T07:00:00`,
	name: `${'ABC'[day % 3]} shift, day ${day + 1}`,
}));

/** The agency's shifts of next week, each with its station, by name. */
const planned = () =>
	made('shiftSchedule')
		.map(({ name, stationNumber }) => `${String(name)} at ${String(stationNumber)}`)
		.sort();

const shiftSchedule = {
	search: 'shift',
	node: 'Agency Shift Schedules',
	action: 'Create shift schedule',
};

task('next week is planned: columns of a sheet are dragged onto the form', async () => {
	const rows = week.map(({ name, begins, ends }) => ({
		Shift: name,
		Begins: begins,
		Ends: ends,
		Station: '4',
	}));
	await editor.open(await workflowWithRows(session, 'Next Week', pinnedRows(rows)));
	await editor.add(shiftSchedule, editor.plusAfter('Next Week'));
	await editor.map('Station', 'stationNumber');
	await editor.map('Ends', 'toDate');
	await editor.map('Begins', 'fromDate');
	await editor.map('Shift', 'name');
	await editor.execute();
	assert.match(await editor.outputs.innerText(), /^7 items/);
	assert.deepEqual(planned(), week.map(({ name }) => `${name} at 4`).sort());
});

const agent = workflowOf('Dispatcher', [
	{ name: 'Dispatcher', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 2 },
]);

task('an agent gets a tool: each field can be left to it', async () => {
	await editor.open(await importWorkflow(session, agent));
	await editor.add(
		{ search: 'shift', node: 'Agency Shift Schedules Tool' },
		editor.plusTool('Dispatcher'),
	);
	const fields = ['name', 'fromDate', 'toDate', 'stationNumber'];
	await editor.leftToAgent.nth(fields.length - 1).waitFor();
	assert.equal(await editor.leftToAgent.count(), fields.length);
	for (let left = fields.length; left > 0; left--) {
		await editor.leftToAgent.first().click();
		await editor.leftToAgent.nth(left - 1).waitFor({ state: 'detached' });
	}
});
