import { redact } from '../../../engine/auth/redact';
import { packToken } from '../../../engine/auth/token';

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
