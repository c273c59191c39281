// The first pictures: a night with two rows that fail, and what a person sees of it the morning after.
import type { Editor } from '../../n8n-full/editor.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { frameOf, takeBoth } from './camera.mts';
import { takeExample } from './examples.mts';

const columns = ['rowID', 'name', 'fromDate', 'outcome', 'error'];

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

	await page.setViewportSize({ width: 1700, height: 840 });
	await page.goto(new URL('/home/datatables', page.url()).href);
	await page.getByText('Failed Shift Schedules').click();
	for (const name of columns) {
		// Makes the column as wide as its texts.
		await page.getByRole('columnheader', { name }).locator('.ag-header-cell-resize').dblclick();
	}
	await page.setViewportSize({ width: 1150, height: 840 });
	await page.mouse.move(0, 0);
	const lastRow = await frameOf(page.getByRole('row', { name: 'shift' }).last());
	const { x, y, width } = await frameOf(page.getByRole('grid'));
	await takeBoth(page, 'failed-rows', { x, y, width, height: lastRow.y + lastRow.height - y });
}
