// The pictures of the README's quick start, done in the editor, and those of a failure, of any other request, and of the
// trigger with any other list.
import { typedCredential } from '../../n8n-in-process/sandboxCredential.mts';
import type { Editor } from '../../n8n-full/editor.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { importWorkflow, pinnedRows, workflowWithRows } from '../../n8n-full/workflows.mts';
import { singleNodeCredentials } from '../../n8n-in-process/singleNode.mts';
import { manualTriggerType, workflowOf } from '../../n8n-in-process/workflow.mts';
import { credentialValues } from '../../sandbox/credentialValues.mts';
import { frameOf, take, takeBoth } from './camera.mts';
import { mileage, sheet, sheetWithMistake } from './sheet.mts';

const identityProvider = 'Password at an Identity Provider';

const providerValues = (sandboxUrl: string) => ({
	tokenUrl: credentialValues(sandboxUrl).find(({ name }) => name === 'tokenUrl')!.value,
	scope: 'https://login.example.org/records/full_access',
	additionalParameters: '{"response_type": "token"}',
});

export async function takeCredential(editor: Editor, sandboxUrl: string): Promise<void> {
	await editor.createCredential('Agency Records API', typedCredential(sandboxUrl));
	await editor.credentialWorks.waitFor();
	// While n8n saves and tests, the button is blank.
	await editor.part('credential-save-button', 'Save').waitFor();
	const frame = await frameOf(editor.part('editCredential-modal'));
	await takeBoth(editor.page, 'quickstart-2-credential', frame);
}

/** The credential's form for each grant, filled in for the sandbox and not saved; its dialog is open. */
export async function takeGrants(editor: Editor, sandboxUrl: string): Promise<void> {
	// Large enough for the longest form.
	await editor.page.setViewportSize({ width: 1200, height: 1700 });
	const content =
		'.el-dialog { --dialog--height: 1600px !important; max-height: none !important; }';
	await editor.page.addStyleTag({ content });
	const list = editor.parameter('grantType').locator('input');
	const choices = {
		'Authorization Code': 'code',
		Password: 'password',
		[identityProvider]: 'provider',
	};
	for (const [choice, name] of Object.entries(choices)) {
		const { page } = editor;
		await list.click();
		const named = page.getByText(choice, { exact: true });
		await page.getByRole('option').filter({ has: named }).last().click();
		if (choice === identityProvider)
			for (const [parameter, text] of Object.entries(providerValues(sandboxUrl)))
				await editor.type(editor.parameter(parameter).locator('input'), text);
		await page.locator(':focus').blur();
		await page.mouse.move(0, 0);
		const dialog = await frameOf(editor.part('editCredential-modal'));
		const last = await frameOf(editor.parameter('pageSize'));
		const height = last.y + last.height + 24 - dialog.y;
		await take(page, `grant-${name}`, { ...dialog, height });
	}
	await editor.page.setViewportSize({ width: 1200, height: 840 });
}

const step = {
	search: 'shift',
	node: 'Agency Shift Schedules',
	action: 'Create shift schedule',
};

async function mapColumns(editor: Editor): Promise<void> {
	await editor.map('Station', 'stationNumber');
	await editor.map('Ends', 'toDate');
	await editor.map('Begins', 'fromDate');
	await editor.map('Shift', 'name');
	// Closes what n8n shows below the last one.
	await editor.part('ndv-input-panel').getByText('Input', { exact: true }).click();
}

/** The form that is open, between its input and its output. */
async function takeForm(editor: Editor, name: string): Promise<void> {
	// While a step runs, its button is blank, and its text comes back slowly.
	await editor.part('node-execute-button').click({ trial: true });
	await editor.page.locator('.n8n-button-fade-enter-active').waitFor({ state: 'hidden' });
	// The button's tooltip covers the output while the mouse is there.
	await editor.page.mouse.move(0, 0);
	await takeBoth(editor.page, name, await frameOf(editor.part('ndv')));
}

export async function takeShifts(editor: Editor, session: N8nSession): Promise<void> {
	await editor.open(await workflowWithRows(session, 'Next Week', pinnedRows(sheet)));
	await editor.plusAfter('Next Week').click();
	await editor.search(step);
	await takeBoth(editor.page, 'quickstart-3-node');
	// Tall enough for the whole form, down to its last option.
	await editor.page.setViewportSize({ width: 1200, height: 960 });
	await editor.chooseFound(step);
	await mapColumns(editor);
	await takeForm(editor, 'quickstart-4-map');
	await editor.execute();
	// The output is wide enough for the dates.
	await editor.page.setViewportSize({ width: 1500, height: 960 });
	await takeForm(editor, 'quickstart-5-run');
	await editor.page.setViewportSize({ width: 1200, height: 960 });
}

export async function takeFailure(editor: Editor, session: N8nSession): Promise<void> {
	await editor.open(await workflowWithRows(session, 'Next Week', pinnedRows(sheetWithMistake)));
	await editor.add(step, editor.plusAfter('Next Week'));
	await mapColumns(editor);
	await editor.execute();
	await takeForm(editor, 'error');
}

/** The example of docs/requests.md. */
export async function takeRequest(editor: Editor, session: N8nSession): Promise<void> {
	const request = {
		name: 'Agency Records Request',
		type: 'n8n-nodes-agency-records.agencyRecordsRequest',
		parameters: {
			operation: 'post',
			path: '=/agencyunits/units/{{ $json.Unit }}/mileage',
			body: '={{ { miles: $json.Miles } }}',
			options: { idField: 'mileageID', sendOnceKey: '={{ $json.rowID }}' },
		},
		credentials: singleNodeCredentials,
	};
	const workflow = workflowOf('Mileage', [{ name: 'Mileage', type: manualTriggerType }, request], {
		pinData: { Mileage: pinnedRows(mileage) },
	});
	await editor.page.setViewportSize({ width: 1200, height: 780 });
	await editor.open(await importWorkflow(session, workflow));
	await editor.openForm(request.name);
	await takeForm(editor, 'request');
}

/** The example of docs/trigger.md. */
export async function takeTrigger(editor: Editor, session: N8nSession): Promise<void> {
	const trigger = {
		name: 'New Incident',
		type: 'n8n-nodes-agency-records.agencyRecordsTrigger',
		parameters: {
			resource: 'otherList',
			path: '/agencyincidents/incidents',
			rowsKey: 'incidents',
			idField: 'incidentID',
			triggerOn: ['added', 'changed'],
			onlyFields: ['incidentDateTime'],
		},
		credentials: singleNodeCredentials,
	};
	await editor.page.setViewportSize({ width: 1200, height: 960 });
	await editor.open(await importWorkflow(session, workflowOf('Incidents', [trigger])));
	await editor.openForm(trigger.name);
	await takeForm(editor, 'trigger');
}
