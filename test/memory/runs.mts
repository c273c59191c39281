// Runs the built package again and again, and prints by how much the heap has grown.
// Argument: Base URL of a sandbox.
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { loadPackage } from '../../n8n-in-process/package.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { credentialStoreWith, singleNodeWorkflow } from '../../n8n-in-process/singleNode.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';
import { aDay } from '../harness/aDay.mts';

const [baseUrl = ''] = process.argv.slice(2);
const parts = {
	...(await loadPackage()),
	credentials: credentialStoreWith(sandboxCredential(baseUrl)),
};

const workflowOf = (node: string, parameters: object, rows: IDataObject[]) =>
	singleNodeWorkflow({
		type: `n8n-nodes-agency-records.${node}`,
		parameters: { ...parameters },
		items: rows.map((json) => ({ json })),
		nodeSettings: { onError: 'continueRegularOutput' },
	});
/** The first gets a record for each request, the second some refusals; the third reads three pages. */
const workflows = [
	workflowOf(
		'agencyShiftSchedules',
		{ specifyFields: 'inputItem' },
		Array<IDataObject>(10).fill({ ...aDay, name: 'A' }),
	),
	workflowOf(
		'agencyShifts',
		{ shiftID: '={{ $json.id }}' },
		[101, 102, 999].map((id) => ({ id })),
	),
	workflowOf('agencyVendors', { returnAll: true }, [{}]),
];
const requestsOfRound = 16;

async function run(rounds: number): Promise<void> {
	for (let round = 0; round < rounds; round++)
		await Promise.all(workflows.map((workflow) => runWorkflow(workflow, parts)));
}

/** Bytes in use once nothing more can be freed: freeing one object may make others unreachable. */
async function heap(): Promise<number> {
	for (let round = 0; round < 5; round++) {
		globalThis.gc!();
		await delay(20);
	}
	return process.memoryUsage().heapUsed;
}

const rounds = 200;
// n8n loads its parts and fills its caches once.
await run(100);
const before = await heap();
await run(rounds);
console.log(JSON.stringify({ bytes: (await heap()) - before, requests: rounds * requestsOfRound }));
