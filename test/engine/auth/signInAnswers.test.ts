// What answers a sign-in: an address that is not the service, redirects, refusals.
import { readShifts } from '../../harness/readShifts';
import { startFakeService, startHastyService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime({ skipsPauses: true });

describe.each([
	['password', '/authpass/Token.php'],
	['authorizationCode', '/auth/Authorize.php'],
	['authorizationCode', '/authtoken/Token.php'],
])('signing in (%s), a redirect from %s', (grantType, path) => {
	test.each([302, 307])('with status %d is not followed', async (status) => {
		const elsewhere = await startHastyService((_, response) => response.end('{}'));
		const service = await startFakeService(({ url }, response, body) => {
			if (url === path) {
				return response.writeHead(status, { location: `${elsewhere.url}/elsewhere` }).end();
			}
			if (url !== '/auth/Authorize.php') return response.end('{}');
			const { state } = JSON.parse(body) as { state: string };
			response.end(`https://app.agency.example/callback?code=code&state=${state}`);
		}, false);
		const { error } = await readShifts(credentialsFor(service.url, { grantType }), 1);
		expect(service.paths.at(-1)).toBe(path);
		expect(elsewhere.paths).toEqual([]);
		expect(error?.message).toContain(`The sign-in returned status ${status}`);
	});
});

test.each([
	['names in another letter case', '{"Access_Token":"fake-token","Expires_In":"60"}'],
	['a token with a message', '{"access_token":"fake-token","message":"Login successful"}'],
	['a notice before it', '<b>Notice</b>: Undefined index\n{"access_token":"fake-token"}'],
])('a sign-in is answered with %s', async (_, body) => {
	const sent = new Set<string | undefined>();
	const service = await startFakeService(({ url, headers }, response) => {
		if (url === '/authpass/Token.php') return response.end(body);
		sent.add(headers.authorization);
		response.end('{"shift":{"shift":"A"}}');
	}, false);
	const { error, json } = await readShifts(credentialsFor(service.url), 2);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(2);
	expect([...sent]).toEqual([expect.stringMatching(/fake-token$/)]);
	expect(service.paths.filter((path) => path === '/authpass/Token.php')).toHaveLength(1);
});

describe('a refusal in any shape is told in its own words, and tried once in ten runs with Retry On Fail', () => {
	const tenRuns = async (status: number, body: string, grantType = 'password') => {
		const service = await startFakeService((_, response) => {
			response.writeHead(status).end(body);
		}, false);
		const store = credentialsFor(service.url, { grantType });
		const messages = new Set<string>();
		for (let each = 0; each < 10; each++) {
			const nodeSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			const { error } = await readShifts(store, 5, { nodeSettings });
			messages.add(error!.message.replace(/ \[rows .*\]$/, ''));
		}
		return { messages: [...messages], signIns: service.paths.length };
	};

	const notTheService = /sign-in.*Check 'Base URL' in the credential/;
	const oauth = '{"error":"invalid_client","error_description":"Unknown application"}';
	const byOAuth =
		/^Sign-in was refused: Unknown application \(invalid_client\)\. n8n tries again at/;

	test.each([
		[
			401,
			'{"success":false,"errors":"Wrong user or password"}',
			/refused: Wrong user or password\. n8n tries again at/,
		],
		[200, '{"success":false,"errors":"Wrong user"}', /refused: Wrong user\. n8n tries again at/],
		[
			422,
			'{"error":{"code":7,"message":"No such user"}}',
			/refused: No such user\. n8n tries again at/,
		],
		[401, 'Bad credentials', /status 401\. Check/],
		[403, '<!DOCTYPE html><p>Log in', /status 403: a web page\. Check/],
		[
			409,
			'{"error_description":"Account is closed"}',
			/refused: Account is closed\. n8n tries again at/,
		],
		[200, '<!DOCTYPE html><p>Welcome', notTheService],
		[200, '{"access_token": "x', notTheService],
		...[200, 401, 500].map((status): [number, string, RegExp] => [status, oauth, byOAuth]),
	])('status %d with %s', async (status, body, message) => {
		for (const grantType of ['password', 'authorizationCode']) {
			const { messages, signIns } = await tenRuns(status, body, grantType);
			expect(messages).toEqual([expect.stringMatching(message)]);
			expect(signIns).toBe(1);
		}
	});

	test.each([
		...[429, 500].map((status): [number, string] => [status, '{"message":"not now"}']),
		[400, '{"error":"temporarily_unavailable"}'],
	] as const)('status %d with %s is no refusal, and is tried again', async (status, body) => {
		expect((await tenRuns(status, body)).signIns).toBeGreaterThan(10);
	});
});
