// Which account a credential stands for, and which of its tokens may be sent.
import { Readable } from 'node:stream';

import { accountOf, maxAccounts } from '../../../engine/auth/account';
import { packToken, unpackToken } from '../../../engine/auth/token';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';

const credential = (username: string) =>
	sandboxCredential('http://localhost:1', { username, grantType: 'password' });

test('the account whose last request is longest ago is forgotten', () => {
	const [used, unused] = [accountOf(credential('used')), accountOf(credential('unused'))];
	const others = (from: number, count: number) => {
		for (let n = from; n < from + count; n++) accountOf(credential(`${n}`));
	};
	others(0, maxAccounts / 2);
	expect(accountOf(credential('used'))).toBe(used);
	others(maxAccounts / 2, maxAccounts / 2);
	expect(accountOf(credential('used'))).toBe(used);
	expect(accountOf(credential('unused'))).not.toBe(unused);
});

test('of two tokens the newer one is sent, whoever obtained it', async () => {
	const account = accountOf(credential('newest'));
	const body = JSON.stringify({ access_token: 'own', expires_in: 60 });
	const own = await account.signIn(async () => ({
		statusCode: 200,
		headers: {},
		body: Readable.from([Buffer.from(body)], { objectMode: false }),
	}));
	const sentBeside = (obtainedAt: number) =>
		account.tokenToSend({ ...own, accessToken: 'stored', obtainedAt })?.accessToken;
	expect(sentBeside(own.obtainedAt - 1)).toBe('own');
	expect(sentBeside(own.obtainedAt + 1)).toBe('stored');
});

describe('a stored token', () => {
	const account = accountOf({ baseUrl: 'https://a.example', apiKey: 'k', password: 'p' });
	const packed = (changes: object = {}) =>
		packToken({ accessToken: 't', settings: account.key, obtainedAt: Date.now(), ...changes });

	test('is usable until its lifetime has passed, and holds no secret beside it', () => {
		expect(
			account.tokenToSend(unpackToken(packed({ expiresAt: Date.now() + 60_000 }))),
		).toBeDefined();
		expect(account.tokenToSend(unpackToken(packed({ expiresAt: Date.now() - 1 })))).toBeUndefined();
		expect(packed()).not.toMatch(/"p"|"k"/);
	});

	test.each(['', 'x', '{}', 'null', '[]', '{"accessToken":3}', undefined, 5])(
		'%j is none',
		(stored) => {
			expect(unpackToken(stored)).toBeUndefined();
		},
	);
});
