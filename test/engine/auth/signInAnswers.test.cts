// What answers a sign-in: an address that is not the service, redirects, refusals.
import { readShifts } from '../../harness/readShifts.cts';
import { startFakeService, startHastyService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

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
		expect(error?.message).toContain(`The service issued no token (status ${status})`);
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
	expect(service.signIns).toHaveLength(1);
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

	const oauth = '{"error":"invalid_client","error_description":"Unknown application"}';

	test.each([
		[401, '{"success":false,"errors":"Wrong user or password"}', 'Wrong user or password'],
		[200, '{"success":false,"errors":"Wrong user"}', 'Wrong user'],
		[422, '{"error":{"code":7,"message":"No such user"}}', 'No such user'],
		[409, '{"error_description":"Account is closed"}', 'Account is closed'],
		[200, 'https://app.example/?error=access_denied&code=1', 'access_denied'],
		[401, 'Bad credentials', "status 401. Check 'Base URL' in the credential"],
		...[200, 401, 500].map((status) => [status, oauth, 'Unknown application (invalid_client)']),
	] as Array<[number, string, string]>)('status %d with %s', async (status, body, words) => {
		for (const grantType of ['password', 'authorizationCode']) {
			const { messages, signIns } = await tenRuns(status, body, grantType);
			const message = `Sign-in was refused: ${words}. n8n tries again at`;
			expect(messages).toEqual([expect.stringContaining(message)]);
			expect(signIns).toBe(1);
		}
	});

	test.each([
		[429, '{"message":"not now"}', 'Try again later'],
		[400, '{"error":"temporarily_unavailable"}', 'Try again later'],
		[200, 'https://app.example/?error=server_error', 'Try again later'],
		[500, '{"error":"Internal Server Error"}', 'Try again later'],
		[200, '<!DOCTYPE html><p>Under maintenance', "a web page. Check 'Base URL'"],
		[403, '<!DOCTYPE html><p>Not found', "a web page. Check 'Base URL'"],
		[404, '404 page not found', "(status 404). Check 'Base URL'"],
		[200, '{"access_token": "x', "(status 200). Check 'Base URL'"],
	] as Array<[number, string, string]>)(
		'status %d with %s proves no refusal, and is tried again',
		async (status, body, words) => {
			const { messages, signIns } = await tenRuns(status, body);
			expect(messages[0]).toMatch(/^The service issued no token \(status \d+\)/);
			expect(messages[0]).toContain(words);
			expect(signIns).toBeGreaterThan(10);
		},
	);
});
