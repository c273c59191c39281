// Compares the nodes' reports behind real proxies with the service's books, row by row: no row is doubled, each row
// reported as done exists, and none reported as refused or not sent does. OPERATIONS names the operations to try,
// separated by commas (default: all).
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';

import fastify from 'fastify';
import type { INodeExecutionData } from 'n8n-workflow';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { credentialStoreWith } from '../../n8n-in-process/singleNode.mts';
import { faults, type ProxyFault } from './faults.mts';
import { operations, type Operation } from './operations.mts';
import { otherParts, reverseProxies, startProxy, type ProxyName } from './proxies.mts';
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

/** A server that has nothing to do with the service. */
const other = fastify();
let otherPort: number;
before(async () => {
	await other.listen({ host: '127.0.0.1', port: 0 });
	otherPort = (other.server.address() as AddressInfo).port;
});

/** @returns the node's report on the items struck by the fault */
async function reportedBehind(
	name: ProxyName,
	{ rule, toAll, during, settings }: ProxyFault,
	operation: Operation,
	items: INodeExecutionData[],
	service: Service,
): Promise<ReportedRow[]> {
	const proxy = await startProxy(name, {
		service: service.port,
		other: otherPort,
		...settings?.[name],
	});
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
		// With its proxy gone, the service finishes its remaining work before it stops.
		await service.stop();
	}
	return comparedRows(service, items, reported);
}

const isUsual = (proxy: ProxyName) => (reverseProxies as readonly string[]).includes(proxy);

const cases = [...reverseProxies, ...otherParts].flatMap((proxy) =>
	faults
		.filter(({ settings, others }) =>
			settings ? settings[proxy] : isUsual(proxy) || others?.includes(proxy),
		)
		.flatMap((fault) =>
			tried
				.filter((title) => fault.only?.includes(title) ?? true)
				.map((title) => ({ proxy, fault, title, operation: operations[title]! })),
		),
);

// They mostly wait.
void describe("each row's outcome is as reported", { concurrency: 3 }, () => {
	for (const { proxy, fault, title, operation } of cases) {
		void test(`${proxy}: ${fault.title}: ${title}`, async (t) => {
			const rows = await tryBehind(proxy, fault, operation);
			const summary = summaryOf(rows);
			t.diagnostic(JSON.stringify(summary));
			const { inVain } = summary;
			results.push({ proxy, fault: fault.title, operation: title, inVain });
			assertTrue(rows, operation);
			assert.ok(inVain <= (fault.mostInVain ?? Infinity), `${inVain} rows are in doubt in vain`);
			assert.ok(rows.every(({ outcome }) => outcome !== fault.never));
			// A page is named but not quoted.
			assert.deepEqual(
				rows.filter(({ message = '' }) => /<(?:!doctype|html|\?xml)/i.test(message)),
				[],
			);
		});
	}
});

// No node can tell that such a response is not the service's, so people only learn which rows share an ID.
void test('nginx: if many creates get one cached response, a hint names the rows', async () => {
	const creates = operations.creates!;
	const inTurn = { ...creates.parameters, options: { parallelRequests: 1 } };
	const operation = { ...creates, parameters: inTurn };
	const service = await Service.start(operation.operationId);
	const proxy = await startProxy('nginx', {
		service: service.port,
		http: 'proxy_cache_path %folder%/cache keys_zone=one:1m;',
		location: `proxy_cache one;
			proxy_cache_methods GET HEAD POST;
			proxy_cache_key $uri;
			proxy_cache_valid any 10s;
			proxy_ignore_headers Cache-Control Expires Vary Set-Cookie;`,
	});
	const account = sandboxCredential(proxy.url, { grantType: 'password' });
	const items = operation.items(service).slice(0, 9);
	const hints: string[] = [];
	try {
		await reportedRows(operation, items, credentialStoreWith(account), hints);
	} finally {
		await proxy.stop();
		await service.stop();
	}
	const done = items.filter(({ json }) => service.books.has(json.entry as string));
	assert.ok(done.length < items.length, 'the cache responded for the service');
	assert.match(hints.join(), /several rows the same ID: rows 1–9 \(items 0–8\)\./);
});

after(async () => {
	await other.close();
	saveResults(results);
});
