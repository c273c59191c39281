// A night in which records are made by one node, and what the books and the node say of it in the morning.
import type { INode, INodeParameters } from 'n8n-workflow';

import { nodeName, storeWith, workflowOf } from '../../runner/oneNode.mts';
import { loadPackage } from '../../runner/package.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { runWorkflow } from '../../runner/workflow.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { httpRequestType, loadHttpRequest } from '../client/httpRequest.mts';
import { nodeWays } from '../client/ways.mts';
import { claimOf } from './claim.mts';

export interface Way {
	name: string;
	/** Among the benchmark's ways of creating. */
	way: string;
	node$: Partial<INode>;
	/** Beside the way's own. */
	options?: INodeParameters;
}

export interface Night {
	/** Of the dice that decide what strikes. */
	seed: number;
	/** Records to make. */
	rows: number;
	faults: FaultRule[];
	/** Milliseconds the service takes to answer. */
	latency?: number;
	/** From the time on at which so many requests have been answered, every answer is lost. */
	answersLostAfter?: number;
}

const parts = await loadPackage();
const nodeTypes = { ...parts.nodeTypes, [httpRequestType]: await loadHttpRequest() };

/** Figures by what they say, in words to show. */
export async function spend(
	{ way, node$, options }: Way,
	{ seed, rows, faults, latency, answersLostAfter = Infinity }: Night,
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
	const credentials = storeWith(sandboxCredential(sandbox.url, { grantType: 'password' }));
	const items = Array.from({ length: rows }, (_, n) => ({ json: { name: `row ${n}` } }));
	const { type, parameters, node$: own } = nodeWays(sandbox.url).create[way]!;
	const { task, output } = await runWorkflow(
		workflowOf({
			type,
			parameters: { ...parameters, ...(options && { options }) },
			items,
			node$: { ...own, ...node$ },
		}),
		{ ...parts, nodeTypes, credentials },
	);
	const books = sandbox.records.countBy('shiftSchedule', 'name');
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
