// Signing in: one token request however many need it, and words the user can act on.
import type { ICredentialDataDecryptedObject, IDataObject, INodeType } from 'n8n-workflow';

import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { CredentialsHelper, type CredentialStore } from '../../runner/credentials.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import {
	startSandbox,
	type Exchange,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox/server.mts';
import { runNode, storeWith, type RunOptions, type RunResult } from '../harness/run';
import { startFakeService, startHastyService } from '../harness/server';

let sandbox: Sandbox;
let exchanges: Exchange[] = [];
const onExchange = (exchange: Exchange) => exchanges.push(exchange);
beforeEach(async () => {
	exchanges = [];
	sandbox = await startSandbox({ onExchange });
});
afterEach(() => sandbox.close());
/** At the same address, without the tokens it issued. */
async function restart(options: SandboxOptions = {}) {
	const port = Number(new URL(sandbox.url).port);
	await sandbox.close();
	sandbox = await startSandbox({ port, onExchange, ...options });
}

const passwordGrant = (changes: ICredentialDataDecryptedObject = {}) =>
	sandboxCredential(sandbox.url, { grantType: 'password', ...changes });
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ id: 101 + n }));
const get = (
	credentials: CredentialStore,
	count: number,
	more: Partial<RunOptions> = {},
	run = runNode,
) =>
	run({
		node: new AgencyShifts(),
		parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests: 50, maxTries: 1 } },
		items: items(count),
		credentials,
		...more,
	});
/** Modules of its own have a memory of their own, as another process has. */
function anotherProcess() {
	let run!: typeof runNode;
	let node!: INodeType;
	jest.isolateModules(() => {
		run = jest.requireActual<{ runNode: typeof runNode }>('../harness/run').runNode;
		node = new (jest.requireActual<{ AgencyShifts: typeof AgencyShifts }>(
			'../../nodes/AgencyShifts/AgencyShifts.node',
		).AgencyShifts)();
	});
	return { run, node };
}
const countOf = (operation: string, status = 200) =>
	exchanges.filter((exchange) => exchange.operation === operation && exchange.status === status)
		.length;

test('50 parallel requests without a token cause one token request', async () => {
	const { json, error } = await get(storeWith(passwordGrant()), 50);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(50);
	expect(exchanges.map(({ operation }) => operation).filter((name) => name !== 'getShift')).toEqual(
		['passwordToken'],
	);
	expect(countOf('getShift', 401)).toBe(0);
});

test('a token that dies in the middle costs exactly one more', async () => {
	const store = storeWith(passwordGrant());
	await get(store, 1);
	let answered = 0;
	await restart({
		onExchange(exchange) {
			exchanges.push(exchange);
			if (exchange.operation === 'getShift' && ++answered === 120) sandbox.accounts.revokeTokens();
		},
	});
	exchanges = [];
	const { json, error } = await get(store, 200);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(200);
	expect(countOf('getShift', 401)).toBeGreaterThan(0);
	// One for the token of the closed sandbox, one for the revoked one.
	expect(countOf('passwordToken')).toBe(2);
});

test('the token is stored, and the next run asks for none', async () => {
	const store = storeWith(passwordGrant());
	await get(store, 3);
	exchanges = [];
	await get(store, 3);
	expect(exchanges.map(({ operation }) => operation)).toEqual(['getShift', 'getShift', 'getShift']);
});

test('a token past its lifetime is replaced without asking the service first', async () => {
	const store = storeWith(passwordGrant());
	await get(store, 1);
	const { accessToken } = store.read('account');
	const { expiresAt } = JSON.parse(accessToken as string) as { expiresAt: number };
	const now = Date.now();
	expect(expiresAt).toBeGreaterThan(now);
	exchanges = [];
	const later = jest.spyOn(Date, 'now').mockImplementation(() => expiresAt);
	const { error } = await get(store, 20);
	later.mockRestore();
	expect(error).toBeUndefined();
	expect(countOf('passwordToken')).toBe(1);
	expect(countOf('getShift', 401)).toBe(0);
});

test('a token that is refused is not replaced by one that has expired', async () => {
	const store = storeWith(passwordGrant());
	await get(store, 1);
	const other = storeWith(store.read('account'));
	await restart({ tokenLifetime: 0 });
	expect((await get(other, 1)).error?.message).toMatch(/has already expired/);
	await restart();
	exchanges = [];
	expect((await get(store, 1)).error).toBeUndefined();
	expect(countOf('passwordToken')).toBe(1);
});

test('a token that another process has stored, and that is refused, is not replaced by our older one', async () => {
	await get(storeWith(passwordGrant()), 1);
	// The other one is younger by its time, too.
	const now = Date.now();
	while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
	const store = storeWith(passwordGrant());
	const { run, node } = anotherProcess();
	await get(store, 1, { node }, run);
	expect(countOf('passwordToken')).toBe(2);
	sandbox.accounts.revokeTokens();
	exchanges = [];
	expect((await get(store, 1)).error).toBeUndefined();
	expect(countOf('passwordToken')).toBe(1);
});

test('a token that another process ended at once is not fought for: what that one stores is waited for', async () => {
	const store = storeWith(passwordGrant());
	const otherStore = storeWith(passwordGrant());
	await restart({
		oneLiveToken: true,
		onExchange(exchange) {
			exchanges.push(exchange);
			if (exchange.status !== 401) return;
			// Stored late: the first look for another token finds none.
			jest.spyOn(store, 'read').mockImplementationOnce((id) => {
				const before = store.read(id);
				store.rows.set(id, otherStore.read(id));
				return before;
			});
		},
	});
	await get(store, 1);
	const { run, node } = anotherProcess();
	await get(otherStore, 1, { node }, run);
	expect((await get(store, 1)).error).toBeUndefined();
	expect(countOf('getShift', 401)).toBe(1);
	expect(countOf('passwordToken')).toBe(2);
});

test('two runs at once with the same credential share the sign-in', async () => {
	const first = storeWith(passwordGrant());
	await get(first, 5);
	sandbox.accounts.revokeTokens();
	exchanges = [];
	await Promise.all([get(first, 20), get(storeWith(first.read('account')), 20)]);
	expect(countOf('passwordToken')).toBe(1);
});

test('a token that another run was refused while n8n still stored it is replaced', async () => {
	let signIns = 0;
	const onArrival = (operation: string) => {
		if (operation === 'passwordToken') signIns++;
	};
	await restart({ onArrival });
	const other = storeWith(passwordGrant());
	let otherRun!: ReturnType<typeof get>;
	jest
		.spyOn(CredentialsHelper.prototype, 'preAuthentication')
		.mockImplementationOnce(async function (this: CredentialsHelper, ...args) {
			const stored = await this.preAuthentication(...args);
			sandbox.accounts.revokeTokens();
			// The other run still signs in when this one goes on.
			sandbox.faults.set([{ fault: 'delayBefore', operation: 'passwordToken', milliseconds: 300 }]);
			otherRun = get(other, 1);
			while (signIns < 2) await new Promise((resolve) => setImmediate(resolve));
			return stored;
		});
	const { error } = await get(storeWith(passwordGrant()), 1);
	expect([error, (await otherRun).error]).toEqual([undefined, undefined]);
	expect(signIns).toBe(2);
});

describe('authorization code grant', () => {
	const codeGrant = (changes: ICredentialDataDecryptedObject = {}) =>
		storeWith(sandboxCredential(sandbox.url, { grantType: 'authorizationCode', ...changes }));

	test.each([
		['confidential', {}],
		['public', { clientId: 'public-app', clientSecret: '' }],
	])('a %s client', async (_, changes) => {
		const { error } = await get(codeGrant(changes), 10);
		expect(error).toBeUndefined();
		expect([countOf('authorize'), countOf('codeToken')]).toEqual([1, 1]);
	});
});

const publicClient = { clientId: 'public-app', clientSecret: '' };
const noRedirectUri = { grantType: 'password', redirectUri: '' };
// All that a token depends on, each with a value that is wrong beside the others.
describe.each([
	['baseUrl', 'http://127.0.0.1:9', /^Signing in at http:\/\/127\.0\.0\.1:9 failed: /],
	['apiKey', 'not-the-key', /subscription key is not known/],
	['grantType', 'password', /may not use the password grant/, publicClient],
	['grantType', 'authorizationCode', /redirect URI is not the one registered/, noRedirectUri],
	['clientId', 'nobody', /The client ID is not known to the service/],
	['clientSecret', 'not-the-secret', /client secret is wrong/],
	['username', 'nobody', /username or the password is wrong/],
	['password', 'not-the-password', /username or the password is wrong/],
	['redirectUri', 'https://other.example/', /redirect URI is not the one registered/],
] as Array<[string, string, RegExp, ICredentialDataDecryptedObject?]>)(
	'a wrong %s (%s)',
	(field, value, message, others) => {
		const right = () => sandboxCredential(sandbox.url, others);
		const wrong = () => ({ ...right(), [field]: value });
		const expectRefused = ({ error }: RunResult) => {
			// Not: a request that was sent, and refused.
			expect(error?.message).toMatch(/^(Sign-in was refused|Signing in at)/);
			expect(error?.message).toMatch(message);
		};
		/** However they were answered. */
		const sent = () => exchanges.filter(({ operation }) => operation === 'getShift').length;

		test('is refused with the words of the service', async () => {
			expectRefused(await get(storeWith(wrong()), 1));
			expect(sent()).toBe(0);
		});

		test('gets no token that was issued before, not even the one stored beside it', async () => {
			const store = storeWith(right());
			expect((await get(store, 1)).error).toBeUndefined();
			store.rows.set('account', { ...store.read('account'), [field]: value });
			expectRefused(await get(store, 1));
			expectRefused(await get(storeWith(wrong()), 1));
			expect(sent()).toBe(1);
		});

		test('shares no sign-in that is under way', async () => {
			const [refused, good] = await Promise.all([
				get(storeWith(wrong()), 5),
				get(storeWith(right()), 5),
			]);
			expectRefused(refused);
			expect(good.error).toBeUndefined();
			expect(sent()).toBe(5);
		});
	},
);

test('a refused sign-in is not tried again for every item', async () => {
	const { json } = await get(storeWith(passwordGrant({ password: 'not-the-password' })), 200, {
		parameters: { shiftID: '={{ $json.id }}', options: { parallelRequests: 2 } },
		node$: { onError: 'continueRegularOutput' },
	});
	expect(json).toHaveLength(200);
	expect(json[199]).toMatchObject({
		message: expect.stringMatching(/password is wrong.*\[item 199\]/),
		error: { outcome: 'notSent' },
	});
	expect(countOf('passwordToken', 400)).toBeLessThanOrEqual(2);
});

test.each([
	['token', /^[\w-]+$/],
	['bearer', /^Bearer [\w-]+$/],
])('Authorization Header: %s', async (authorizationHeader, form) => {
	await get(storeWith(passwordGrant({ authorizationHeader })), 1);
	const request = exchanges.find(({ operation }) => operation === 'getShift');
	expect(request?.headers.authorization).toMatch(form);
	expect(request?.status).toBe(200);
});

test.each([
	['http://records.example.org', /'Base URL' in the credential must be an address/],
	['not an address', /'Base URL' in the credential must be an address/],
	['http://127.0.0.1:9', /Signing in at http:\/\/127\.0\.0\.1:9 failed: nothing answers there/],
	['https://records.invalid', /failed: (there is no host of that name|the name of the host)/],
])('Base URL %s', async (baseUrl, message) => {
	const { error } = await get(storeWith(passwordGrant({ baseUrl })), 1);
	expect(error?.message).toMatch(message);
	expect(exchanges).toEqual([]);
});

test('a slash at the end of the Base URL does no harm', async () => {
	const { error } = await get(storeWith(passwordGrant({ baseUrl: `${sandbox.url}/` })), 1);
	expect(error).toBeUndefined();
});

test('a fresh token that is refused all the same is no endless loop', async () => {
	const service = await startFakeService(({ headers }, response) => {
		response.statusCode = 401;
		const errors = `token ${headers.authorization} is not ours`;
		response.end(JSON.stringify({ success: false, errors }));
	});
	const { error, saved } = await get(storeWith(passwordGrant({ baseUrl: service.url })), 1);
	await service.close();
	expect(error?.message).toBe('Sign-in refused: token *** is not ours [item 0]');
	expect(error?.description).toMatch(/'Authorization Header'/);
	expect(saved).not.toContain('fake-access-token');
	expect(service.paths.length).toBeLessThanOrEqual(4);
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
		} else if (url!.endsWith('/101')) refuse();
		else if (url!.endsWith('/102')) heldBack = refuse;
		else accept();
	});
	const store = storeWith(passwordGrant({ baseUrl: service.url }));
	await get(store, 1, { items: [{ id: 100 }] });
	const { error, json } = await get(store, 2);
	await service.close();
	expect(error).toBeUndefined();
	expect(json).toHaveLength(2);
	expect(service.paths.filter((path) => path.includes('Token'))).toHaveLength(2);
});

describe.each(['password', 'authorizationCode'])(
	'an address that is not the service (%s)',
	(grantType) => {
		test.each([
			['a web page', 200, '<!DOCTYPE html><p>Welcome'],
			['an error page', 404, '<html>Not found</html>'],
			['nothing', 200, ''],
			['broken JSON', 200, '{"access_token": "x'],
			['no token', 200, '{"access_token": ""}'],
		])('answers with %s', async (_, status, body) => {
			const service = await startFakeService((_request, response) => {
				response.statusCode = status;
				response.end(body);
			}, false);
			const credential = sandboxCredential(service.url, { grantType });
			const { error } = await get(storeWith(credential), 1);
			await service.close();
			expect(error?.message).toMatch(/sign-in.*Check 'Base URL' in the credential/);
			expect(service.paths).toHaveLength(1);
		});
	},
);

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
		const { error } = await get(storeWith(sandboxCredential(service.url, { grantType })), 1);
		await Promise.all([service.close(), elsewhere.close()]);
		expect(service.paths.at(-1)).toBe(path);
		expect(elsewhere.paths).toEqual([]);
		expect(error?.message).toContain(`The service answered the sign-in with status ${status}`);
	});
});

test('a token that is past its lifetime when it comes is said to be so', async () => {
	await restart({ tokenLifetime: 0 });
	const { error } = await get(storeWith(passwordGrant()), 1);
	expect(error?.message).toMatch(/has already expired/);
	expect(exchanges.filter(({ operation }) => operation === 'getShift')).toEqual([]);
});

test('an error in the redirect address shows no secret', async () => {
	const words = encodeURIComponent('chief-password does not match station-app-secret');
	const service = await startFakeService((_request, response) => {
		response.end(`https://app.agency.example/callback?error_description=${words}`);
	});
	const credential = sandboxCredential(service.url);
	const { error, saved } = await get(storeWith(credential), 1);
	await service.close();
	expect(error?.message).toBe('Sign-in was refused: *** does not match *** [item 0]');
	expect(saved).not.toMatch(/chief-password|station-app-secret/);
});

describe('a node that uses the older request helper, as the HTTP Request node does', () => {
	const caller = (uri: () => string): INodeType => ({
		description: {
			...new AgencyShifts().description,
			name: 'caller',
			properties: [],
		},
		async execute() {
			const body = (await this.helpers.requestWithAuthentication.call(this, 'agencyRecordsApi', {
				method: 'GET',
				uri: uri(),
				headers: { 'Content-Type': 'application/json' },
				json: true,
				followAllRedirects: true,
			})) as IDataObject;
			return [[{ json: body }]];
		},
	});
	const call = (uri: () => string) =>
		runNode({ node: caller(uri), parameters: {}, credentials: storeWith(passwordGrant()) });

	test('is signed in', async () => {
		const { json, error } = await call(() => `${sandbox.url}/agencyshifts/shifts/101`);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ shift: { shift: 'A' } }]);
	});

	test('reaches no other host, not even through a redirect', async () => {
		const elsewhere = await startFakeService((_, response) => response.end('{}'));
		const redirecting = await startFakeService((_, response) =>
			response.writeHead(307, { location: `${elsewhere.url}/shifts` }).end(),
		);
		const errors: unknown[] = [];
		for (const [url, host] of [
			[redirecting.url, redirecting.url],
			[elsewhere.url, sandbox.url],
		] as const) {
			const credentials = storeWith(sandboxCredential(host, { grantType: 'password' }));
			const node = caller(() => `${url}/shifts`);
			errors.push((await runNode({ node, parameters: {}, credentials })).error);
		}
		await Promise.all([elsewhere.close(), redirecting.close()]);
		expect(errors).toEqual([expect.any(Object), expect.any(Object)]);
		expect(redirecting.paths).toContain('/shifts');
		expect(elsewhere.paths).toEqual([]);
	});
});

describe('what the service says of a sign-in', () => {
	const answerSignIn = async (status: number, body: object) => {
		const service = await startFakeService((_, response) => {
			response.writeHead(status).end(JSON.stringify(body));
		}, false);
		const credential = sandboxCredential(service.url, { grantType: 'password' });
		const result = await get(storeWith(credential), 3, {
			node$: { onError: 'continueRegularOutput' },
		});
		await service.close();
		return { ...result, paths: service.paths };
	};

	test.each([200, 400, 401, 403, 429, 500, 503])(
		'an OAuth error is a refusal at status %d, and not tried again',
		async (status) => {
			const body = { error: 'invalid_client', error_description: 'Unknown application' };
			const { json, paths } = await answerSignIn(status, body);
			for (const { message, error } of json) {
				expect(message).toMatch(/^Sign-in was refused: Unknown application \(invalid_client\)/);
				expect(error).toMatchObject({ outcome: 'notSent', retryable: false });
			}
			expect(paths).toHaveLength(1);
		},
	);

	test('an OAuth error that says "not now" may be tried again later', async () => {
		const { json } = await answerSignIn(400, { error: 'temporarily_unavailable' });
		expect(json[0]).toMatchObject({ error: { outcome: 'notSent', retryable: true } });
	});
});

test('another sign-in that ends each token is named as the reason', async () => {
	const service = await startFakeService((_, response) => {
		// Meanwhile another process signs in, and stores its token.
		const row = store.read('account');
		const token = JSON.parse(row.accessToken as string) as { obtainedAt: number };
		const { obtainedAt } = token;
		const newer = { ...token, accessToken: `other-${obtainedAt}`, obtainedAt: obtainedAt + 1 };
		store.rows.set('account', { ...row, accessToken: JSON.stringify(newer) });
		response.writeHead(401).end('{"success":false,"errors":"The access token is invalid"}');
	});
	const store = storeWith(passwordGrant({ baseUrl: service.url }));
	const { json } = await get(store, 1, { node$: { onError: 'continueRegularOutput' } });
	await service.close();
	expect(json).toMatchObject([
		{
			error: {
				outcome: 'refused',
				retryable: true,
				advice: expect.stringMatching(/^Another sign-in of this account ended the token/),
			},
		},
	]);
	expect(service.paths.length).toBeLessThanOrEqual(6);
	expect(service.paths.filter((path) => path.includes('Token'))).toHaveLength(1);
});

test('the one-time code is not shown', async () => {
	const service = await startFakeService((request, response, body) => {
		if (request.url === '/auth/Authorize.php') {
			const { state } = JSON.parse(body) as { state: string };
			response.end(`https://app.agency.example/callback?code=one-time-code&state=${state}`);
			return;
		}
		const error_description = 'The code one-time-code is used up';
		response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description }));
	}, false);
	const { error, saved } = await get(storeWith(sandboxCredential(service.url)), 1);
	await service.close();
	expect(error?.message).toMatch(/The code \*\*\* is used up/);
	expect(saved).not.toContain('one-time-code');
});

test('a token that was replaced is not shown either', async () => {
	const service = await startFakeService(({ headers }, response) => {
		if (headers.authorization === 'fake-access-token-1') return response.writeHead(401).end('{}');
		response.writeHead(400).end('{"errors":"you also sent fake-access-token-1"}');
	});
	const { error, saved } = await get(storeWith(passwordGrant({ baseUrl: service.url })), 1);
	await service.close();
	expect(error?.message).toMatch(/you also sent \*\*\*/);
	expect(saved).not.toContain('fake-access-token');
});
