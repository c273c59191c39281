// `npm run bench -- faults` creates records while 13 of 100 requests go wrong, with this package and with n8n's HTTP
// Request node, and compares the records in the service with what the nodes report. docs/reliability.md has a table of
// these figures. SEEDS (default 1,2,3) and ROWS (5000) set the amount of work.
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import {
	nodeName,
	credentialStoreWith,
	singleNodeWorkflow,
} from '../n8n-in-process/singleNode.mts';
import { loadPackage } from '../n8n-in-process/package.mts';
import { sandboxCredential } from '../n8n-in-process/sandboxCredential.mts';
import { runWorkflow } from '../n8n-in-process/workflow.mts';
import { mixedFaults } from '../sandbox/mixedFaults.mts';
import { startSandbox } from '../sandbox/server.mts';
import { httpRequestType, loadHttpRequestNode } from './client/httpRequestNode.mts';
import { nodeVariants } from './client/nodeVariants.mts';
import { httpRequest, ours } from './measures.mts';

const seeds = (process.env.SEEDS ?? '1,2,3').split(',').map(Number);
const rows = Number(process.env.ROWS ?? 5000);

/**
 * Without truncated responses, since the HTTP Request node can wait for the rest of one forever, and without expiring
 * tokens, after which it fails for all rows in progress.
 */
const faults = mixedFaults.filter(({ fault }) => fault !== 'cutOff' && fault !== 'expireToken');

const settings: Record<string, Partial<INode>> = {
	'On Error: Continue': { onError: 'continueRegularOutput' },
	'Retry On Fail × 3': { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
};

/** Statuses with which the service refuses a request. After any other failure the record may exist. */
const refusals = new Set([400, 401, 403, 404, 409, 429]);

/** The outcome that an output item of either node reports. */
function reportedOutcome({ json }: { json: IDataObject }): 'created' | 'not created' | 'in doubt' {
	if (json.error === undefined) return 'created';
	const { outcome, status, httpCode } = json.error as IDataObject;
	if (outcome === 'unreadable') return 'created';
	if (outcome !== undefined) return outcome === 'inDoubt' ? 'in doubt' : 'not created';
	return refusals.has(Number(status ?? httpCode)) ? 'not created' : 'in doubt';
}

const parts = await loadPackage();
const nodeTypes = { ...parts.nodeTypes, [httpRequestType]: await loadHttpRequestNode() };
const items = Array.from({ length: rows }, (_, n) => ({
	json: {
		name: `row ${n}`,
		fromDate: '2026-03-01T07:00:00-05:00',
		toDate: '2026-03-02T07:00:00-05:00',
	},
}));

/** @returns the figures of a run, by their titles */
async function runWithFaults(
	variant: string,
	nodeSettings: Partial<INode>,
	seed: number,
): Promise<Record<string, number | string>> {
	const sandbox = await startSandbox({ seed, faults });
	const { type, parameters, typeVersion } = nodeVariants(sandbox.url).create[variant]!;
	const account = sandboxCredential(sandbox.url, { grantType: 'password' });
	const environment = { ...parts, nodeTypes, credentials: credentialStoreWith(account) };
	const run = async (rowsToSend: INodeExecutionData[]) =>
		await runWorkflow(
			singleNodeWorkflow({
				type,
				parameters,
				items: rowsToSend,
				nodeSettings: { typeVersion, ...nodeSettings },
			}),
			environment,
		);
	// n8n signs in and repeats a failed request of the HTTP Request node once. Without a token, that one repetition is
	// spent on signing in. Most runs find an earlier run's token, so one is created here.
	await run([{ json: { ...items[0]!.json, name: 'signs in' } }]);
	const { task, output } = await run(items);
	const inService = sandbox.records.list('shiftSchedule').rows.map(({ data }) => data.name);
	await sandbox.close();
	const times = items.map(({ json }) => inService.filter((name) => name === json.name).length);
	const reported = (output(nodeName)[0] ?? []).map(reportedOutcome);
	const count = (is: (item: number) => boolean) => items.filter((_, n) => is(n)).length;
	return {
		'in the service once': count((n) => times[n] === 1),
		'in the service more than once': count((n) => times[n]! > 1),
		'reported as created, not in the service': count(
			(n) => reported[n] === 'created' && times[n] === 0,
		),
		'reported as not created, in the service': count(
			(n) => reported[n] === 'not created' && times[n]! > 0,
		),
		'reported as in doubt': count((n) => reported[n] === 'in doubt'),
		error: task(nodeName)?.error?.message.slice(0, 300) ?? '–',
	};
}

for (const seed of seeds) {
	for (const [name, nodeSettings] of Object.entries(settings)) {
		for (const variant of [ours, httpRequest]) {
			console.log(
				`${rows} rows, seed ${seed}, ${variant}, ${name}:`,
				await runWithFaults(variant, nodeSettings, seed),
			);
		}
	}
}
process.exit();
