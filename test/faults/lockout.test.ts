// Signing in never locks an account: what was refused is not tried again and again.
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import type { CredentialStore } from '../../runner/credentials.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { users } from '../../sandbox/accounts.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { runNode, storeWith } from '../harness/run';
import { startFakeService } from '../harness/server';

const { username } = users[0]!;
const passwordGrant = (url: string, changes: ICredentialDataDecryptedObject = {}) =>
	sandboxCredential(url, { grantType: 'password', ...changes });

let sandbox: Sandbox | undefined;
const start = async (options: SandboxOptions = {}) => (sandbox = await startSandbox(options));
afterEach(async () => {
	await sandbox?.close();
	sandbox = undefined;
});

const readShifts = (
	credentials: CredentialStore,
	count: number,
	node$: Partial<INode> = {},
	options: INodeParameters = {},
) =>
	runNode({
		node: new AgencyShifts(),
		parameters: { shiftID: '={{ 101 + $itemIndex % 5 }}', options },
		items: Array.from({ length: count }, () => ({ json: {} })),
		credentials,
		node$,
	});

const stop: Partial<INode> = {};
const goOn: Partial<INode> = { onError: 'continueRegularOutput' };
/** n8n takes a wait of 0 for a second. */
const retry: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

test.each([
	['Stop', stop],
	['Continue', goOn],
	['Stop, with Retry On Fail', retry],
])(
	'a password that changes in the midst of a run, answers spread over 2 s: On Error is %s',
	async (_, node$) => {
		let answers = 0;
		const { url, accounts, faults } = await start({
			lockAfter: 3,
			onExchange({ operation, status }) {
				if (operation !== 'getShift' || status !== 200 || ++answers !== 60) return;
				accounts.changePassword(username, 'the-new-password');
				faults.set([{ fault: 'expireToken', spread: 2000 }]);
			},
		});
		const { error, json } = await readShifts(storeWith(passwordGrant(url)), 120, node$);
		const refused = accounts.refusedSignIns(username);
		console.log(`${refused} refused sign-ins`);
		expect([1, 2]).toContain(refused);
		const said = error?.message ?? json.find((item) => 'error' in item)?.message;
		expect(said).toMatch(/username or the password is wrong/);

		faults.set([]);
		// Who types the new password into the credential works on at once.
		const renewed = storeWith(passwordGrant(url, { password: 'the-new-password' }));
		expect((await readShifts(renewed, 1)).error).toBeUndefined();
	},
);

test.each([
	['Stop', stop],
	['Continue', goOn],
	['Stop, with Retry On Fail', retry],
])('ten runs in a row with a wrong password try it once: On Error is %s', async (_, node$) => {
	const { url, accounts } = await start();
	const store = storeWith(passwordGrant(url, { password: 'not-the-password' }));
	for (let run = 0; run < 10; run++) {
		const { error, json } = await readShifts(store, 20, node$);
		expect(error?.message ?? json[0]?.message).toMatch(/username or the password is wrong/);
	}
	const refused = accounts.refusedSignIns(username);
	console.log(`${refused} refused sign-ins in ten runs`);
	expect(refused).toBe(1);
});

test('what was refused is not tried again in a run, however long it takes; in another after a minute', async () => {
	const realNow = performance.now.bind(performance);
	let passed = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => realNow() + passed);
	const { url, accounts } = await start({
		onExchange({ operation }) {
			// When the refusal has arrived, and before the next try.
			if (operation === 'passwordToken') setTimeout(() => (passed += 61_000), 100);
		},
	});
	const store = storeWith(passwordGrant(url, { password: 'not-the-password' }));
	await readShifts(store, 5, { ...retry, waitBetweenTries: 500 });
	expect(passed).toBe(61_000);
	expect(accounts.refusedSignIns(username)).toBe(1);
	await readShifts(store, 5);
	expect(accounts.refusedSignIns(username)).toBe(2);
	jest.restoreAllMocks();
});

test('settings that were changed are tried at once', async () => {
	const { url, accounts } = await start();
	for (const password of ['one', 'two', users[0]!.password]) {
		await readShifts(storeWith(passwordGrant(url, { password })), 1);
	}
	const { error } = await readShifts(storeWith(passwordGrant(url)), 1);
	expect(error).toBeUndefined();
	expect(accounts.refusedSignIns(username)).toBe(2);
});

describe("the credential's Test", () => {
	/** Asks n8n's helper as the Test does: with the credential as it is typed in. */
	const tester = (credential: ICredentialDataDecryptedObject): INodeType => ({
		description: { ...new AgencyShifts().description, name: 'tester', properties: [] },
		async execute() {
			const type = 'agencyRecordsApi';
			const data = { ...credential, accessToken: '' };
			await this.helpers.httpRequestWithAuthentication.call(
				this,
				type,
				{
					baseURL: credential.baseUrl as string,
					url: '/agencyvendors/vendors',
					qs: { limit: 1 },
					headers: { 'Content-Type': 'application/json' },
				},
				{ credentialsDecrypted: { id: '', name: '', type, data } },
			);
			return [[{ json: {} }]];
		},
	});

	test('always tries', async () => {
		const { url, accounts } = await start();
		const credential = passwordGrant(url, { password: 'not-the-password' });
		await readShifts(storeWith(credential), 1);
		const before = accounts.refusedSignIns(username);
		for (let click = 0; click < 2; click++) {
			const { error } = await runNode({
				node: tester(credential),
				parameters: {},
				credentials: storeWith(credential),
			});
			expect(error).toBeDefined();
		}
		expect(accounts.refusedSignIns(username) - before).toBeGreaterThanOrEqual(2);
	});

	test('finds a password that was mended at the service', async () => {
		const { url, accounts } = await start();
		const credential = passwordGrant(url, { password: 'not-yet-the-password' });
		const store = storeWith(credential);
		await readShifts(store, 1);
		accounts.changePassword(username, 'not-yet-the-password');
		const { error } = await runNode({
			node: tester(credential),
			parameters: {},
			credentials: store,
		});
		expect(error).toBeUndefined();
		expect((await readShifts(store, 1)).error).toBeUndefined();
	});
});

test.each([
	['Stop', 32, stop],
	['Continue', 32, goOn],
	['Continue', 1, goOn],
])(
	'a service that refuses every fresh token is asked for two at most: On Error is %s (%i at once)',
	async (_, parallelRequests, node$) => {
		const service = await startFakeService((__, response) => {
			response.statusCode = 401;
			response.end(JSON.stringify({ success: false, errors: 'no token' }));
		});
		const credentials = storeWith(passwordGrant(service.url));
		const { error, json } = await readShifts(credentials, 50, node$, { parallelRequests });
		await service.close();
		const signIns = service.paths.filter((path) => path.includes('Token')).length;
		console.log(`${signIns} sign-ins for 50 items, ${parallelRequests} at once`);
		expect(error?.message ?? json[49]?.message).toMatch(/no token|accepts none of them/);
		expect(signIns).toBeLessThanOrEqual(2);
	},
);

test('tokens that live for ten answers each: every item is read', async () => {
	let answers = 0;
	let signIns = 0;
	const { url } = await start({
		onExchange({ operation, status }) {
			if (operation === 'passwordToken') signIns++;
			if (operation !== 'getShift' || status !== 200 || ++answers % 10 !== 0) return;
			sandbox?.accounts.revokeTokens();
		},
	});
	const credentials = storeWith(passwordGrant(url));
	const { error, json } = await readShifts(credentials, 100, stop, { parallelRequests: 4 });
	console.log(`${signIns} sign-ins while ten tokens die`);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(100);
	// One for each token that died, and as many again for those refused as they came.
	expect(signIns).toBeLessThanOrEqual(20);
});
