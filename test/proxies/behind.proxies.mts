// What the nodes report behind real proxies is compared with the service's books, row by row: nothing is doubled, and
// each row that is reported as done is there, and each that is reported as not done is not.
// OPERATIONS names the operations to try, separated by commas; all of them if it is not given.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';

import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { loadPackage } from '../../n8n-in-process/package.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import {
	credentialStoreWith,
	nodeName,
	singleNodeWorkflow,
} from '../../n8n-in-process/singleNode.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';
import { faults, type ProxyFault } from './faults.mts';
import { operations, type Operation } from './operations.mts';
import { proxyNames, startProxy, type ProxyName } from './proxies.mts';
import { Service } from './service.mts';
import { saveResults, type ProxyResult } from './writeTable.mts';

const tried = process.env.OPERATIONS?.split(',') ?? Object.keys(operations);
const parts = await loadPackage();
const results: ProxyResult[] = [];

/** The outcome of each row, with its output. */
type Row = { outcome: string; output: INodeExecutionData[] };

async function rowsOf(
	{ type, parameters }: Operation,
	url: string,
	items: INodeExecutionData[],
): Promise<Row[]> {
	const { task, output } = await runWorkflow(
		singleNodeWorkflow({
			type: `n8n-nodes-agency-records.${type}`,
			parameters: {
				...parameters,
				options: { ...(parameters.options as IDataObject), maxWait: 20, timeout: 20 },
			},
			items,
			nodeSettings: { onError: 'continueRegularOutput' },
		}),
		{
			...parts,
			credentials: credentialStoreWith(sandboxCredential(url, { grantType: 'password' })),
		},
	);
	assert.equal(task(nodeName)?.error, undefined);
	const [returned = []] = output(nodeName);
	return items.map((_, n) => {
		const own = returned.filter(({ pairedItem }) => (pairedItem as IPairedItemData).item === n);
		const error = own.find(({ json }) => json.error)?.json.error as IDataObject | undefined;
		return { outcome: String(error?.outcome ?? (own.length > 0 ? 'success' : 'no output')), output: own };
	});
}

async function tryBehind(name: ProxyName, fault: ProxyFault, operation: Operation) {
	const service = await Service.start(operation.operationId);
	const proxy = await startProxy(name, service.port, fault.settings?.[name]);
	const items = operation.items(service);
	let rows: Row[];
	try {
		const { rule, toAll, during } = fault;
		const some = Math.ceil(operation.requests / 8);
		const first: typeof rule = { fault: 'delayBefore', milliseconds: 0, times: some };
		if (rule) service.setFaults(toAll ? [rule] : [first, { ...rule, times: some }]);
		[rows] = await Promise.all([
			rowsOf(operation, proxy.url, items),
			during && service.requestsArrived(some).then(() => during(service, proxy)),
		]);
	} finally {
		// What the service still has to do, it does when its proxy is gone.
		await proxy.stop();
		await service.stop();
	}
	return rows.map(({ outcome, output }, n) => ({
		outcome,
		times: operation.timesDone(service, items[n]!, output),
	}));
}

for (const name of proxyNames) {
	void describe(`behind ${name}`, { concurrency: 4 }, () => {
		for (const fault of faults) {
			if (fault.settings && !fault.settings[name]) continue;
			for (const title of tried) {
				const operation = operations[title]!;
				void test(`${fault.title}: ${title}`, async (t) => {
					const rows = await tryBehind(name, fault, operation);
					const count = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length;
					const isSuccess = (outcome: string) => ['success', 'done'].includes(outcome);
					const isRefusal = (outcome: string) => ['refused', 'notSent'].includes(outcome);
					const inVain = count(({ outcome, times }) => outcome === 'unknown' && times === 0);
					const outcomes = Object.fromEntries(
						rows.map(({ outcome }) => [outcome, count((row) => row.outcome === outcome)]),
					);
					t.diagnostic(`${JSON.stringify(outcomes)}, in doubt in vain: ${inVain}`);
					results.push({ proxy: name, fault: fault.title, operation: title, rows: rows.length, inVain });
					assert.deepEqual(
						{
							withoutOutput: count(({ outcome }) => outcome === 'no output'),
							doubled: operation.isIdempotent ? 0 : count(({ times }) => times > 1),
							reportedButMissing: count(
								({ outcome, times }) => isSuccess(outcome) && times === 0,
							),
							refusedButThere: count(({ outcome, times }) => isRefusal(outcome) && times > 0),
						},
						{ withoutOutput: 0, doubled: 0, reportedButMissing: 0, refusedButThere: 0 },
					);
				});
			}
		}
	});
}

after(() => saveResults(results));
