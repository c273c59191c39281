import { NodeHelpers } from 'n8n-workflow';

import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
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
	/** Each character that is not among these as the number of its code. */
	const byNumber = (others: RegExp, write: (code: number) => string) =>
		[...password].map((c) => (others.test(c) ? c : write(c.codePointAt(0)!))).join('');
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
		['HTML by numbers', byNumber(/\w/, (code) => `&#${code};`)],
		['HTML by hexadecimal numbers', byNumber(/\w/, (code) => `&#x${code.toString(16)};`)],
		[
			'JSON of System.Text.Json',
			byNumber(/[\w /]/, (code) => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`),
		],
		['JSON in JSON', JSON.stringify(json).slice(1, -1)],
		[
			'JSON of System.Text.Json in JSON',
			json.replace('+', '\\u002B').replace('&', '\\u0026').replaceAll('\\', '\\\\'),
		],
		['HTML in JSON', 'p w+ö\\u0026quot;\\u0026#39;/\\u0026lt;\\u0026amp;\\u0026gt;x123'],
		['HTML in HTML', 'p w+ö&amp;quot;&amp;#39;/&amp;lt;&amp;amp;&amp;gt;x123'],
		['an address, encoded twice', encodeURIComponent(encodeURIComponent(password))],
		[
			'Base64, encoded for an address',
			encodeURIComponent(Buffer.from(password).toString('base64').replace(/=+$/, '')),
		],
		['Base64', Buffer.from(password).toString('base64').replace(/=+$/, '')],
		['Base64 of addresses', Buffer.from(password).toString('base64url')],
	])('%s', (_, written) => {
		expect(redact(`it was ${written}, you said`, { password })).toBe('it was ***, you said');
	});

	const foreign = 'grüße€Ω1';
	const utf8 = Buffer.from(foreign);
	const latin1 = utf8.toString('latin1');
	const windows1252 = new TextDecoder('windows-1252').decode(utf8);
	const jsonOf = (text: string) =>
		text.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
	test.each([
		['UTF-8 read as Latin-1', latin1],
		['UTF-8 read as Windows-1252', windows1252],
		['the same in JSON of PHP', jsonOf(latin1)],
		['the same in an address', encodeURIComponent(windows1252)],
		['the same in HTML', latin1.replace(/[^ -~]/g, (c) => `&#${c.codePointAt(0)};`)],
		['HTML of PHP', 'gr&uuml;&szlig;e&euro;&Omega;1'],
		['letters and accents apart', foreign.normalize('NFD')],
	])('letters beyond ASCII: %s', (_, written) => {
		expect(redact(`it was ${written}, you said`, { password: foreign })).toBe(
			'it was ***, you said',
		);
	});

	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const accessToken = 'a-token/of+the~service';
	test.each([
		...['', 'B', 'Be', 'Bea', 'Bearer ', 'Token: '].map((before) => [before, accessToken, '']),
		...['', '.', '..', '...', ' expired'].map((after) => ['Bearer ', accessToken, after]),
		['chief:', password, ''],
		['a longer name:', password, ''],
	] as Array<[string, string, string]>)(
		'Base64 of "%s", the secret and "%s"',
		(before, secret, after) => {
			const written = base64(`${before}${secret}${after}`);
			for (const text of [written, written.replace(/\+/g, '-').replace(/\//g, '_')]) {
				const words = redact(`it was ${text}, you said`, {}, [secret]);
				expect(words).toMatch(/^it was [\w+/-]*\*\*\*[\w+/=-]*, you said$/);
				// Nothing is left of it but what stood beside it.
				const left = words.slice('it was '.length).replace(', you said', '').split('***');
				for (const part of left) {
					const decoded = Buffer.from(part, 'base64').toString('latin1');
					expect(decoded).not.toContain(secret.slice(0, 3));
				}
				expect(left.join('').length).toBeLessThan(base64(before + after).length + 6);
			}
		},
	);

	test('Base64 of a user and a short password', () => {
		const words = `Basic ${base64('chief:x1')} was refused`;
		expect(redact(words, { username: 'chief', password: 'x1' })).toBe('Basic *** was refused');
		const client = `Basic ${base64('app:s3')} was refused`;
		expect(redact(client, { clientId: 'app', clientSecret: 's3' })).toBe('Basic *** was refused');
	});

	test('a secret that begins another, and one that ends another', () => {
		const credentials = {
			password: 'abcdefgh',
			apiKey: 'abcdefgh-1234',
			clientSecret: '1234-zzzz-9',
		};
		for (const words of ['abcdefgh-1234', 'abcdefgh-1234 abcdefgh', '1234-zzzz-9']) {
			expect(redact(words, credentials)).toBe(words.replace(/[^ ]+/g, '***'));
		}
	});

	test('long texts that hold almost a secret stay as they are', () => {
		const foreignOnes = { password: `${'é'.repeat(30)}x`, apiKey: `${'éa'.repeat(20)}x` };
		for (const part of [
			'?',
			'\ufffd',
			'&amp;',
			'Ã©',
			'?a',
			'&#195;&#169;',
			'%C3%A9',
			'é ',
			'e\u0301',
		]) {
			const text = part.repeat((16 * 1024) / part.length);
			expect(redact(text, foreignOnes) === text).toBe(true);
		}
		const credentials = {
			apiKey: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
			password: '////////++++++++x',
		};
		for (const part of ['a', '/', '+', '\\', '%25', '&amp;', '\\u002B', 'YWJj']) {
			const text = part.repeat((64 * 1024) / part.length);
			expect(redact(text, credentials) === text).toBe(true);
		}
	});

	test.each([
		['a', 'a banana, the letter a, "a", aa', 'a banana, the letter a, "***", aa'],
		...[
			'The username or the password is wrong',
			'{"error":"wrong password"}',
			'wrong credentials, go away',
		].map((words) => ['wrong', words, words]),
		...[
			'"wrong"',
			'password=wrong ip=1',
			'password: wrong',
			'(wrong)',
			'<password>wrong</password>',
			'"password:\\nwrong\\n"',
			'/chief/wrong/',
		].map((words) => ['wrong', words, words.replace('wrong', '***')]),
		['wr0ng', 'you sent wr0ng here, not wr0ngly', 'you sent *** here, not wr0ngly'],
		['access', 'no access with accessToken', 'no *** with ***Token'],
	])('a short one leaves words alone: %s in %s', (password, words, expected) => {
		expect(redact(words, { password })).toBe(expected);
	});

	test.each([
		['secret-1', 'secret-12'],
		['secret-12', 'secret-1'],
	])('of two that begin alike, the longer: %s, %s', (password, apiKey) => {
		expect(redact('secret-12 secret-1', { password, apiKey })).toBe('*** ***');
	});
});

test.each([
	['wrong', 1],
	['wrong1', 0],
	['', 0],
])('whoever types %s as a password is told whether it is weak', (password, count) => {
	const shown = new AgencyRecordsApi().properties.filter(
		(property) =>
			property.type === 'notice' &&
			NodeHelpers.displayParameter({ password }, property, null, null),
	);
	expect(shown.map(({ displayName }) => displayName)).toEqual(
		Array(count).fill(expect.stringMatching(/fewer than six characters is weak/)),
	);
});
