// The output of the demo.
import type { IDataObject, ITaskData } from 'n8n-workflow';

import type { RecordStore } from '../../sandbox/recordStore.mts';

const rowsShown = 5;

/** One line of a table: nested objects as JSON, and no more columns than a terminal has room for. */
function flat(json: IDataObject): Record<string, unknown> {
	const columns = Object.entries(json).slice(0, 6);
	return Object.fromEntries(
		columns.map(([key, value]) => {
			const text = typeof value === 'object' ? JSON.stringify(value) : value;
			return [key, typeof text === 'string' && text.length > 40 ? `${text.slice(0, 39)}…` : text];
		}),
	);
}

/** The output of a node. */
export function showNode(name: string, { data, error, executionTime }: ITaskData): void {
	const items = data?.main?.[0] ?? [];
	console.log(
		`\n${name}: ${items.length} item${items.length === 1 ? '' : 's'} in ${executionTime} ms`,
	);
	if (error) console.log(`  ${error.message}`);
	else console.table(items.slice(0, rowsShown).map(({ json }) => flat(json)));
	if (items.length > rowsShown) console.log(`  … and ${items.length - rowsShown} more`);
}

/** What the example has changed in the sandbox. */
export function showRecords(store: RecordStore, requests: number): void {
	const count = (kind: string) => store.counts().get(kind) ?? 0;
	const archived = count('inspectionAnswer') - store.list('inspectionAnswer').totalRows;
	console.log(`
The sandbox now holds ${count('shiftSchedule')} shift schedules and ${count('file')} uploaded file, made by this run;
${archived} inspection answer was archived, and the licenses' users were replaced. ${requests} requests in all.
Shift schedules in the sandbox:`);
	console.table(store.list('shiftSchedule').rows.map(({ id, data }) => ({ id, ...data })));
}
