// Accounts as strict services keep them: one live token, locked after wrong passwords, passwords that change.
import axios from 'axios';

import { clients, redirectUri, users } from '../../sandbox/accounts.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client';

const [chief, probationer] = users as [(typeof users)[0], (typeof users)[0]];
const wrong = { ...chief, password: 'not-the-password' };

const client = (baseURL: string) =>
	axios.create({ baseURL, validateStatus: () => true, headers: keyHeader });

/** Status and body of a read with this token. */
async function read(url: string, Authorization: string) {
	const { status, data } = await client(url).get<unknown>('/agencyshifts/shifts/101', {
		headers: { Authorization, 'Content-Type': 'application/json' },
	});
	return { status, data };
}

/** Status and body of a sign-in. */
async function tryPassword(
	url: string,
	{ username, password }: { username: string; password: string },
) {
	const { status, data } = await client(url).post<{ error?: string; error_description?: string }>(
		'/authpass/Token.php',
		tokenBody({ username, password }),
	);
	return { status, data };
}

/** The first half of the authorization code grant. */
const authorize = (url: string, { username, password }: { username: string; password: string }) =>
	client(url).post<string>('/auth/Authorize.php', {
		response_type: 'code',
		client_id: clients[0]!.id,
		username,
		password,
		state: 's',
	});

async function signInByCode(url: string): Promise<string> {
	const { data } = await authorize(url, chief);
	const answer = await client(url).post<{ access_token: string }>('/authtoken/Token.php', {
		grant_type: 'authorization_code',
		code: new URL(data).searchParams.get('code'),
		client_id: clients[0]!.id,
		client_secret: clients[0]!.secret,
		redirect_uri: redirectUri,
	});
	return answer.data.access_token;
}

let sandbox: Sandbox;
const start = async (options: SandboxOptions = {}) => (sandbox = await startSandbox(options));
afterEach(() => sandbox.close());

describe('one live token', () => {
	test.each([
		['password', signIn],
		['authorization code', signInByCode],
	])('a sign-in by the %s grant ends the token before it', async (_, again) => {
		const { url } = await start({ oneLiveToken: true });
		const [first, other] = [await signIn(url), await signIn(url, probationer)];
		expect((await read(url, first)).status).toBe(200);
		const second = await again(url);
		expect(await read(url, first)).toEqual({
			status: 401,
			data: { success: false, errors: expect.any(String) },
		});
		expect((await read(url, second)).status).toBe(200);
		expect((await read(url, other)).status).toBe(200);
	});
});

describe('locking', () => {
	const locked = {
		status: 400,
		data: {
			error: 'access_denied',
			error_description: expect.stringMatching(/account is locked.* 3 refused sign-ins in a row/),
		},
	};

	test('after so many refused sign-ins in a row, also with the right password', async () => {
		const { url, accounts } = await start({ lockAfter: 3 });
		for (let n = 0; n < 3; n++) {
			expect(await tryPassword(url, wrong)).toMatchObject({
				status: 400,
				data: { error: 'invalid_grant' },
			});
		}
		expect(await tryPassword(url, chief)).toEqual(locked);
		expect(await tryPassword(url, chief)).toEqual(locked);
		expect((await authorize(url, chief)).data).toEqual(locked.data);
		expect(accounts.refusedSignIns(chief.username)).toBe(6);
		expect((await tryPassword(url, probationer)).status).toBe(200);
		expect(accounts.refusedSignIns(probationer.username)).toBe(0);
	});
});

describe('a password that changes', () => {
	test('is the only one that signs in from then on; tokens stay valid', async () => {
		const { url, accounts } = await start();
		const token = await signIn(url);
		accounts.changePassword(chief.username, 'new');
		expect((await tryPassword(url, chief)).status).toBe(400);
		expect((await tryPassword(url, { ...chief, password: 'new' })).status).toBe(200);
		expect((await read(url, token)).status).toBe(200);
	});
});
