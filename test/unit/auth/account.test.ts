import { Readable } from 'node:stream';

import { accountOf, maxIdleAccounts } from '../../../engine/auth/account';
import { settingsOf } from '../../../engine/auth/accountSettings';
import { packToken } from '../../../engine/auth/token';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';

const settings = (username: string) =>
	settingsOf(sandboxCredential('http://localhost:1', { username, grantType: 'password' }));

test('a thousand accounts are known, and one that is in use stays the same whatever comes', () => {
	const used = accountOf(settings('used'));
	const known = Array.from({ length: 1000 }, (_, n) => new WeakRef(accountOf(settings(`${n}`))));
	for (let n = 0; n < maxIdleAccounts; n++) accountOf(settings(`another ${n}`));
	expect(accountOf(settings('used'))).toBe(used);
	expect(accountOf(settings('0'))).toBe(known[0]!.deref() ?? accountOf(settings('0')));
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
