// `npm start`: two nights of an example through n8n's own engine, with the built nodes, against the sandbox.
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { startSandbox, type Sandbox } from '../sandbox/server.mts';
import { example, nightOf, rowsOfTheNight, sender } from './demo/night.mts';
import { showNight, showSchedules } from './demo/show.mts';

const usage = `Usage: npm start -- [options]

  --keep  keep the sandbox and its page open until Ctrl-C`;

const introduction = `
Every night at 2, rows of a spreadsheet become shifts on the schedule in a fire department's
records service, each of them once. Rows that fail go to a table, with the reason, for the
morning after. Here, a sandbox on this machine stands in for the service.

This is the node "${sender}" of ${example}, in n8n's own engine.
The nodes around it, n8n's schedule and its table, need the full n8n (npm run editor).`;

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

/** The first night has a broken connection and a wrong date; the second has the same rows with the date corrected. */
async function runNights({ url, faults, records }: Sandbox): Promise<void> {
	const { openEngine } = await import('./demo/run.mts');
	const engine = await openEngine(url);
	try {
		const rows = rowsOfTheNight();
		const night = async () => {
			const { run, ...result } = await engine.run(nightOf(rows));
			if (run.status !== 'success') throw run.data.resultData.error ?? new Error(run.status);
			showNight(result, sender);
		};

		console.log(introduction);
		console.log(`
NIGHT 1: ${rows.length} rows. The date of one could mean two days, and the connection breaks
while the service is processing another.
`);
		faults.set([{ fault: 'resetAfter', operation: 'createShiftSchedule', times: 1 }]);
		await night();

		console.log(`
NIGHT 2: the source gives the same rows. Somebody has corrected the date.
`);
		rows.at(-1)!.toDate = '2026-03-08T07:00:00';
		await night();
		showSchedules(records);
		console.log(`
Each row is there once. The one in doubt was in fact processed: sent again, it would be there
twice. So it stays in the table until a person has looked it up.`);
	} finally {
		engine.close();
	}
}

async function main(keepOpen: boolean) {
	console.log("Loading n8n's engine …");
	const sandbox = await startSandbox();
	try {
		await runNights(sandbox);
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
