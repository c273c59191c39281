// Responses to a sign-in: from a wrong address, redirects, refusals.
import { respondAsGateway, gatewayResponses } from '../../harness/gatewayResponses.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { startFakeService, startHastyService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });

describe.each([
	['password', '/authpass/Token.php'],
	['authorizationCode', '/auth/Authorize.php'],
	['authorizationCode', '/authtoken/Token.php'],
	['identityProvider', '/login/token'],
])('signing in (%s), a redirect from %s', (grantType, path) => {
	test.each([302, 303, 307, 308])('with status %d is not followed', async (status) => {
		const elsewhere = await startHastyService((_, response) => response.end('{}'));
		const service = await startFakeService(({ url }, response, body) => {
			if (url === path)
				return response.writeHead(status, { location: `${elsewhere.url}/elsewhere` }).end();
			if (url !== '/auth/Authorize.php') return response.end('{}');
			const { state } = JSON.parse(body) as { state: string };
			response.end(`https://app.agency.example/callback?code=code&state=${state}`);
		}, false);
		const tokenUrl = `${service.url}/login/token`;
		const { error } = await readShifts(credentialsFor(service.url, { grantType, tokenUrl }), 1);
		expect(service.paths.at(-1)).toBe(path);
		expect(elsewhere.paths).toEqual([]);
		expect(error?.message).toContain(`The service issued no token (status ${status})`);
	});
});

test.each([
	['names in another letter case', '{"Access_Token":"fake-token","Expires_In":"60"}'],
	['a token with a message', '{"access_token":"fake-token","message":"Login successful"}'],
	['a notice before it', '<b>Notice</b>: Undefined index\n{"access_token":"fake-token"}'],
])('a sign-in succeeds with %s', async (_, body) => {
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

describe('a refusal in any shape is quoted, and tried once in three runs with Retry On Fail', () => {
	const threeRuns = async (status: number, body: string, grantType = 'password', headers = {}) => {
		const service = await startFakeService((_, response) => {
			response.writeHead(status, headers).end(body);
		}, false);
		const store = credentialsFor(service.url, { grantType });
		const messages = new Set<string>();
		for (let each = 0; each < 3; each++) {
			const nodeSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			const { error } = await readShifts(store, 2, { nodeSettings });
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
		[400, '{"Error":"invalid_user","Error_Description":"Wrong user"}', 'Wrong user (invalid_user)'],
		[400, '{"errors":[{"type":"Denied","message":"Wrong user"}]}', 'Denied: Wrong user'],
		[200, '{"url":"https://app.example/?error=access_denied"}', 'access_denied'],
		[404, '{"success":false,"errors":"No page"}', "No page. Check 'Base URL' in the credential"],
		[401, 'Bad credentials', "status 401. Check 'Base URL' in the credential"],
		...[200, 401, 500].map((status) => [status, oauth, 'Unknown application (invalid_client)']),
	] as Array<[number, string, string]>)('status %d with %s', async (status, body, words) => {
		for (const grantType of ['password', 'authorizationCode']) {
			const { messages, signIns } = await threeRuns(status, body, grantType);
			const message = `Sign-in was refused: ${words}. n8n tries again in`;
			expect(messages).toEqual([expect.stringContaining(message)]);
			expect(signIns).toBe(1);
		}
	});

	test.each([302, 303, 307])('a redirect with status %d to a URL with an error', async (status) => {
		for (const query of [
			'?error=access_denied&Error_Description=Wrong+user',
			'#error=wrong_user',
			'?lang=en#error=wrong_user',
		])
			for (const grantType of ['password', 'authorizationCode']) {
				const location = `https://app.example/callback${query}&code=1`;
				const { messages, signIns } = await threeRuns(status, '', grantType, { location });
				expect(messages).toEqual([expect.stringMatching(/^Sign-in was refused: .*wrong.user/i)]);
				expect(signIns).toBe(1);
			}
	});

	test.each<[number, string, string]>([
		[429, '{"message":"not now"}', 'Try again later'],
		[400, '{"error":"temporarily_unavailable"}', 'Try again later'],
		[200, 'https://app.example/?error=server_error', 'Try again later'],
		[500, '{"error":"Internal Server Error"}', 'Try again later'],
		[200, '<!DOCTYPE html><p>Under maintenance', "a web page. Check 'Base URL'"],
		[403, '<!DOCTYPE html><p>Not found', "a web page. Check 'Base URL'"],
		[404, '404 page not found', "(status 404). Check 'Base URL'"],
		[200, '{"access_token": "x', "(status 200). Check 'Base URL'"],
	])('status %d with %s does not prove a refusal, and is retried', async (status, body, words) => {
		const { messages, signIns } = await threeRuns(status, body);
		expect(messages[0]).toMatch(/^The service issued no token \(status \d+\)/);
		expect(messages[0]).toContain(words);
		expect(signIns).toBeGreaterThan(3);
	});
});

describe('the code is read from any response that has it together with our state', () => {
	const callback = (state: string, more = '') =>
		`https://app.agency.example/callback?code=a/code&state=${state}${more}`;
	/** @param respond gives the body, status and headers for a state */
	const signIn = async (respond: (state: string) => [string, number?, Record<string, string>?]) => {
		const codes: string[] = [];
		const service = await startFakeService(({ url }, response, sent) => {
			if (url === '/agencyshifts/shifts/101') return response.end('{"shift":{"shift":"A"}}');
			const body = JSON.parse(sent) as { state: string; code: string };
			if (url === '/auth/Authorize.php') {
				const [text, status = 200, headers = {}] = respond(body.state);
				return response.writeHead(status, headers).end(text);
			}
			codes.push(body.code);
			response.end('{"access_token":"fake-token"}');
		}, false);
		const credentials = credentialsFor(service.url, { grantType: 'authorizationCode' });
		const { error } = await readShifts(credentials, 1);
		return { error: error?.message, codes, paths: service.paths };
	};
	const json = JSON.stringify;
	const php = (value: unknown) => json(value).replaceAll('/', '\\/');

	test.each<[string, Parameters<typeof signIn>[0]]>([
		['an address', (state) => [callback(state)]],
		['an address after a notice', (state) => [`<b>Notice</b>: x\n${callback(state)}`]],
		['JSON after a notice', (state) => [`<b>Notice</b>: x\n${php(callback(state))}`]],
		['an object', (state) => [json({ url: callback(state) })]],
		['an object of PHP', (state) => [php({ href: callback(state), method: 'GET' })]],
		['an object in a list', (state) => [json([{ data: { redirect: callback(state) } }])]],
		['fields', (state) => [json({ code: 'a/code', state })]],
		['a header as text', (state) => [`Location: ${callback(state)}`]],
		['a fragment', (state) => [callback(state).replace('?', '#')]],
		['a link', (state) => [`<a href="${callback(state).replace('&', '&amp;')}">Continue</a>`]],
		['a header', (state) => ['', 200, { location: callback(state) }]],
		['a redirect', (state) => [`<p>${callback(state)}</p>`, 302, { location: callback(state) }]],
		['a body without errors', (state) => [json({ success: true, errors: {}, u: callback(state) })]],
	])('%s', async (_, respond) => {
		expect(await signIn(respond)).toMatchObject({ error: undefined, codes: ['a/code'] });
	});

	test.each<[string, Parameters<typeof signIn>[0], RegExp]>([
		['another state', () => [json({ url: callback('other') })], /belongs to another request/],
		['another one in a redirect', () => ['', 302, { location: callback('x') }], /another request/],
		['no state', () => ['https://app.example/?code=a'], /belongs to another request/],
		['two codes', (state) => [json([callback(state), `?code=b&state=${state}`])], /no token/],
		['an error beside it', (state) => [callback(state, '&error=access_denied')], /refused: acc/],
		['an error in a body', (state) => [json({ error: 'No', u: callback(state) })], /refused: No/],
		['a status of an error', (state) => [callback(state), 500], /status 500/],
	])('but not with %s', async (_, respond, message) => {
		const { error, codes } = await signIn(respond);
		expect(error).toMatch(message);
		expect(error).not.toContain('a/code');
		expect(codes).toEqual([]);
	});
});

const grants = ['password', 'authorizationCode'];
test.each(grants)("the gateway's 404 means no such operation (%s): no retry", async (grantType) => {
	const service = await startFakeService(
		(_, response) => respondAsGateway(response, gatewayResponses.route),
		false,
	);
	const { error } = await readShifts(credentialsFor(service.url, { grantType }), 3);
	expect(error?.message).toMatch(
		/^There is no sign-in at this address: .*Resource not found\. .*'Password at an Identity Provider'/,
	);
	expect(error?.description).toMatch(/Correct the credential/);
	expect(`${error?.message} ${error?.description}`).not.toMatch(/later/);
	expect(service.paths).toHaveLength(1);
});

test("the path of 'Base URL' is named if there is no sign-in below it", async () => {
	const service = await startFakeService((_, response) => response.writeHead(404).end(), false);
	const message = async (path: string) =>
		(await readShifts(credentialsFor(`${service.url}${path}`), 1)).error?.message;
	expect(await message('/agencyvendors/')).toContain(
		"Check the path in 'Base URL': /agencyvendors",
	);
	expect(await message('/')).toMatch(/Check 'Base URL' in the credential\./);
});
