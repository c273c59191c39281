import { accountOf, maxIdleAccounts } from '../../../engine/auth/account';
import { settingsOf } from '../../../engine/auth/accountSettings';
import { sandboxCredential } from '../../../runner/sandboxCredential.mts';

const settings = (username: string) =>
	settingsOf(sandboxCredential('http://localhost:1', { username, grantType: 'password' }));

test('a thousand accounts are known, and one that is in use stays the same whatever comes', () => {
	const used = accountOf(settings('used'));
	const known = Array.from({ length: 1000 }, (_, n) => new WeakRef(accountOf(settings(`${n}`))));
	for (let n = 0; n < maxIdleAccounts; n++) accountOf(settings(`another ${n}`));
	expect(accountOf(settings('used'))).toBe(used);
	expect(accountOf(settings('0'))).toBe(known[0]!.deref() ?? accountOf(settings('0')));
});
