// Which account a credential stands for, and what is stored of its tokens.
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

test('a stored token holds no secret beside it', () => {
	const { key } = accountOf({ baseUrl: 'https://a.example', apiKey: 'k', password: 'p' });
	expect(packToken({ accessToken: 't', settings: key, obtainedAt: 1 })).not.toMatch(/"p"|"k"/);
});

test.each(['', 'x', '{}', 'null', '[]', '{"accessToken":3}', undefined, 5])(
	'%j is no stored token',
	(stored) => {
		expect(unpackToken(stored)).toBeUndefined();
	},
);
