// The valid settings of a credential. The messages for invalid ones are tested in test/engine/auth.
import { settingsOf } from '../../../engine/auth/accountSettings';

const whole = {
	baseUrl: 'https://a.example',
	grantType: 'password',
	apiKey: 'k3y',
	clientId: 'app',
	clientSecret: 's3cret',
	username: 'chief',
	password: 'p4ss',
	redirectUri: 'https://app.example/',
};
const problemOf = (changes: Record<string, unknown>): string => {
	try {
		settingsOf({ ...whole, ...changes } as typeof whole);
		return '';
	} catch (error) {
		return (error as Error).message;
	}
};

test.each([
	['https://records.example.org', 'https://records.example.org'],
	[' https://records.example.org/api// ', 'https://records.example.org/api'],
	['http://127.0.0.1:8950', 'http://127.0.0.1:8950'],
	['http://[::1]:8950', 'http://[::1]:8950'],
	// One spelling for each address.
	['HTTPS://Records.Example.ORG', 'https://records.example.org'],
	['https://records.example.org:443', 'https://records.example.org'],
	['http://localhost:80/', 'http://localhost'],
	['https://records.example.org:8443/', 'https://records.example.org:8443'],
	// Paths are case-sensitive.
	['https://records.example.org/Api//', 'https://records.example.org/Api'],
])('the Base URL %s is allowed, as %s', (given, expected) => {
	expect(settingsOf({ ...whole, baseUrl: given }).baseUrl).toBe(expected);
});

const invisible = /^'[\w ]+' in the credential contains a line break, a tab, an unusual space/;
const unsendable = /^'Subscription Key' in the credential contains a character that no header/;
test.each<[string, unknown[], RegExp]>([
	[
		'baseUrl',
		[
			...['http://records.example.org', 'http://127.0.0.1.example.org', 'ftp://127.0.0.1'],
			...['http://localhost.example.org', 'records.example.org', '', undefined, 7],
			...['https://user:secret@records.example.org', 'https://user@records.example.org'],
			'https://records.example.org?x=1',
		],
		/^'Base URL'(?!.*secret)/,
	],
	['grantType', ['', 'implicit', 'toString', undefined, 7], /authorizationCode or password/],
	['apiKey', ['k3\u200by', 'k3y\u200b', 'k3\u00ady', 'k3\ny', 'k3\ry', 'k3\ty'], invisible],
	['apiKey', ['k3\u00a0y', 'k3\u0000y'], invisible],
	['apiKey', ['k3\u2014y', 'k3\u{1f511}y'], unsendable],
	['clientId', ['a\u200bb', 'a\nb', 'a\u2028b'], invisible],
	['clientSecret', ['a\u200bb', 'a\nb', 'a\u2028b'], invisible],
])('%s must not be any of %j, and the message does not quote it', (name, values, problem) => {
	for (const value of values) {
		const told = problemOf({ [name]: value });
		expect([value, told]).toEqual([value, expect.stringMatching(problem)]);
		expect(told).not.toMatch(/k3/);
	}
});

test.each([
	['apiKey', ['k3y', ' k3y\n', '\ufeffk3y', 'k3y!#$%&~', 'clé']],
	['clientId', ['Schlüssel – ключ']],
	['clientSecret', ['Schlüssel – ключ']],
	// A password may hold anything.
	['password', ['a\u200bb\n€']],
])('%s may be any of %j', (name, values) => {
	expect(values.map((value) => problemOf({ [name]: value }))).toEqual(values.map(() => ''));
});

test('all problems are reported at once', () => {
	const problem = problemOf({ apiKey: 'a\u200bb', clientSecret: 'c\nd' });
	expect(problem).toMatch(/'Subscription Key'.*'Client Secret'/);
});

test('a value that the grant does not use is ignored', () => {
	expect(settingsOf(whole).redirectUri).toBe('');
	for (const grantType of ['authorizationCode', ' authorizationCode\n'])
		expect(settingsOf({ ...whole, grantType }).redirectUri).not.toBe('');
});
