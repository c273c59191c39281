// Lets one node create records while the service is faulty, and compares the records in the service with what the
// node reports.
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import {
	nodeName,
	credentialStoreWith,
	singleNodeWorkflow,
} from '../../n8n-in-process/singleNode.mts';
import { loadPackage } from '../../n8n-in-process/package.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { httpRequestType, loadHttpRequestNode } from '../client/httpRequestNode.mts';
import { nodeVariants } from '../client/nodeVariants.mts';

export interface FaultRunVariant {
	name: string;
	/** One of the variants that `npm run bench` compares for creating. */
	variant: string;
	nodeSettings: Partial<INode>;
	/** Options of the node, in place of the variant's own. */
	options?: INodeParameters;
}

export interface FaultRun {
	/** The seed of the random numbers that decide which requests fail. */
	seed: number;
	/** How many records to create. */
	rows: number;
	faults: FaultRule[];
	/** The milliseconds before each answer. */
	latency?: number;
	/** After this many answers, every further answer is lost on its way. */
	answersLostAfter?: number;
}

/** Statuses with which the service refuses a request. After every other failure the record may have been created. */
const refusals = new Set([400, 401, 403, 404, 409, 429]);

/** What an output item, of this package's nodes or of the HTTP Request node, says of its record. */
function reportedOutcome({ json }: { json: IDataObject }): 'created' | 'not created' | 'in doubt' {
	if (json.error === undefined) return 'created';
	const { outcome, status, httpCode } = json.error as IDataObject;
	if (outcome === 'done') return 'created';
	if (outcome !== undefined) return outcome === 'unknown' ? 'in doubt' : 'not created';
	return refusals.has(Number(status ?? httpCode)) ? 'not created' : 'in doubt';
}

const parts = await loadPackage();
const nodeTypes = { ...parts.nodeTypes, [httpRequestType]: await loadHttpRequestNode() };

/** @returns the figures of the run, by the words that are printed beside them */
export async function runWithFaults(
	{ variant, nodeSettings, options }: FaultRunVariant,
	{ seed, rows, faults, latency, answersLostAfter = Infinity }: FaultRun,
): Promise<Record<string, number | string>> {
	let answered = 0;
	const sandbox = await startSandbox({
		seed,
		faults,
		latency,
		onExchange: () => {
			if (++answered === answersLostAfter) sandbox.faults.set([{ fault: 'resetAfter' }]);
		},
	});
	const credentials = credentialStoreWith(
		sandboxCredential(sandbox.url, { grantType: 'password' }),
	);
	const items = Array.from({ length: rows }, (_, n) => ({ json: { name: `row ${n}` } }));
	const { type, parameters, typeVersion } = nodeVariants(sandbox.url).create[variant]!;
	const { task, output } = await runWorkflow(
		singleNodeWorkflow({
			type,
			parameters: { ...parameters, ...(options && { options }) },
			items,
			nodeSettings: { typeVersion, ...nodeSettings },
		}),
		{ ...parts, nodeTypes, credentials },
	);
	const timesInService = sandbox.records.countBy('shiftSchedule', 'name');
	await sandbox.close();
	const [outputItems = []] = output(nodeName);
	const times = items.map(({ json }) => timesInService.get(json.name) ?? 0);
	const count = (is: (item: number) => boolean) => items.filter((_, n) => is(n)).length;
	const reported = outputItems.map(reportedOutcome);
	return {
		'records, wanted once': rows,
		'in the service once': count((n) => times[n] === 1),
		'in the service more than once': count((n) => times[n]! > 1),
		'records in the service': times.reduce((sum, n) => sum + n, 0),
		'reported as created, not in the service': count(
			(n) => reported[n] === 'created' && times[n] === 0,
		),
		'reported as not created, in the service': count(
			(n) => reported[n] === 'not created' && times[n]! > 0,
		),
		'reported as in doubt': reported.filter((outcome) => outcome === 'in doubt').length,
		'the error when it stopped': task(nodeName)?.error?.message.slice(0, 300) ?? '–',
	};
}
