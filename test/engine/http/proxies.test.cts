// The nodes behind a proxy named in n8n's environment; test:proxies does the same with a real one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { accountOf } from '../../../engine/auth/account';
import { packSignIn } from '../../../engine/auth/token';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';
import { createSchedules, namedRows } from '../../harness/createSchedules.cts';
import { continueOnFail, credentialStoreWith } from '../../harness/run.cts';
import { testCredential } from '../../harness/testCredential.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });

// n8n is loaded outside jest, whose processes have a copy of the environment.
declare const native: (module: string) => unknown;
const { env } = native('node:process') as typeof process;

/** The proxy's status for CONNECT. */
let status = 403;
/** The hosts that the proxy was asked for. */
const asked: string[] = [];
const proxy = createServer().on('connect', ({ url }, socket: Duplex) => {
	asked.push(url!);
	socket.end(`HTTP/1.1 ${status} No\r\nContent-Type: text/html\r\n\r\n<html>No</html>`);
});

beforeAll(() => new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve)));
afterAll(() => proxy.close());
beforeEach(() => {
	asked.length = 0;
	const { port } = proxy.address() as AddressInfo;
	env.HTTPS_PROXY = `http://127.0.0.1:${port}`;
});
afterEach(() => void delete env.HTTPS_PROXY);

/** A credential for a service that is reached through the proxy's tunnel. */
function behindProxy({ isSignedIn }: { isSignedIn: boolean }) {
	const credential = sandboxCredential('https://records.example.org', { grantType: 'password' });
	const { key: settings } = accountOf(credential);
	const token = { accessToken: 'a-token-of-this-account', settings, obtainedAt: Date.now() };
	const accessToken = isSignedIn ? packSignIn(token) : '';
	return credentialStoreWith({ ...credential, accessToken });
}

const create = (store: Parameters<typeof createSchedules>[0]) =>
	createSchedules(store, {
		items: namedRows(2),
		options: { maxTries: 1, parallelRequests: 1 },
		nodeSettings: continueOnFail,
	});

describe.each([
	[407, false, /HTTPS_PROXY/],
	[403, false, /NO_PROXY/],
	[502, true, undefined],
	[503, true, undefined],
])('a proxy that returns %s to CONNECT', (response, retryable, advice = /./) => {
	beforeEach(() => (status = response));
	const refused = `the proxy refused the connection (status ${response})`;

	test('a write is not sent', async () => {
		const { json } = await create(behindProxy({ isSignedIn: true }));
		expect(json[0]).toMatchObject({
			message: expect.stringContaining(refused),
			error: { code: 'noConnection', outcome: 'notSent', retryable },
		});
		expect(json[0]).toHaveProperty('error.advice', expect.stringMatching(advice));
		// If the proxy would refuse the next one, too, it is not asked, and the item has the same message.
		if (retryable) return;
		expect(json[1]).toHaveProperty('message', expect.stringContaining(refused));
		expect(asked).toHaveLength(1);
	});

	test('the sign-in does not count as refused, and is retried at once', async () => {
		const store = behindProxy({ isSignedIn: false });
		for (const count of [1, 2]) {
			const { json } = await create(store);
			const error = { outcome: 'notSent', retryable };
			expect(json[0]).toMatchObject({ message: expect.stringContaining(refused), error });
			expect(asked).toEqual(Array(count).fill('records.example.org:443'));
		}
		expect((await testCredential(store)).error?.message).toContain(refused);
	});
});

test('an identity provider is reached through a tunnel, and named if there is no tunnel', async () => {
	status = 403;
	const tokenUrl = 'https://login.example.org/token';
	const changes = { grantType: 'identityProvider', tokenUrl };
	const store = credentialStoreWith(sandboxCredential('https://records.example.org', changes));
	expect((await create(store)).json[0]).toMatchObject({
		message: expect.stringMatching(
			/^Signing in at https:\/\/login\.example\.org failed: the proxy/,
		),
		error: { code: 'noConnection', outcome: 'notSent' },
	});
	expect(asked).toEqual(['login.example.org:443']);
});
