// Tokens: one request however many need one, and none without need. Simulated worlds show how runs share them.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { anotherProcess } from '../../harness/anotherProcess.cts';
import { comeToRest } from '../../harness/eventLoop.cts';
import { nodeWithOlderHelper } from '../../harness/olderHelper.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { continueOnFail, runNode } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { testCredential } from '../../harness/testCredential.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox({ each: 'test' });
const credentials = (changes: ICredentialDataDecryptedObject = {}) =>
	sandbox.credentials({ grantType: 'password', ...changes });
const countOf = (operation: string, status = 200) =>
	sandbox.exchanges.filter(
		(exchange) => exchange.operation === operation && exchange.status === status,
	).length;

test("if another process's sign-in ends the token, the run waits for that process's token instead of signing in", async () => {
	const [store, otherStore] = [credentials(), credentials()];
	await sandbox.restart({
		oneLiveToken: true,
		onExchange(exchange) {
			if (exchange.status !== 401) return;
			// Stored late: the first check for another token finds none.
			jest.spyOn(store, 'read').mockImplementationOnce((id) => {
				const before = store.read(id);
				store.rows.set(id, otherStore.read(id));
				return before;
			});
		},
	});
	await readShifts(store, 1);
	const { run, node } = anotherProcess();
	await readShifts(otherStore, 1, { node }, run);
	expect((await readShifts(store, 1)).error).toBeUndefined();
	expect(countOf('getShift', 401)).toBe(1);
	expect(countOf('passwordToken')).toBe(2);
});

test('a run whose credential is changed does not sign in with a mixture of old and new settings', async () => {
	const store = credentials();
	await readShifts(store, 1);
	await sandbox.restart({
		onExchange({ status }) {
			if (status === 401)
				store.rows.set('account', { ...store.read('account'), username: 'another' });
		},
	});
	const options = { parallelRequests: 1 };
	const { json } = await readShifts(store, 3, { options, nodeSettings: continueOnFail });
	const changed = expect.stringContaining('The credential was changed while this run used it.');
	expect(json).toMatchObject(Array(3).fill({ message: changed, error: { retryable: true } }));
	expect(countOf('passwordToken')).toBe(1);
	// The next run uses the changed credential.
	const { error } = await readShifts(store, 1);
	expect(error?.message).toMatch(/^Sign-in was refused: The username or the password is wrong/);
});

test('a late refusal of the old token does not cause a second renewal', async () => {
	const stale = 'fake-access-token-1';
	let heldBack: (() => void) | undefined;
	const service = await startFakeService(({ url, headers }, response) => {
		const refuse = () =>
			void response.writeHead(401).end('{"success":false,"errors":"The token has expired"}');
		const accept = () => response.end('{"shift":{"shift":"A"}}');
		if (headers.authorization !== stale) {
			accept();
			// The first request succeeded with its new token: now the second gets the refusal of the old one.
			heldBack?.();
			heldBack = undefined;
		} else if (url!.endsWith('/101')) {
			refuse();
			// It waits no longer than this for the second one's result.
			void comeToRest().then(() => time.pass(5000));
		} else if (url!.endsWith('/102')) heldBack = refuse;
		else accept();
	});
	const store = credentialsFor(service.url);
	await readShifts(store, 1, { items: [{ id: 100 }] });
	const { error, json } = await readShifts(store, 2);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(2);
	expect(service.signIns).toHaveLength(2);
});

test.each([
	['3600 as text', { expires_in: '3600' }, 3_600_000],
	['0', { expires_in: 0 }, undefined],
	['none', {}, undefined],
	['no number', { expires_in: 'soon' }, undefined],
	['null as the error beside it', { error: null, error_description: null }, undefined],
])('a lifetime of %s: two runs sign in once', async (_, more, lifetime) => {
	const token = { access_token: 'fake-access-token-1', ...more };
	const service = await startFakeService(
		({ url }, response) =>
			response.end(JSON.stringify(url!.includes('Token') ? token : { shift: { shift: 'A' } })),
		false,
	);
	const store = credentialsFor(service.url);
	for (let run = 0; run < 2; run++) expect((await readShifts(store, 3)).error).toBeUndefined();
	expect(service.signIns).toHaveLength(1);
	const { accessToken } = store.read('account');
	const stored = JSON.parse(accessToken as string) as { obtainedAt: number; expiresAt?: number };
	expect(stored.expiresAt && stored.expiresAt - stored.obtainedAt).toBe(lifetime);
});

test('runs that start together sign in once and share the token', async () => {
	const service = await startFakeService((_, response) => response.end('{"shift":{"shift":"A"}}'));
	// Each run reads the credential before a token is stored.
	const runs = [1, 2, 3].map(() => readShifts(credentialsFor(service.url), 3));
	for (const { error } of await Promise.all(runs)) expect(error).toBeUndefined();
	// Nor does a later run whose credential has no token yet.
	expect((await readShifts(credentialsFor(service.url), 1)).error).toBeUndefined();
	expect(service.signIns).toHaveLength(1);
});

test('the advice names another sign-in as a possible reason for ended tokens', async () => {
	const service = await startFakeService((_, response) => {
		// Meanwhile another process signs in, and stores its token.
		const row = store.read('account');
		const token = JSON.parse(row.accessToken as string) as { obtainedAt: number };
		const obtainedAt = token.obtainedAt + 1;
		const newer = { ...token, accessToken: `other-${obtainedAt}`, obtainedAt };
		store.rows.set('account', { ...row, accessToken: JSON.stringify(newer) });
		response.writeHead(401).end('{"success":false,"errors":"The access token is invalid"}');
	});
	const store = credentialsFor(service.url);
	const { json } = await readShifts(store, 1, { nodeSettings: continueOnFail });
	const advice = expect.stringContaining('If another program signs in to this account');
	expect(json).toMatchObject([{ error: { outcome: 'refused', advice } }]);
	expect(service.paths.length).toBeLessThanOrEqual(12);
	expect(service.signIns).toHaveLength(1);
});

type Respond = (request: IncomingMessage, response: ServerResponse) => unknown;

test.each<[string, Respond, RegExp, RegExp]>([
	[
		'one after the other that is refused',
		({ headers }, response) => {
			const errors = `token ${headers.authorization} is not ours`;
			response.writeHead(401).end(JSON.stringify({ success: false, errors }));
		},
		/^Sign-in refused: token \*\*\* is not ours$/,
		/'Authorization Header'/,
	],
	[
		'one that was replaced',
		({ headers }, response) => {
			if (headers.authorization === 'fake-access-token-1') response.writeHead(401).end('{}');
			else response.writeHead(400).end('{"errors":"you also sent fake-access-token-1"}');
		},
		/you also sent \*\*\*/,
		/^Correct/,
	],
	[
		'a part of one, where a response breaks off within it',
		({ headers }, response) => {
			response.writeHead(400, { 'content-length': 1000 });
			response.write(`you sent ${headers.authorization!.slice(0, -3)}`, () =>
				setImmediate(() => response.destroy()),
			);
		},
		/status 400/,
		/^Correct/,
	],
])('no token is shown after %s', async (_, respond, message, advice) => {
	const service = await startFakeService(respond);
	const { error, saved } = await readShifts(credentialsFor(service.url), 1);
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(advice);
	expect(saved).not.toContain('fake-access');
	// At most three tokens, each refused once.
	expect(service.paths.length).toBeLessThanOrEqual(6);
});

describe('a node with the older request helper, such as HTTP Request,', () => {
	const call = async (store: CredentialStore) => {
		const node = nodeWithOlderHelper(sandbox.url);
		const { json } = await runNode({ node, parameters: {}, credentials: store });
		expect(json).toMatchObject([{ shift: { shift: 'A' } }]);
	};

	test('is signed in, and again when its token has ended', async () => {
		const store = credentials();
		await call(store);
		sandbox.accounts.revokeTokens();
		sandbox.exchanges.length = 0;
		await call(store);
		expect(sandbox.exchanges.map(({ operation }) => operation)).toEqual([
			...['getShift', 'passwordToken', 'getShift'],
		]);
	});

	test('does not get its refused token again, even if n8n has stored an older one', async () => {
		const store = credentials();
		await call(store);
		time.pass(60_000);
		// This signs in again, and the token is stored there.
		await testCredential(credentials());
		sandbox.accounts.revokeTokens();
		await call(store);
	});
});
