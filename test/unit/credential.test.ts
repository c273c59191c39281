import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { accountOf } from '../../engine/auth/account';
import { codeFromRedirect } from '../../engine/auth/grants';
import { redact } from '../../engine/auth/redact';
import { checkedBaseUrl, fingerprint, settingsOf } from '../../engine/auth/accountSettings';
import { packToken, unpackToken } from '../../engine/auth/token';

describe('Base URL', () => {
	test.each([
		['https://records.example.org', 'https://records.example.org'],
		['https://records.example.org/', 'https://records.example.org'],
		[' https://records.example.org/api// ', 'https://records.example.org/api'],
		['http://127.0.0.1:8950', 'http://127.0.0.1:8950'],
		['http://localhost:8950/', 'http://localhost:8950'],
		['http://[::1]:8950', 'http://[::1]:8950'],
	])('%s is allowed', (given, expected) => {
		expect(checkedBaseUrl(given)).toBe(expected);
	});

	test.each([
		'http://records.example.org',
		'http://127.0.0.1.example.org',
		'http://localhost.example.org',
		'ftp://127.0.0.1',
		'records.example.org',
		'https://user:secret@records.example.org',
		'https://records.example.org?x=1',
		'',
		undefined,
		7,
	])('%s is refused', (given) => {
		expect(() => checkedBaseUrl(given)).toThrow(/'Base URL'/);
		expect(() => checkedBaseUrl(given)).not.toThrow(/secret/);
	});
});

describe('the redirect address', () => {
	const settings = settingsOf({ baseUrl: 'https://a.example' });
	const address = 'https://app.example/cb?code=a%2Fb&state=s1';

	test.each([
		address,
		`"${address}"`,
		`  ${address}\n`,
		JSON.stringify(address).replace(/\//g, '\\/'),
	])('%s gives the code', (answer) => {
		expect(codeFromRedirect(answer, 's1', settings)).toBe('a/b');
	});

	test('another state is refused', () => {
		expect(() => codeFromRedirect(address, 's2', settings)).toThrow(/state differs/);
		expect(() => codeFromRedirect('https://app.example/cb?code=c', 's1', settings)).toThrow(
			/state differs/,
		);
	});

	test.each(['', 'hello', '{}', '[]', '<html>', 'https://app.example/cb?state=s1', '"', 'null'])(
		'%j holds no code',
		(answer) => {
			expect(() => codeFromRedirect(answer, 's1', settings)).toThrow(/not a redirect address/);
		},
	);

	test('an error in it is read out', () => {
		const refused =
			'https://app.example/cb?error=access_denied&error_description=Not+today&state=s1';
		expect(() => codeFromRedirect(refused, 's1', settings)).toThrow(
			'Sign-in was refused: Not today',
		);
	});
});

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

test('secrets are taken out of the words of the service', () => {
	const credentials = {
		apiKey: 'key-1',
		clientSecret: 'secret-1',
		password: 'pass-1',
		accessToken: packToken({ accessToken: 'token-1', settings: '', obtainedAt: 0 }),
		username: 'chief',
	};
	const words = 'chief sent key-1, secret-1, pass-1 and token-1 twice: token-1';
	expect(redact(words, credentials)).toBe('chief sent ***, ***, *** and *** twice: ***');
	expect(redact('nothing here', { apiKey: '', password: '' })).toBe('nothing here');
});

describe('a secret is found however a text writes it', () => {
	const password = 'p w+ö"\'/<&>x123';
	const json = JSON.stringify(password).slice(1, -1);
	test.each([
		['as it is', password],
		['JSON', json],
		['JSON of PHP', json.replaceAll('/', '\\/').replace('ö', '\\u00f6')],
		['JSON in capitals', json.replace('ö', '\\u00F6')],
		['an address', encodeURIComponent(password)],
		['an address in small letters', encodeURIComponent(password).toLowerCase()],
		['a form', new URLSearchParams({ '': password }).toString().slice(1)],
		['HTML', 'p w+ö&quot;&#39;/&lt;&amp;&gt;x123'],
		['HTML, in part', "p w+ö&quot;'/&lt;&amp;>x123"],
		['Base64', Buffer.from(password).toString('base64').replace(/=+$/, '')],
		['Base64 of addresses', Buffer.from(password).toString('base64url')],
	])('%s', (_, written) => {
		expect(redact(`it was ${written}, you said`, { password })).toBe('it was ***, you said');
	});

	test('a short one leaves words alone', () => {
		const words = 'a banana, the letter a, "a", aa';
		expect(redact(words, { password: 'a' })).toBe('*** banana, the letter ***, "***", aa');
	});

	test('of two that begin alike, the longer', () => {
		expect(redact('secret-12 secret-1', { password: 'secret-1', apiKey: 'secret-12' })).toBe(
			'*** ***',
		);
	});
});

describe('signing a request', () => {
	const settings = { baseUrl: 'https://a.example/api', apiKey: 'k', authorizationHeader: 'bearer' };
	const accessToken = packToken({
		accessToken: 't',
		settings: fingerprint(settingsOf(settings)),
		obtainedAt: Date.now(),
	});
	const { authenticate } = new AgencyRecordsApi();
	const sign = async (url: string, credentials: object = { ...settings, accessToken }) =>
		await (authenticate as Extract<typeof authenticate, (...args: never[]) => unknown>)(
			{ ...credentials },
			{ url, headers: { 'X-Own': '1' } },
		);

	test('adds both headers and keeps the others', async () => {
		expect((await sign('https://a.example/api/things')).headers).toEqual({
			'X-Own': '1',
			'Ocp-Apim-Subscription-Key': 'k',
			Authorization: 'Bearer t',
		});
	});

	const whole = {
		baseUrl: 'https://a.example/api',
		apiKey: 'k',
		grantType: 'authorizationCode',
		clientId: 'c',
		clientSecret: 's',
		username: 'u',
		password: 'p',
		redirectUri: 'https://app.example/cb',
	};
	test.each(Object.entries(whole))(
		'the token of a credential that was just used is not taken for one with another %s',
		async (name, value) => {
			const token = {
				accessToken: 't',
				settings: fingerprint(settingsOf(whole)),
				obtainedAt: Date.now(),
			};
			const credentials = { ...whole, accessToken: packToken(token) };
			const url = 'https://a.example/api/things';
			await expect(sign(url, credentials)).resolves.toBeDefined();
			await expect(sign(url, { ...credentials, [name]: `${value}x` })).rejects.toMatchObject({
				response: { status: 401 },
			});
			await expect(sign(url, credentials)).resolves.toBeDefined();
		},
	);

	test.each(['https://b.example/api', 'http://a.example/api', 'https://a.example:8443/api'])(
		'nothing is sent to %s',
		async (url) => {
			await expect(sign(url)).rejects.toThrow(/only sent to the host of its 'Base URL'/);
		},
	);

	test.each([
		'https://a.example.evil.example/vendors',
		'https://a.example@evil.example/vendors',
		'https://a.example:8443/vendors',
		'https://a.exampl/e/vendors',
	])('a host that only begins like it gets nothing: %s', async (url) => {
		const host = { ...settings, baseUrl: 'https://a.example' };
		const token = {
			accessToken: 't',
			settings: fingerprint(settingsOf(host)),
			obtainedAt: Date.now(),
		};
		const credentials = { ...host, accessToken: packToken(token) };
		await expect(sign('https://a.example/vendors', credentials)).resolves.toBeDefined();
		await expect(sign(url, credentials)).rejects.toThrow(/only sent to the host/);
	});

	test('without a usable token it looks like a 401, so that n8n signs in', async () => {
		for (const stored of ['', packToken({ accessToken: 't', settings: 'other', obtainedAt: 0 })]) {
			await expect(
				sign('https://a.example/api', { ...settings, accessToken: stored }),
			).rejects.toMatchObject({ response: { status: 401 } });
		}
	});
});
