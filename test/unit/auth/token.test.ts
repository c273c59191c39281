// A token as the credential stores it, and whether it may be sent.
import { accountOf } from '../../../engine/auth/account';
import { fingerprint, settingsOf } from '../../../engine/auth/accountSettings';
import { packToken, unpackToken } from '../../../engine/auth/token';

describe('a stored token', () => {
	const settings = settingsOf({ baseUrl: 'https://a.example', apiKey: 'k', password: 'p' });
	const token = { accessToken: 't', settings: fingerprint(settings), obtainedAt: Date.now() };

	test('is usable with the settings it was obtained with, and no others', () => {
		expect(accountOf(settings).tokenToSend(packToken(token))?.accessToken).toBe('t');
		for (const name of Object.keys(settings)) {
			const changed = { ...settings, [name]: 'other' };
			expect(accountOf(changed).tokenToSend(packToken(token))).toBeUndefined();
		}
	});

	test('is usable until its lifetime has passed', () => {
		const at = (expiresAt: number) =>
			accountOf(settings).tokenToSend(packToken({ ...token, expiresAt }));
		expect(at(Date.now() + 60_000)).toBeDefined();
		expect(at(Date.now() - 1)).toBeUndefined();
	});

	test('its fingerprint gives no secret away', () => {
		expect(packToken(token)).not.toMatch(/"p"|"k"/);
	});

	test.each(['', 'x', '{}', 'null', '[]', '{"accessToken":3}', undefined, 5])(
		'%j is none',
		(packed) => {
			expect(unpackToken(packed)).toBeUndefined();
		},
	);
});
