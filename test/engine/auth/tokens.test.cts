// Tokens: one token request however many need it, and none that is not needed; that runs share it, worlds show.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { anotherProcess } from '../../harness/anotherProcess.cts';
import { comeToRest } from '../../harness/eventLoop.cts';
import { nodeWithOlderHelper } from '../../harness/olderHelper.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { runNode } from '../../harness/run.cts';
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

test('a token that another process ended at once is not fought for: what that one stores is waited for', async () => {
	const store = credentials();
	const otherStore = credentials();
	await sandbox.restart({
		oneLiveToken: true,
		onExchange(exchange) {
			if (exchange.status !== 401) return;
			// Stored late: the first look for another token finds none.
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

test('a credential that is changed while a run uses it: nobody signs in with half of each', async () => {
	const store = credentials();
	await readShifts(store, 1);
	await sandbox.restart({
		onExchange({ status }) {
			if (status === 401)
				store.rows.set('account', { ...store.read('account'), username: 'another' });
		},
	});
	const { json } = await readShifts(store, 3, {
		parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests: 1 } },
		nodeSettings: { onError: 'continueRegularOutput' },
	});
	for (const item of json)
		expect(item).toMatchObject({
			message: expect.stringContaining('The credential was changed while this run used it.'),
			error: { retryable: true },
		});
	const signIns = sandbox.exchanges.filter(({ operation }) => operation === 'passwordToken');
	expect(signIns).toHaveLength(1);
	// The next run uses it as it is now.
	const { error } = await readShifts(store, 1);
	expect(error?.message).toMatch(/^Sign-in was refused: The username or the password is wrong/);
});

test('a fresh token that is refused all the same is no endless loop', async () => {
	const service = await startFakeService(({ headers }, response) => {
		response.statusCode = 401;
		const errors = `token ${headers.authorization} is not ours`;
		response.end(JSON.stringify({ success: false, errors }));
	});
	const { error, saved } = await readShifts(credentialsFor(service.url), 1);
	expect(error?.message).toBe('Sign-in refused: token *** is not ours');
	expect(error?.description).toMatch(/'Authorization Header'/);
	expect(saved).not.toContain('fake-access-token');
	// Three tokens, each of which was refused.
	expect(service.paths.length).toBeLessThanOrEqual(6);
});

test('a refusal of the old token that arrives after the renewal costs no second one', async () => {
	const stale = 'fake-access-token-1';
	let heldBack: (() => void) | undefined;
	const service = await startFakeService(({ url, headers }, response) => {
		const refuse = () => {
			response.statusCode = 401;
			response.end(JSON.stringify({ success: false, errors: 'expired' }));
		};
		const accept = () => response.end(JSON.stringify({ shift: { shift: 'A' } }));
		if (headers.authorization !== stale) {
			accept();
			// The first request is through with its new token: now the second learns of the old one.
			heldBack?.();
			heldBack = undefined;
		} else if (url!.endsWith('/101')) {
			refuse();
			// It waits no longer than this for what the second one shows.
			void comeToRest().then(() => time.pass(5000));
		} else if (url!.endsWith('/102')) heldBack = refuse;
		else accept();
	});
	const store = credentialsFor(service.url);
	await readShifts(store, 1, { items: [{ id: 100 }] });
	const { error, json } = await readShifts(store, 2);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(2);
	expect(service.paths.filter((path) => path.includes('Token'))).toHaveLength(2);
});

describe('a lifetime as the service may give it', () => {
	/** @returns the number of sign-ins of two runs with three requests each */
	const signInsWith = async (more: object) => {
		const service = await startFakeService(({ url }, response) => {
			const token = { access_token: 'fake-access-token-1', ...more };
			response.end(JSON.stringify(url!.includes('Token') ? token : { shift: { shift: 'A' } }));
		}, false);
		const store = credentialsFor(service.url);
		const results = [await readShifts(store, 3), await readShifts(store, 3)];
		const errors = results.flatMap(({ error }) => error?.message ?? []);
		const { accessToken } = store.read('account');
		const { expiresAt, obtainedAt } = JSON.parse(accessToken as string) as Record<string, number>;
		return {
			errors,
			signIns: service.paths.filter((path) => path.includes('Token')).length,
			lifetime: expiresAt === undefined ? undefined : expiresAt - obtainedAt!,
		};
	};

	test.each([
		['3600 as text', { expires_in: '3600' }, 3_600_000],
		['0', { expires_in: 0 }, undefined],
		['none', {}, undefined],
		['no number', { expires_in: 'soon' }, undefined],
		['null as the error beside it', { error: null, error_description: null }, undefined],
	])('%s', async (_, more, lifetime) => {
		expect(await signInsWith(more)).toEqual({ errors: [], signIns: 1, lifetime });
	});
});

test('another sign-in that ends each token is named as a possible reason', async () => {
	const service = await startFakeService((_, response) => {
		// Meanwhile another process signs in, and stores its token.
		const row = store.read('account');
		const token = JSON.parse(row.accessToken as string) as { obtainedAt: number };
		const { obtainedAt } = token;
		const newer = { ...token, accessToken: `other-${obtainedAt}`, obtainedAt: obtainedAt + 1 };
		store.rows.set('account', { ...row, accessToken: JSON.stringify(newer) });
		response.writeHead(401).end('{"success":false,"errors":"The access token is invalid"}');
	});
	const store = credentialsFor(service.url);
	const { json } = await readShifts(store, 1, {
		nodeSettings: { onError: 'continueRegularOutput' },
	});
	expect(json).toMatchObject([
		{
			error: {
				outcome: 'refused',
				advice: expect.stringContaining('If another program signs in to this account'),
			},
		},
	]);
	expect(service.paths.length).toBeLessThanOrEqual(12);
	expect(service.paths.filter((path) => path.includes('Token'))).toHaveLength(1);
});

test('a token that was replaced is not shown either', async () => {
	const service = await startFakeService(({ headers }, response) => {
		if (headers.authorization === 'fake-access-token-1') return response.writeHead(401).end('{}');
		response.writeHead(400).end('{"errors":"you also sent fake-access-token-1"}');
	});
	const { error, saved } = await readShifts(credentialsFor(service.url), 1);
	expect(error?.message).toMatch(/you also sent \*\*\*/);
	expect(saved).not.toContain('fake-access-token');
});

test('a token is not shown in part either, where a response breaks off within it', async () => {
	const service = await startFakeService(({ headers }, response) => {
		response.writeHead(400, { 'content-length': 1000 });
		response.write(`you sent ${headers.authorization!.slice(0, -3)}`, () =>
			setImmediate(() => response.destroy()),
		);
	});
	const { error, saved } = await readShifts(credentialsFor(service.url), 1);
	expect(error?.message).toMatch(/status 400/);
	expect(saved).not.toContain('fake-access');
});

describe('a node that uses the older request helper, as the HTTP Request node does', () => {
	const call = async (store: CredentialStore) => {
		const node = nodeWithOlderHelper(sandbox.url);
		const { json } = await runNode({ node, parameters: {}, credentials: store });
		expect(json).toMatchObject([{ shift: { shift: 'A' } }]);
	};

	test('is signed in, and anew when its token has ended', async () => {
		const store = credentials();
		await call(store);
		sandbox.accounts.revokeTokens();
		sandbox.exchanges.length = 0;
		await call(store);
		expect(sandbox.exchanges.map(({ operation }) => operation)).toEqual([
			...['getShift', 'passwordToken', 'getShift'],
		]);
	});

	test('is not given the token again that was refused to it, although n8n has stored an older one', async () => {
		const store = credentials();
		await call(store);
		time.pass(60_000);
		// It signs in anew, and its token is stored there.
		await testCredential(credentials());
		sandbox.accounts.revokeTokens();
		await call(store);
	});
});
