// The nodes' reports for requests through a forward proxy named by HTTPS_PROXY: the proxy's own responses to CONNECT,
// and the fate of requests in its tunnel.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { createServer, type Server } from 'node:tls';

import { selfSignedIdentity } from '../../bench/service/certificate.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { credentialStoreWith } from '../../n8n-in-process/singleNode.mts';
import { operations } from './operations.mts';
import { startProxy, type Proxy } from './proxies.mts';
import { assertTrue, comparedRows, reportedRows, summaryOf } from './rows.mts';
import { Service } from './service.mts';

const operation = operations.creates!;
let tls: Server;
let service: Service;
let squid: Proxy | undefined;

before(async () => {
	// The certificate is its own authority.
	process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
	service = await Service.start(operation.operationId);
	const { key, certificate } = await selfSignedIdentity();
	tls = createServer({ key, cert: certificate }, (client) => {
		const server = connect(service.port, '127.0.0.1');
		client.pipe(server).pipe(client);
		client.on('error', () => server.destroy());
		server.on('error', () => client.destroy());
	});
	await once(tls.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
	delete process.env.HTTPS_PROXY;
	await squid?.stop();
	squid = undefined;
	service.setFaults([]);
});
after(async () => {
	tls.close();
	await service.stop();
});

interface Sign {
	title: string;
	/** Lines of Squid's configuration. */
	access?: string;
	/** What happens before the rows are sent, or while they are. */
	spoil?: () => Promise<unknown> | void;
	expected: string;
	/** The proxy's own response instead of the service's. */
	refusal?: RegExp;
}

const signs: Sign[] = [
	// First, while that many requests of the account may be in progress.
	{
		title: 'the proxy ends while the service works',
		async spoil() {
			service.setFaults([{ fault: 'delayBefore', milliseconds: 600_000 }]);
			void service.moreRequests(5).then(() => squid!.stop('SIGKILL'));
		},
		expected: 'inDoubt',
	},
	{ title: 'the proxy works', expected: 'success' },
	{ title: 'the proxy does not run', spoil: () => squid!.stop(), expected: 'notSent' },
	{
		title: 'the proxy forbids the address',
		access: 'http_access deny all',
		expected: 'notSent',
		refusal: /the proxy refused the connection \(status 403\)/,
	},
	{
		title: 'the proxy asks for a password',
		access: `
auth_param basic program /usr/lib/squid/basic_fake_auth
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all`,
		expected: 'notSent',
		refusal: /the proxy refused the connection \(status 407\)/,
	},
	{
		title: 'the proxy does not reach the service',
		access: 'never_direct allow all',
		expected: 'notSent',
		refusal: /the proxy refused the connection \(status 5\d\d\)/,
	},
	{
		title: 'the connection in the tunnel breaks',
		spoil: () => service.setFaults([{ fault: 'resetAfter' }]),
		expected: 'inDoubt',
	},
];

/** A credential of the service, without a token. */
function newAccount() {
	const { port } = tls.address() as AddressInfo;
	const account = sandboxCredential(`https://127.0.0.1:${port}`, { grantType: 'password' });
	return credentialStoreWith(account);
}

for (const [at, { title, access = '', spoil, expected, refusal }] of signs.entries()) {
	void test(title, async (t) => {
		const credentials = newAccount();
		// The account signs in without the proxy, so that only the rows are affected.
		service.books.clear();
		await reportedRows(operation, [{ json: { name: 'first' } }], credentials);
		squid = await startProxy('Squid', { access });
		process.env.HTTPS_PROXY = squid.url;
		await spoil?.();
		// Requests in progress at the end of a test may reach the service's books only later.
		const items = operation.items(service).slice(5 * at, 5 * at + 5);
		const reported = await reportedRows(operation, items, credentials);
		const rows = comparedRows(service, items, reported);
		t.diagnostic(JSON.stringify(summaryOf(rows)));
		assertTrue(rows, operation);
		assert.deepEqual(new Set(rows.map(({ outcome }) => outcome)), new Set([expected]));
		if (!refusal) return;
		assert.match(reported[0]!.message!, refusal);
		// Nor is it reported or stored as a refusal of the password.
		const unsigned = newAccount();
		const [row] = await reportedRows(operation, items.slice(0, 1), unsigned);
		assert.match(row!.message!, refusal);
		delete process.env.HTTPS_PROXY;
		const [next] = await reportedRows(operation, [{ json: { name: 'next' } }], unsigned);
		assert.equal(next!.outcome, 'success');
	});
}
