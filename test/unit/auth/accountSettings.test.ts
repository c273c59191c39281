import { addressOf, checkedBaseUrl } from '../../../engine/auth/accountSettings';

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

test.each([
	['https://records.example.org', 'https://records.example.org'],
	['HTTPS://Records.Example.ORG', 'https://records.example.org'],
	['https://records.example.org:443', 'https://records.example.org'],
	['http://localhost:80/', 'http://localhost'],
	['https://records.example.org:8443/', 'https://records.example.org:8443'],
	// A path is told apart by its capitals.
	['https://records.example.org/Api//', 'https://records.example.org/Api'],
])('%s is the service at %s', (given, expected) => {
	expect(addressOf(given)).toBe(expected);
});
