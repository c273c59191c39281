// `npm start`: an example workflow through n8n's own engine, with the built nodes, against the sandbox.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, ITaskData } from 'n8n-workflow';

import { CredentialStore } from '../runner/credentials.mts';
import { setBinaryMode } from '../runner/n8n.mts';
import { loadPackage } from '../runner/package.mts';
import { sandboxCredential } from '../runner/sandboxCredential.mts';
import { runWorkflow, type WorkflowFile } from '../runner/workflow.mts';
import { startSandbox, type Exchange } from '../sandbox/server.mts';

const example = 'examples/week-at-the-station.json';
const rowsShown = 5;

const workflow = JSON.parse(
	readFileSync(join(import.meta.dirname, '..', example), 'utf8'),
) as WorkflowFile;

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

function showNode(name: string, { data, error, executionTime }: ITaskData): void {
	const items = data?.main?.[0] ?? [];
	console.log(
		`\n${name}: ${items.length} item${items.length === 1 ? '' : 's'} in ${executionTime} ms`,
	);
	if (error) console.log(`  ${error.message}`);
	else console.table(items.slice(0, rowsShown).map(({ json }) => flat(json)));
	if (items.length > rowsShown) console.log(`  … and ${items.length - rowsShown} more`);
}

const exchanges: Exchange[] = [];
const sandbox = await startSandbox({ onExchange: (exchange) => exchanges.push(exchange) });
try {
	console.log(`The sandbox runs at ${sandbox.url}.`);
	await setBinaryMode('filesystem');
	const credentials = new CredentialStore();
	credentials.rows.set('agencyRecordsSandbox', sandboxCredential(sandbox.url));
	console.log(`Running "${workflow.name}" (${example}) through n8n's engine.`);
	const { run } = await runWorkflow(
		workflow,
		{ ...(await loadPackage()), credentials },
		{ onNode: showNode },
	);
	const count = (kind: string) => sandbox.store.count(kind);
	const archived = count('inspectionAnswer') - sandbox.store.list('inspectionAnswer').totalRows;
	console.log(`
The sandbox now holds ${count('shiftSchedule')} shift schedules and ${count('file')} uploaded file, made by this run;
${archived} inspection answer was archived, and the licenses' users were replaced. ${exchanges.length} requests in all.
Shift schedules in the sandbox:`);
	console.table(sandbox.store.list('shiftSchedule').rows.map(({ id, data }) => ({ id, ...data })));
	if (run.status !== 'success') {
		console.error(`The workflow ended with status "${run.status}".`);
		process.exitCode = 1;
	}
} finally {
	await sandbox.close();
}
