// One process of n8n that polls the built trigger. What n8n keeps in its database is kept in files; both are written
// side by side and take their time, so that whoever kills the process may come in between.
// Arguments: the folder of the files, the sandbox, the trigger's parameters. Started by n8n.mts.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialStoreWith } from '../../../n8n-in-process/singleNode.mts';
import { loadPackage } from '../../../n8n-in-process/package.mts';
import { activate, type ActiveTrigger } from '../../../n8n-in-process/polling.mts';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';

/** The parent asks for a poll by its number; this is what came of it. */
export interface Polled {
	poll: number;
	error?: string;
}

/** What the parent is told: that items are being written, or what came of the poll. */
export type Report = 'given' | Polled;

/** Milliseconds that writing takes at most. */
const slowest = 30;

const [folder, sandbox, parameters] = process.argv.slice(2) as [string, string, string];
const staticDataFile = join(folder, 'static-data.json');
const credentials = credentialStoreWith(sandboxCredential(sandbox, { grantType: 'password' }));
const parts = { ...(await loadPackage()), credentials };

/** Each write waits for the ones before it. */
function writer() {
	let last = Promise.resolve();
	return (file: string, data: unknown): Promise<void> =>
		(last = last.then(async () => {
			await delay(Math.random() * slowest);
			// In one step: nobody reads half a file.
			writeFileSync(`${file}.draft`, JSON.stringify(data));
			renameSync(`${file}.draft`, file);
		}));
}
const writeExecution = writer();
const writeStaticData = writer();

const tell = (report: Report) => process.send!(report);

let poll = 0;
let error: string | undefined;
let writes: Array<Promise<void>> = [];
let active: ActiveTrigger | undefined;

const start = () =>
	activate(
		{
			type: 'n8n-nodes-agency-records.agencyRecordsTrigger',
			parameters: JSON.parse(parameters) as INodeParameters,
			staticData: existsSync(staticDataFile)
				? (JSON.parse(readFileSync(staticDataFile, 'utf8')) as IDataObject)
				: undefined,
		},
		parts,
		{
			onItems(items) {
				tell('given');
				const file = join(folder, `execution-${String(poll).padStart(5, '0')}.json`);
				const content = { pid: process.pid, poll, items: items.map(({ json }) => json) };
				writes.push(writeExecution(file, content));
			},
			onStaticData: (data) => void writes.push(writeStaticData(staticDataFile, data)),
			onError: ({ message }) => void (error = message),
		},
	);

process.on('disconnect', () => process.exit());
process.on('message', (number: number) => {
	void (async () => {
		[poll, error, writes] = [number, undefined, []];
		try {
			if (active) await active.poll();
			else active = await start();
		} catch (thrown) {
			error = (thrown as Error).message;
		}
		await Promise.all(writes);
		tell({ poll, error });
	})();
});
tell({ poll: 0 });
