// Maps credentials to accounts, and shows which of an account's tokens may be sent.
import { Readable } from 'node:stream';

import { accountOf, maxAccounts, type Account } from '../../../engine/auth/account';
import { packSignIn, unpackSignIn } from '../../../engine/auth/token';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';

const credential = (username: string) =>
	sandboxCredential('http://localhost:1', { username, grantType: 'password' });

test('the least recently used account is forgotten', () => {
	const [used, unused] = [accountOf(credential('used')), accountOf(credential('unused'))];
	for (let n = 0; n < maxAccounts; n++) {
		accountOf(credential(`${n}`));
		if (n % 5000 === 0) expect(accountOf(credential('used'))).toBe(used);
	}
	expect(accountOf(credential('used'))).toBe(used);
	expect(accountOf(credential('unused'))).not.toBe(unused);
});

const signInTo = (account: Account, token: string, more = {}) => {
	const body = Buffer.from(JSON.stringify({ access_token: token, expires_in: 60, ...more }));
	const stream = Readable.from([body], { objectMode: false });
	return account.signIn(async () => ({ statusCode: 200, headers: {}, body: stream }));
};

test("a limited number of issued secrets is remembered, the latest sign-ins' first", async () => {
	const account = accountOf(credential('flooded'));
	const code = Array.from({ length: 100 }, (_, n) => `code ${n}`);
	for (let n = 0; n < 20; n++) await signInTo(account, `token ${n}`, { code });
	expect(account.tokens.secrets.length).toBeLessThanOrEqual(10 * 21);
	expect(account.redact('code 1, token 18, token 19')).toBe('***, ***, ***');
});

test('the newer of two tokens is sent, whoever obtained it', async () => {
	const account = accountOf(credential('newest'));
	const signIn = (token: string) => signInTo(account, token);
	const own = await signIn('own');
	const sentBeside = (accessToken: string, obtainedAt: number) => {
		const newer = packSignIn({ ...own, accessToken, obtainedAt });
		accountOf({ ...credential('newest'), accessToken: newer });
		return account.tokens.newest?.accessToken;
	};
	expect(sentBeside('older', own.obtainedAt - 1)).toBe('own');
	expect(sentBeside('newer', own.obtainedAt + 1)).toBe('newer');
	jest.spyOn(Date, 'now').mockReturnValue(own.obtainedAt - 1000);
	expect(await signIn('after the clock was set back')).toBe(account.tokens.newest);
	jest.restoreAllMocks();
});

test('a stored refusal counts unless this process has signed in since', async () => {
	const own = await signInTo(accountOf(credential('refused')), 'own');
	const refusedAt = (obtainedAt: number) => {
		const { settings } = own;
		const refused = { refusal: 'No', reason: 'signInRefused', settings, obtainedAt } as const;
		const stored = { ...credential('refused'), accessToken: packSignIn(refused) };
		return accountOf(stored).recentRefusal?.refusal;
	};
	expect(refusedAt(own.obtainedAt - 1)).toBeUndefined();
	expect(refusedAt(own.obtainedAt + 1)).toBe('No');
});

test('a stored token is usable until its lifetime has passed, and contains no other secret', () => {
	const settings = credential('stored');
	const { key } = accountOf(settings);
	const packed = (changes: object = {}) =>
		packSignIn({ accessToken: 't', settings: key, obtainedAt: Date.now(), ...changes });
	const sent = (changes: object) =>
		accountOf({ ...settings, accessToken: packed(changes) }).tokens.newest?.accessToken;
	expect(sent({ accessToken: 'expired', expiresAt: Date.now() - 1 })).toBeUndefined();
	expect(sent({ accessToken: 'of other settings', settings: 'x' })).toBeUndefined();
	expect(sent({ expiresAt: Date.now() + 60_000 })).toBe('t');
	for (const secret of [settings.apiKey, settings.password])
		expect(packed()).not.toContain(secret as string);
});

test.each(['', 'x', '{}', 'null', '[]', '{"accessToken":3}', undefined, 5])(
	'%j is not a stored token',
	(stored) => expect(unpackSignIn(stored)).toBeUndefined(),
);
