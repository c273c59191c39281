// `npm start`: an example workflow through n8n's own engine, with the built nodes, against the sandbox.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { WorkflowFile } from '../n8n-in-process/workflow.mts';
import { startSandbox } from '../sandbox/server.mts';
import { showRecords, showNode } from './demo/show.mts';

const usage = `Usage: npm start -- [options]

  --keep  keep the sandbox and its page open until Ctrl-C`;

const example = 'examples/week-at-the-station.json';
const workflow = JSON.parse(
	readFileSync(join(import.meta.dirname, '..', example), 'utf8'),
) as WorkflowFile;

const whereNext = (page: string, keepOpen: boolean) => `
Where to look next
${
	keepOpen
		? `  ${page.padEnd(24)} the sandbox's page: its records, requests and faults, until Ctrl-C`
		: "  npm start -- --keep      the same, and the sandbox's page stays open for your browser"
}
  npm run editor           the full n8n with these nodes and the examples, to click through
  README.md                five steps from a list of shifts to shifts on the schedule
  docs/sandbox.md          rehearse failures: make the sandbox slow, busy or broken`;

async function main(keepOpen: boolean) {
	let requests = 0;
	const sandbox = await startSandbox({ onExchange: () => requests++ });
	try {
		console.log("Loading n8n's engine …");
		const { runExample } = await import('./demo/run.mts');
		console.log(`The sandbox runs at ${sandbox.url}${keepOpen ? ': open it in a browser' : ''}.`);
		console.log(`Running "${workflow.name}" (${example}) through n8n's engine.`);
		const since = Date.now();
		const status = await runExample(workflow, sandbox.url, showNode);
		showRecords(sandbox.records, requests);
		console.log(`The run took ${((Date.now() - since) / 1000).toFixed(1)} s.`);
		if (status !== 'success') {
			console.error(`The workflow ended with status "${status}".`);
			process.exitCode = 1;
		}
		console.log(whereNext(sandbox.url, keepOpen));
		if (keepOpen) await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
	} finally {
		await sandbox.close();
	}
}

const { values } = parseArgs({
	options: { keep: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) console.log(usage);
else await main(values.keep);
