// What the agency's books hold, and what a node says of it, after a night on which 15 of 100 requests went wrong:
// our node beside n8n's HTTP Request node. `npm run bench:faults`; SEEDS and ROWS change its size.
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, INode } from 'n8n-workflow';

import { nodeName, storeWith, workflowOf } from '../runner/oneNode.mts';
import { loadPackage } from '../runner/package.mts';
import { sandboxCredential } from '../runner/sandboxCredential.mts';
import { runWorkflow } from '../runner/workflow.mts';
import type { FaultRule } from '../sandbox/faults.mts';
import { startSandbox } from '../sandbox/server.mts';
import { storm } from '../sandbox/storm.mts';
import * as names from './names.mts';
import { httpRequestType, loadHttpRequest } from './client/httpRequest.mts';
import { nodeWays } from './client/ways.mts';

const seeds = (process.env.SEEDS ?? '1,2,3').split(',').map(Number);
const rows = Number(process.env.ROWS ?? 5000);

interface Way {
	name: string;
	/** Among the benchmark's ways of creating. */
	way: string;
	node$: Partial<INode>;
}

const goOn: Partial<INode> = { onError: 'continueRegularOutput' };
const again: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const ways: Way[] = [
	{ name: 'this package', way: names.ours, node$: goOn },
	{ name: 'HTTP Request', way: names.httpRequest, node$: goOn },
	{ name: 'this package, Retry On Fail × 3', way: names.ours, node$: again },
	{ name: 'HTTP Request, Retry On Fail × 3', way: names.httpRequest, node$: again },
];

const parts = await loadPackage();
const nodeTypes = { ...parts.nodeTypes, [httpRequestType]: await loadHttpRequest() };

/** Statuses that say no; every other failure leaves open what became of the record. */
const saysNo = new Set([400, 401, 403, 404, 409, 429]);

/** What an output item says of its record: made, not made, or nothing that helps. */
function claimOf({ json }: { json: IDataObject }): 'made' | 'not made' | 'open' {
	if (json.error === undefined) return 'made';
	const details = json.details as IDataObject | undefined;
	if (details?.outcome !== undefined) {
		if (details.outcome === 'done') return 'made';
		return details.outcome === 'unknown' ? 'open' : 'not made';
	}
	const error = json.error as IDataObject;
	return saysNo.has(Number(error.status ?? error.httpCode)) ? 'not made' : 'open';
}

/** The HTTP Request node waits for ever for an answer that broke off before it came to read it. */
const survivable = storm.filter(({ fault }) => fault !== 'cutOff');

async function measure({ way, node$ }: Way, seed: number, plan: FaultRule[]) {
	const sandbox = await startSandbox({ seed, faults: plan });
	const credentials = storeWith(sandboxCredential(sandbox.url, { grantType: 'password' }));
	const items = Array.from({ length: rows }, (_, n) => ({ json: { name: `row ${n}` } }));
	const chosen = nodeWays(sandbox.url).create[way]!;
	const { task, output } = await runWorkflow(
		workflowOf({ ...chosen, items, node$: { ...chosen.node$, ...node$ } }),
		{ ...parts, nodeTypes, credentials },
	);
	const books = new Map<unknown, number>();
	for (const { data } of sandbox.store.list('shiftSchedule').rows) {
		books.set(data.name, (books.get(data.name) ?? 0) + 1);
	}
	await sandbox.close();
	const [made = []] = output(nodeName);
	const times = items.map(({ json }) => books.get(json.name) ?? 0);
	const count = (is: (item: number) => boolean) => items.filter((_, n) => is(n)).length;
	const claims = made.map(claimOf);
	return {
		'records, wanted once': rows,
		'in the books once': count((n) => times[n] === 1),
		'more than once': count((n) => times[n]! > 1),
		'records in all': times.reduce((sum, n) => sum + n, 0),
		'said made, is not there': count((n) => claims[n] === 'made' && times[n] === 0),
		'said not made, is there': count((n) => claims[n] === 'not made' && times[n]! > 0),
		'left open by its item': claims.filter((claim) => claim === 'open').length,
		'the error when it stopped': task(nodeName)?.error?.message.slice(0, 300) ?? '–',
	};
}

for (const seed of seeds) {
	for (const way of ways) {
		console.log(`Seed ${seed}, ${way.name}:`, await measure(way, seed, survivable));
	}
}
const patience = 60;
for (const way of ways.slice(0, 2)) {
	const end = await Promise.race([
		measure(way, 1, storm).then(() => 'ended'),
		delay(patience * 1000, `has not ended after ${patience} s`, { ref: false }),
	]);
	console.log(`With answers that break off, ${way.name}: ${end}`);
}
process.exit();
