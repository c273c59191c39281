// The Test button names the credential's wrong setting, with the words of the party that refused it.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { users } from '../../../sandbox/accounts.mts';
import { respondAsGateway, gatewayResponses } from '../../harness/gatewayResponses.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { startFakeService } from '../../harness/server.cts';
import { testCredential } from '../../harness/testCredential.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime({ skipsPauses: true });

describe('a wrong setting', () => {
	const sandbox = useSandbox();
	const typedIn = (changes: ICredentialDataDecryptedObject = {}) =>
		sandbox.credentials({ grantType: 'password', ...changes });

	test.each([
		['the address', { baseUrl: 'http://127.0.0.1:9' }, /nothing is listening there.*'Base URL'/],
		['the key, by what was pasted along', { apiKey: 'key\u200b' }, /'Subscription Key'.*invisible/],
		['the user', { username: 'nobody' }, /username or the password is wrong/],
	])('%s', async (_, changes, message) => {
		expect((await testCredential(typedIn(changes))).error?.message).toMatch(message);
	});

	test('is found even if an earlier token is stored', async () => {
		const store = typedIn();
		expect((await readShifts(store, 1)).error).toBeUndefined();
		sandbox.exchanges.length = 0;
		time.pass(60_000);
		expect((await testCredential(store)).error).toBeUndefined();
		const signIns = sandbox.requests('passwordToken');
		expect(signIns).toHaveLength(1);
	});

	test('is reported even if an earlier token still works: the service has a new password', async () => {
		const store = typedIn();
		expect((await readShifts(store, 1)).error).toBeUndefined();
		sandbox.accounts.users[0]!.password = 'another-password';
		const { error } = await testCredential(store);
		expect(error?.message).toMatch(/username or the password is wrong/);
	});

	test.each([
		['is wrong', 'not-the-password'],
		['is right', users[1]!.password],
	])('is never stored from the unsaved form, as an older n8n would do: %s', async (_, password) => {
		const store = typedIn();
		await readShifts(store, 1);
		const saved = store.read('account');
		await testCredential(store, { ...users[1]!, password });
		expect(store.read('account')).toEqual(saved);
	});

	test('is tried even right after a refusal, since the service may have corrected the password', async () => {
		const store = typedIn({ password: 'not-yet-the-password' });
		const wrong = /username or the password is wrong/;
		expect((await readShifts(store, 1)).error?.message).toMatch(wrong);
		expect((await testCredential(store)).error?.message).toMatch(wrong);
		expect(sandbox.exchanges.filter(({ status }) => status === 400)).toHaveLength(2);
		sandbox.accounts.users[0]!.password = 'not-yet-the-password';
		expect((await testCredential(store)).error).toBeUndefined();
		expect((await readShifts(store, 1)).error).toBeUndefined();
	});
});

describe("the service's response to the token", () => {
	const testAgainst = async (
		respond: (request: IncomingMessage, response: ServerResponse) => unknown,
		changes: ICredentialDataDecryptedObject = {},
	) => {
		const service = await startFakeService(respond);
		const { error } = await testCredential(credentialsFor(service.url, changes));
		expect(error?.message ?? '').not.toContain('fake-access-token');
		if (error) expect(service.paths).toHaveLength(2);
		return error?.message;
	};

	test('the token is sent in the form that the header setting names', async () => {
		const test = (authorizationHeader: string) =>
			testAgainst(
				({ headers }, response) => {
					if (!headers.authorization!.startsWith('Bearer ')) response.statusCode = 401;
					response.end('{"totalRows":0,"vendors":[]}');
				},
				{ authorizationHeader },
			);
		expect(await test('bearer')).toBeUndefined();
		expect(await test('token')).toMatch(/'Authorization Header'/);
	});

	test.each([
		[
			'wrongKey',
			/which reads vendors, returned status 401: .*subscription key: Access denied.*ask the service owner which one is for this/,
		],
		['address', /status 403: Forbidden\. /],
		['route', /Resource not found\. .*'Base URL'/],
		['quota', /Out of call volume quota.*Try again later/],
		['failed', /500: Internal server error: activity .*Try again later/],
	] as const)('the gateway: %s', async (name, message) => {
		const said = await testAgainst((_, response) =>
			respondAsGateway(response, gatewayResponses[name]),
		);
		expect(said).toMatch(/^Signed in, but [^{}]*$/);
		expect(said).toMatch(message);
	});

	test.each([
		[401, { errors: 'No token' }, /status 401: No token\. .*'Authorization Header'/],
		[
			403,
			{ errors: { permissionErrors: ['Not you'] } },
			/403: .*Not you\. This account may not read them/,
		],
		[404, { errors: 'No such page' }, /status 404: No such page\. Check 'Base URL'/],
		[500, {}, /status 500.*Try again later/],
	])('status %d', async (status, body, message) => {
		const said = await testAgainst((_, response) =>
			response.writeHead(status).end(JSON.stringify(body)),
		);
		expect(said).toMatch(message);
	});
});
