// What the nodes report behind real proxies is compared with the service's books, row by row: nothing is doubled, each
// row that is reported as done is there, and none that is reported as refused or not sent is there.
// OPERATIONS names the operations to try, separated by commas; all of them if it is not given.
import { after, describe, test } from 'node:test';

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

async function tryBehind(
	name: ProxyName,
	{ rule, toAll, during, settings }: ProxyFault,
	operation: Operation,
): Promise<ComparedRow[]> {
	const service = await Service.start(operation.operationId);
	const items = operation.items(service);
	const proxy = await startProxy(name, { service: service.port, ...settings?.[name] });
	const some = Math.ceil(operation.requests / 8);
	const none = { fault: 'delayBefore', milliseconds: 0, times: some } as const;
	if (rule) service.setFaults(toAll ? [rule] : [none, { ...rule, times: some }]);
	const credentials = credentialStoreWith(sandboxCredential(proxy.url, { grantType: 'password' }));
	let reported: ReportedRow[];
	try {
		[reported] = await Promise.all([
			reportedRows(operation, items, credentials),
			during && service.moreRequests(some).then(() => during(service, proxy)),
		]);
	} finally {
		// What the service still has to do, it does when its proxy has gone.
		await proxy.stop();
		await service.stop();
	}
	return comparedRows(operation, service, items, reported);
}

for (const proxy of reverseProxies) {
	void describe(`behind ${proxy}`, { concurrency: 2 }, () => {
		for (const fault of faults) {
			if (fault.settings && !fault.settings[proxy]) continue;
			for (const title of tried) {
				if (fault.only && !fault.only.includes(title)) continue;
				const operation = operations[title]!;
				void test(`${fault.title}: ${title}`, async (t) => {
					const rows = await tryBehind(proxy, fault, operation);
					const summary = summaryOf(rows);
					t.diagnostic(`${proxy}, ${fault.title}, ${title}: ${JSON.stringify(summary)}`);
					const { inVain = 0 } = summary;
					results.push({ proxy, fault: fault.title, operation: title, rows: rows.length, inVain });
					assertTrue(rows, operation);
				});
			}
		}
	});
}

after(() => saveResults(results));
