import { Readable } from 'node:stream';

import { accountOf, maxAccounts } from '../../../engine/auth/account';
import { settingsOf } from '../../../engine/auth/accountSettings';
import { packToken } from '../../../engine/auth/token';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';

const settings = (username: string) =>
	settingsOf(sandboxCredential('http://localhost:1', { username, grantType: 'password' }));

test('the account whose last request is longest ago is forgotten', () => {
	const [used, unused] = [accountOf(settings('used')), accountOf(settings('unused'))];
	const others = (from: number, count: number) => {
		for (let n = from; n < from + count; n++) accountOf(settings(`${n}`));
	};
	others(0, maxAccounts / 2);
	expect(accountOf(settings('used'))).toBe(used);
	others(maxAccounts / 2, maxAccounts / 2);
	expect(accountOf(settings('used'))).toBe(used);
	expect(accountOf(settings('unused'))).not.toBe(unused);
});

test('of two tokens the newer one is sent, whoever obtained it', async () => {
	const account = accountOf(settings('newest'));
	const body = JSON.stringify({ access_token: 'own', expires_in: 60 });
	const own = await account.signIn(async () => ({
		statusCode: 200,
		headers: {},
		body: Readable.from([Buffer.from(body)], { objectMode: false }),
	}));
	const sentBeside = (obtainedAt: number) =>
		account.tokenToSend(packToken({ ...own, accessToken: 'stored', obtainedAt }))?.accessToken;
	expect(sentBeside(own.obtainedAt - 1)).toBe('own');
	expect(sentBeside(own.obtainedAt + 1)).toBe('stored');
});
