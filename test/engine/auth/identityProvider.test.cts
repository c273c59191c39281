// The grant "Password at an Identity Provider": a form goes to another host (RFC 6749 §4.3), whose token the service
// accepts.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { accountOf } from '../../../engine/auth/account';
import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { users } from '../../../sandbox/accounts.mts';
import { publicDialects } from '../../../sandbox/dialects.mts';
import { anotherProcess } from '../../harness/anotherProcess.cts';
import { respondAsGateway, gatewayResponses } from '../../harness/gatewayResponses.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { credentialStoreWith } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { testCredential } from '../../harness/testCredential.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox();
const key = 'ocp-apim-subscription-key';
const path = '/identity/oauth2/token';

/** To a client this is another host, although it is the same machine. */
const elsewhere = () => `${sandbox.url.replace('127.0.0.1', 'localhost')}${path}`;
const credential = (changes: ICredentialDataDecryptedObject = {}) =>
	sandbox.credentials({ grantType: 'identityProvider', tokenUrl: elsewhere(), ...changes });
const signIns = () => sandbox.requests('identityToken');
/** Runs a node in a new process. */
const readAnew = async (store: CredentialStore) => {
	const { run, node } = anotherProcess();
	return await readShifts(store, 3, { node }, run);
};
const formOf = (body: string) => Object.fromEntries(new URLSearchParams(body));

test("the provider gets the complete form, and the service gets only the provider's token", async () => {
	const additionalParameters = '{"response_type":"token","agency_id":1}';
	const store = credential({ scope: ' https://x.example/full_access ', additionalParameters });
	expect(await readShifts(store, 3)).toMatchObject({ error: undefined, json: { length: 3 } });
	expect(await readAnew(store)).toMatchObject({ error: undefined });
	expect(signIns()).toHaveLength(1);
	const [{ headers, body }] = signIns() as [(typeof sandbox.exchanges)[0]];
	expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
	expect(headers).not.toHaveProperty(key);
	const { username, password } = users[0]!;
	expect(body).toEqual({
		grant_type: 'password',
		...{ client_id: 'station-app', client_secret: 'station-app-secret', username, password },
		...{ scope: 'https://x.example/full_access', response_type: 'token', agency_id: '1' },
	});
	const reads = sandbox.requests('getShift');
	for (const read of reads) expect(read.headers.authorization).toMatch(/^[\w-]{32}$/);
	expect(store.read('account').accessToken).not.toMatch(/station-app|chief|agency_id|full_access/);
});

const grants = ['authorizationCode', 'password', 'identityProvider'];
test.each(grants)('the grant %s signs in to a service like the public one', async (grantType) => {
	Object.assign(sandbox.dialects, publicDialects);
	const store = credential({ grantType });
	expect((await testCredential(store)).error).toBeUndefined();
	expect(await readShifts(store, 3)).toMatchObject({ error: undefined, json: { length: 3 } });
	const tokens = sandbox.exchanges.filter(({ operation }) => /Token/.test(operation));
	expect(tokens.map(({ status }) => status)).toEqual([200]);
});

test('a public client sends no secret and no empty field', async () => {
	const store = credential({ clientId: 'public-app', clientSecret: '' });
	expect((await readShifts(store, 1)).error).toBeUndefined();
	expect(Object.keys(signIns()[0]!.body as object).sort()).toEqual(
		['client_id', 'grant_type', 'password', 'username'].sort(),
	);
});

test("the subscription key is sent if 'Token URL' is on the same host as 'Base URL'", async () => {
	expect((await readShifts(credential({ tokenUrl: `${sandbox.url}${path}` }), 1)).error).toBe(
		undefined,
	);
	expect(signIns()[0]!.headers).toHaveProperty(key);
});

test("a token depends on each of the provider's settings", () => {
	const whole = credential({ scope: 's', additionalParameters: '{}' }).read('account');
	const keyOf = (changes: object) => accountOf({ ...whole, ...changes }).key;
	const keys = [
		{},
		{ tokenUrl: 'https://login.example/token' },
		{ scope: 'other' },
		{ additionalParameters: '{"a":1}' },
		{ grantType: 'password' },
	].map(keyOf);
	expect(new Set(keys).size).toBe(keys.length);
	expect(keyOf({ redirectUri: 'https://other.example' })).toBe(keys[0]);
	const ofPassword = keyOf({ grantType: 'password', tokenUrl: 'no address', scope: 'x' });
	expect(ofPassword).toBe(keys.at(-1));
});

/** Runs against a provider with the test's response. */
const withProvider = async (
	response: Parameters<typeof startFakeService>[0],
	more: ICredentialDataDecryptedObject = {},
	query = '',
) => {
	const provider = await startFakeService(response, false);
	const tokenUrl = `${provider.url}/login/token${query}`;
	const store = credentialsFor(sandbox.url, { grantType: 'identityProvider', tokenUrl, ...more });
	const run = async () => await readShifts(store, 2);
	return { ...(await run()), run, provider, store };
};
const json = JSON.stringify;

test("a query of 'Token URL' is kept", async () => {
	const { provider } = await withProvider((_, response) => response.end('{}'), {}, '?p=B2C_1_x');
	expect(provider.paths[0]).toBe('/login/token?p=B2C_1_x');
});

test.each([
	['a page', '<html><title>Sign in', /issued no token \(status 200\): a web page\. .*'Token URL'/],
	['nothing', '', /status 200\)\. Check 'Token URL'/],
	[
		'an error in a page of lines',
		json({ error: 'access_denied', error_description: 'AAD90225: Wrong user.\r\nTime: 6:35\r\n' }),
		/refused: AAD90225: Wrong user\. Time: 6:35 \(access_denied\)\. n8n tries/,
	],
])('a provider that returns %s', async (_, body, message) => {
	const { error, saved } = await withProvider((__, response) => response.end(body));
	expect(error?.message).toMatch(message);
	expect(saved).not.toContain('bbbb');
});

test('an ID token without an access token is a configuration error: one sign-in, not retryable', async () => {
	const idToken = json({ id_token: 'aaaa.bbbb.cccc' });
	const { error, provider } = await withProvider((_, response) => response.end(idToken));
	expect(error?.message).toMatch(/ID token, but no access token.*'Scope'.*"response_type"/);
	expect(error?.description).toMatch(/^Nothing was sent. Correct the credential/);
	expect(provider.paths).toHaveLength(1);
});

test('the lifetime may be text, and an ID token next to it is a secret', async () => {
	const body = json({ access_token: 'fake', expires_in: '3600', id_token: 'aaaa.bbbb.cccc' });
	const { store } = await withProvider((_, response) => response.end(body));
	const account = accountOf(store.read('account'));
	expect(account.tokens.newest?.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
	expect(account.redact('aaaa.bbbb.cccc')).toBe('***');
});

test("the refusal of another host's token is reported as such", async () => {
	const response = (_: unknown, response: { end(body: string): unknown }) =>
		response.end('{"access_token":"of-another-host"}');
	const { error, store } = await withProvider(response);
	expect(error?.message).toMatch(/token|401/i);
	const tested = await testCredential(store);
	expect(tested.error?.message).toMatch(
		/^Signed in, but the test, which reads vendors, returned status 401: /,
	);
	expect(`${error?.message}${tested.error?.message}`).not.toContain('of-another-host');
});

test("the form's secrets appear in no message or saved execution, however they are echoed", async () => {
	const additionalParameters = '{"response_type":"token","pin":"p!n/ +éwxyz","id":"42"}';
	for (const isEncoded of [false, true]) {
		const { error, saved, store } = await withProvider(
			(_, response, body) => {
				const { pin, client_secret: secret, password } = formOf(body);
				const description = `token ${pin} 42 ${isEncoded ? body : ''} ${secret} ${password}`;
				response
					.writeHead(400)
					.end(json({ error: 'invalid_request', error_description: description }));
			},
			{ additionalParameters },
		);
		expect(error?.message).toContain(isEncoded ? '(not quoted,' : 'token *** 42 *** ***');
		for (const text of [`${error?.message}${saved}`, json(store.read('account').accessToken)])
			expect(text).not.toMatch(/wxyz|station-app-secret|chief-password/);
	}
});

test.each<[string, Parameters<typeof startFakeService>[0]]>([
	['a gateway', (_, response) => respondAsGateway(response, gatewayResponses.route)],
	['a web server', (_, response) => response.writeHead(404).end('<!DOCTYPE html><h1>Not Found')],
	['a program', (_, response) => response.writeHead(404).end()],
])("the 404 of %s names only 'Token URL', after one request", async (_, respond) => {
	const { error, provider } = await withProvider(respond);
	expect(error?.message).toMatch(/^There is no sign-in at this address.*Check 'Token URL'/);
	expect(`${error?.message} ${error?.description}`).not.toMatch(
		/later|Base URL|ask the service owner/,
	);
	expect(provider.paths).toHaveLength(1);
});

test("an unreachable address is reported as 'Token URL'", async () => {
	const { error } = await readShifts(credential({ tokenUrl: 'http://127.0.0.1:9/token' }), 1);
	expect(error?.message).toMatch(
		/^Signing in at http:\/\/127\.0\.0\.1:9 failed: nothing is listening there .*'Token URL'/,
	);
});

test('an object from an expression counts as its JSON', async () => {
	const given = { ...credential().read('account'), additionalParameters: { agency: 7 } };
	expect((await readShifts(credentialStoreWith(given as never), 1)).error).toBeUndefined();
	expect(signIns()[0]!.body).toMatchObject({ agency: '7' });
});
