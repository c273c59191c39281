// What the nodes report behind real proxies is compared with the service's books, row by row: nothing is doubled, each
// row that is reported as done is there, and none that is reported as refused or not sent is there.
// OPERATIONS names the operations to try, separated by commas; all of them if it is not given.
import { after, describe, test } from 'node:test';

import type { INodeExecutionData } from 'n8n-workflow';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { credentialStoreWith } from '../../n8n-in-process/singleNode.mts';
import { faults, type ProxyFault } from './faults.mts';
import { operations, type Operation } from './operations.mts';
import { reverseProxies, startProxy, type ProxyName } from './proxies.mts';
import {
	assertTrue,
	comparedRows,
	reportedRows,
	summaryOf,
	type ComparedRow,
	type ReportedRow,
} from './rows.mts';
import { Service } from './service.mts';
import { saveResults, type ProxyResult } from './writeTable.mts';

const tried = process.env.OPERATIONS?.split(',') ?? Object.keys(operations);
const results: ProxyResult[] = [];

/** @returns what the node reports of the items when the fault strikes them */
async function reportedBehind(
	name: ProxyName,
	{ rule, toAll, during, settings }: ProxyFault,
	operation: Operation,
	items: INodeExecutionData[],
	service: Service,
): Promise<ReportedRow[]> {
	const proxy = await startProxy(name, { service: service.port, ...settings?.[name] });
	const some = Math.ceil(operation.requests / 8);
	const none = { fault: 'delayBefore', milliseconds: 0, times: some } as const;
	if (rule) service.setFaults(toAll ? [rule] : [none, { ...rule, times: some }]);
	const credentials = credentialStoreWith(sandboxCredential(proxy.url, { grantType: 'password' }));
	try {
		const [reported] = await Promise.all([
			reportedRows(operation, items, credentials),
			during && service.moreRequests(some).then(() => during(service, proxy)),
		]);
		return reported;
	} finally {
		await proxy.stop();
	}
}

async function tryBehind(
	name: ProxyName,
	fault: ProxyFault,
	operation: Operation,
): Promise<ComparedRow[]> {
	const service = await Service.start(operation.operationId);
	const items = operation.items(service);
	let reported: ReportedRow[];
	try {
		reported = await reportedBehind(name, fault, operation, items, service);
	} finally {
		// What it still had to do, it has done since its proxy has gone.
		await service.stop();
	}
	return comparedRows(service, items, reported);
}

const cases = reverseProxies.flatMap((proxy) =>
	faults
		.filter(({ settings }) => !settings || settings[proxy])
		.flatMap((fault) =>
			tried
				.filter((title) => fault.only?.includes(title) ?? true)
				.map((title) => ({ proxy, fault, title, operation: operations[title]! })),
		),
);

// Mostly they wait.
void describe('each row is what it is reported as', { concurrency: 3 }, () => {
	for (const { proxy, fault, title, operation } of cases) {
		void test(`${proxy}: ${fault.title}: ${title}`, async (t) => {
			const rows = await tryBehind(proxy, fault, operation);
			const summary = summaryOf(rows);
			t.diagnostic(JSON.stringify(summary));
			const { inVain } = summary;
			results.push({ proxy, fault: fault.title, operation: title, inVain });
			assertTrue(rows, operation);
		});
	}
});

after(() => saveResults(results));
