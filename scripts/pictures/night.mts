// The first pictures: a night with two failed rows, and what a person sees the next morning.
import type { Editor } from '../../n8n-full/editor.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { importWorkflow, pinnedRows } from '../../n8n-full/workflows.mts';
import { singleNodeCredentials } from '../../n8n-in-process/singleNode.mts';
import { manualTriggerType, workflowOf } from '../../n8n-in-process/workflow.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { frameOf, take, takeBoth } from './camera.mts';
import { takeExample } from './examples.mts';

const columns = ['rowID', 'name', 'fromDate', 'outcome'];

export async function takeNight(
	editor: Editor,
	session: N8nSession,
	{ faults }: Sandbox,
): Promise<void> {
	const { page } = editor;
	await page.setViewportSize({ width: 2800, height: 2000 });
	faults.set([{ fault: 'resetAfter', operation: 'createShiftSchedule', times: 1 }]);
	await takeExample(editor, session, 'failed-rows-to-a-table', takeBoth);
	faults.set([]);

	await page.setViewportSize({ width: 1250, height: 840 });
	await page.goto(new URL('/home/datatables', page.url()).href);
	await page.getByText('Failed Shift Schedules').click();
	for (const name of columns) {
		// Makes the column as wide as its texts.
		await page.getByRole('columnheader', { name }).locator('.ag-header-cell-resize').dblclick();
	}
	// A cell is one line. Opened, it shows all of its text, here without the selection.
	await page
		.getByRole('gridcell', { name: /^May already/ })
		.first()
		.dblclick();
	const text = page.locator('.ag-popup-editor textarea');
	await text.waitFor();
	await page.keyboard.press('End');
	await page.mouse.move(0, 0);
	const { x, y } = await frameOf(page.getByRole('grid'));
	const opened = await frameOf(text);
	const [right, bottom] = [opened.x + opened.width + 12, opened.y + opened.height + 12];
	await takeBoth(page, 'failed-rows', { x, y, width: right - x, height: bottom - y });
}

/** A row in doubt, run alone in the editor, and the answers to choose from. */
export async function takeDoubt(
	editor: Editor,
	session: N8nSession,
	{ faults }: Sandbox,
): Promise<void> {
	const operation = 'createShiftSchedule';
	const create = {
		name: 'Create Shift Schedules',
		type: 'n8n-nodes-agency-records.agencyShiftSchedules',
		parameters: {
			specifyFields: 'inputItem',
			options: { sendOnceKey: '={{ $json.rowID }}', sendOnceLookedUp: 'leave' },
		},
		credentials: singleNodeCredentials,
	};
	const rows = [
		{
			rowID: '2026-103',
			name: 'C shift',
			fromDate: '2026-03-04T07:00:00',
			toDate: '2026-03-05T07:00:00',
			stationNumber: '4',
		},
	];
	const night = { name: 'Just This Row', type: manualTriggerType };
	const workflow = await importWorkflow(
		session,
		workflowOf('One Row', [night, create], { pinData: { [night.name]: pinnedRows(rows) } }),
	);
	faults.set([{ fault: 'resetAfter', operation, times: 1 }]);
	await session.endOf(await session.start(workflow, night.name));
	faults.set([]);
	const { page } = editor;
	await page.setViewportSize({ width: 1500, height: 940 });
	await editor.open(workflow);
	await editor.openForm(create.name);
	await editor.execute();
	await editor.parameter('sendOnceLookedUp').locator('input').click();
	await editor.openList.waitFor();
	await page.mouse.move(0, 0);
	await take(page, 'row-in-doubt', await frameOf(editor.part('ndv')));
}

/** The service's list settles what the previous run left in doubt. */
export async function takeSettling(
	editor: Editor,
	session: N8nSession,
	{ dialects, faults, records }: Sandbox,
): Promise<void> {
	const operation = 'createShiftSchedule';
	dialects.beyondSpec = 'lists';
	// Other examples plan the same shifts, and the list could not tell whose they are.
	for (const { id } of records.list('shiftSchedule').rows) records.remove('shiftSchedule', id);
	await editor.page.setViewportSize({ width: 2800, height: 2000 });
	await takeExample(editor, session, 'rows-in-doubt-settle-themselves', take, async (workflow) => {
		faults.set([
			{ fault: 'resetAfter', operation, times: 1 },
			{ fault: 'resetBefore', operation, times: 1 },
		]);
		await session.endOf(await session.start(workflow, 'Every Night'));
		faults.set([]);
	});
	dialects.beyondSpec = 'nothing';
}
