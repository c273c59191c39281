import { settingsOf } from '../../../engine/auth/accountSettings';

describe('Base URL', () => {
	test.each([
		['https://records.example.org', 'https://records.example.org'],
		['https://records.example.org/', 'https://records.example.org'],
		[' https://records.example.org/api// ', 'https://records.example.org/api'],
		['http://127.0.0.1:8950', 'http://127.0.0.1:8950'],
		['http://localhost:8950/', 'http://localhost:8950'],
		['http://[::1]:8950', 'http://[::1]:8950'],
		// One spelling for each address.
		['HTTPS://Records.Example.ORG', 'https://records.example.org'],
		['https://records.example.org:443', 'https://records.example.org'],
		['http://localhost:80/', 'http://localhost'],
		['https://records.example.org:8443/', 'https://records.example.org:8443'],
		// A path is told apart by its capitals.
		['https://records.example.org/Api//', 'https://records.example.org/Api'],
	])('%s is allowed, as %s', (given, expected) => {
		expect(settingsOf({ grantType: 'password', baseUrl: given }).baseUrl).toBe(expected);
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
	])('%s is refused', (baseUrl) => {
		expect(() => settingsOf({ grantType: 'password', baseUrl } as never)).toThrow(
			/'Base URL'(?!.*secret)/,
		);
	});
});

describe('characters that cannot be meant', () => {
	const whole = {
		baseUrl: 'https://a.example',
		grantType: 'password',
		apiKey: 'k3y',
		clientId: 'app',
		clientSecret: 's3cret',
	};
	const problemOf = (changes: object): string => {
		try {
			settingsOf({ ...whole, ...changes });
			return '';
		} catch (error) {
			return (error as Error).message;
		}
	};

	test.each([
		['a zero-width space', 'k3\u200by', /invisible/],
		['a zero-width space at its end', 'k3y\u200b', /invisible/],
		['a soft hyphen', 'k3\u00ady', /invisible/],
		['a line break', 'k3\ny', /line break/],
		['a carriage return', 'k3\ry', /line break/],
		['a tab', 'k3\ty', /tab/],
		['a space that does not break', 'k3\u00a0y', /unusual space/],
		['a control character', 'k3\u0000y', /invisible/],
		['a long dash', 'k3\u2014y', /no header can carry/],
		['an emoji', 'k3\u{1f511}y', /no header can carry/],
	])('a key with %s is refused, and its value is not told', (_, apiKey, kind) => {
		const problem = problemOf({ apiKey });
		expect(problem).toMatch(/^'Subscription Key' in the credential contains /);
		expect(problem).toMatch(kind);
		expect(problem).not.toMatch(/k3/);
	});

	test.each(['k3y', ' k3y\n', '\ufeffk3y', 'k3y!#$%&~', 'clé'])('the key %j is taken', (apiKey) => {
		expect(problemOf({ apiKey })).toBe('');
	});

	test.each([
		['clientId', 'Client ID'],
		['clientSecret', 'Client Secret'],
	])('%s: what cannot be seen is refused, letters of any language are taken', (name, label) => {
		for (const value of ['a\u200bb', 'a\nb', 'a\u2028b']) {
			expect(problemOf({ [name]: value })).toContain(`'${label}' in the credential contains`);
		}
		expect(problemOf({ [name]: 'Schlüssel – ключ' })).toBe('');
	});

	test('all of them are told at once', () => {
		const problem = problemOf({ apiKey: 'a\u200bb', clientSecret: 'c\nd' });
		expect(problem).toMatch(/'Subscription Key'.*'Client Secret'/);
	});

	test('a password may hold anything', () => {
		expect(problemOf({ password: 'a\u200bb\n€' })).toBe('');
	});
});

describe('the grant', () => {
	const settings = { baseUrl: 'https://a.example', redirectUri: 'https://app.example/' };

	test.each(['', 'implicit', 'toString', undefined, 7])('%j is none', (grantType) => {
		expect(() => settingsOf({ ...settings, grantType } as never)).toThrow(
			"'Grant Type' in the credential must be authorizationCode or password",
		);
	});

	test('a value that it does not use counts for nothing', () => {
		expect(settingsOf({ ...settings, grantType: 'password' }).redirectUri).toBe('');
		expect(settingsOf({ ...settings, grantType: 'authorizationCode' })).toMatchObject(settings);
	});
});
