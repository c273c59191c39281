import { hiddenText, redact } from '../../../engine/auth/redact';

test('secrets are taken out of the words of the service', () => {
	const credentials = {
		apiKey: 'key-1',
		clientSecret: 'secret-1',
		password: 'pass-1',
		username: 'chief',
	};
	const words = 'chief sent key-1, secret-1, pass-1 and token-1 twice: token-1';
	expect(redact(words, credentials, ['token-1'])).toBe(
		'chief sent ***, ***, *** and *** twice: ***',
	);
	expect(redact('nothing here', { apiKey: '', password: '' })).toBe('nothing here');
});

type Encoder = (text: string) => string;
const json: Encoder = (text) => JSON.stringify(text).slice(1, -1);
/** JSON as PHP and System.Text.Json write it. */
const escapedJson: Encoder = (text) =>
	json(text)
		.replaceAll('/', '\\/')
		.replace(
			/[^\w\\ /"]/g,
			(unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
		);
const html: Encoder = (text) => {
	const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
	return text.replace(/[&<>"']/g, (sign) => (names[sign] ? `&${names[sign]};` : '&#039;'));
};
const htmlNumbers: Encoder = (text) =>
	[...text].map((character) => `&#x${character.codePointAt(0)!.toString(16)};`).join('');
const percent = encodeURIComponent;
const percentAll: Encoder = (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&');
const form: Encoder = (text) => new URLSearchParams({ p: text }).toString();
const base64: Encoder = (text) => Buffer.from(text).toString('base64');
const base64url: Encoder = (text) => Buffer.from(text).toString('base64url');
const jsonBase64: Encoder = (text) => base64(JSON.stringify({ user: 'chief', password: text }));
const latin1: Encoder = (text) => Buffer.from(text).toString('latin1');
const windows1252: Encoder = (text) => new TextDecoder('windows-1252').decode(Buffer.from(text));
const lines =
	(length: number, end: string): Encoder =>
	(text) =>
		text.replace(new RegExp(`.{${length}}`, 'gu'), `$&${end}`);

/** Each list of encoders is applied one upon the other; test/faults/fuzz.full.test.ts mixes any. */
const encodings: Record<string, Encoder[]> = {
	'JSON with escapes': [escapedJson],
	HTML: [html],
	'HTML by numbers': [htmlNumbers],
	'an address': [percent],
	'each byte in an address': [percentAll],
	'an address, encoded four times': [percent, percent, percent, percent],
	'a form': [form],
	Base64: [base64],
	'Base64 of addresses': [base64url],
	'Base64, behind one other digit': [base64, (text) => `x${text}`],
	'Base64 of JSON over indented lines': [jsonBase64, lines(16, '\n    ')],
	'Base64 over lines of a web page': [base64, lines(8, '<br />\n')],
	'indented lines in JSON': [lines(5, '\r\n\t'), json],
	'lines that may break in a web page': [lines(4, '<wbr>')],
	'UTF-8 read as Latin-1': [latin1],
	'UTF-8 read as Windows-1252': [windows1252],
	'letters and accents apart': [(text) => text.normalize('NFD')],
};

describe.each([
	'p w+ö"\'/<&>x123',
	'grüße€Ω1',
	'a-token/of+the~service',
	'pa\\ss&amp;w/ord',
	'🚒🚒abc🚒',
])('the secret %s is found', (password) => {
	test.each(Object.entries(encodings))('%s', (_, encoders) => {
		const encoded = encoders.reduce((text, encode) => encode(text), password);
		for (const around of ['it was $, you said', '"$"', 'auth=$&ip=1', 'C:\\n$\\t', '$']) {
			const safe = redact(
				around.replace('$', () => encoded),
				{ password },
			);
			const withoutPlain = around.replace('$', encoded.replaceAll(password, '***'));
			const withoutForm = around.replace('$', encoded.startsWith('p=') ? 'p=***' : '***');
			expect([hiddenText, withoutPlain, withoutForm]).toContain(safe);
			expect(safe).not.toContain(encoded);
		}
	});
});

test.each([
	['HTML of PHP', 'grüße€Ω1', 'gr&uuml;&szlig;e&euro;&Omega;1'],
	['other names of HTML', 'a/b:c#1', 'a&sol;b&colon;c&num;1'],
	['Latin-1 in an address', 'grüße-1', 'gr%FC%DFe-1'],
	['what looks like an escape in it', 'x%41\\n&lt;y/z', 'x%41\\\\n&lt;y\\/z'],
	['a short one in JSON', 'a/"1', 'it was a\\/\\"1.'],
	['a short one in an address', 'p!1', 'p%211'],
])('%s', (_, password, text) => {
	expect(redact(text, { password })).toBe(hiddenText);
});

test('Base64 of a short password', () => {
	expect(redact(`password=${base64('p!1')}.`, { password: 'p!1' })).toBe('password=***.');
	expect(redact(`x${base64('p!1')}`, { password: 'p!1' })).toBe(`x${base64('p!1')}`);
});

test('Base64 of a user and a short password', () => {
	const words = `Basic ${base64('chief:x1')} was refused`;
	expect(redact(words, { username: 'chief', password: 'x1' })).toBe(hiddenText);
	const client = `Basic ${base64('app:s3')} was refused`;
	expect(redact(client, { clientId: 'app', clientSecret: 's3' })).toBe(hiddenText);
});

describe('plain secrets', () => {
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

	test.each([
		['a', 'a banana, the letter a, "a", aa', 'a banana, the letter a, "***", aa'],
		...['The username or the password is wrong', '{"error":"wrong password"}'].map((words) => [
			'wrong',
			words,
			words,
		]),
		...[
			'"wrong"',
			'password=wrong ip=1',
			'password: wrong',
			'"password:\nwrong\n"',
			'/chief/wrong/',
		].map((words) => ['wrong', words, words.replace('wrong', '***')]),
		['wr0ng', 'you sent wr0ng here, not wr0ngly', 'you sent *** here, not wr0ngly'],
		['access', 'no access with accessToken', 'no *** with ***Token'],
	])('a short one leaves words alone: %s in %s', (password, words, expected) => {
		expect(redact(words, { password })).toBe(expected);
	});
});

describe('innocent texts stay as they are', () => {
	const words = ['The', 'username', 'or', 'password', 'identification', 'is', 'wrong', 'apply'];
	const prose = (length: number) =>
		Array.from({ length: length / 6 }, (_, n) => words[(n * n) % words.length]).join(' ');
	/** Bytes that look random. */
	const noise = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * n * 31) >> 7));
	const image = `<img src="data:image/png;base64,${noise.toString('base64')}">`;
	const link = '<a href="/x?y=%2F&amp;z=%C3%BC">&nbsp;&uuml; C:\\new\\table</a>\r\n';
	const page = `<!DOCTYPE html>\n${prose(50_000)}\n${image}${link.repeat(500)}${prose(30_000)}`;

	test.each(['p!', 'Tr0ub4dor&3', 'x'.repeat(2000)])(
		'a page of 200 kB, with the password %s',
		(password) => {
			expect(redact(page, { password, username: 'chief' }) === page).toBe(true);
		},
	);

	const secrets = {
		apiKey: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
		password: '////////++++++++x',
		clientSecret: `${'é'.repeat(30)}x`,
		username: 'chief',
	};
	test.each([
		...['a', '/', '+', '\\', '\n', ' ', ' \n ', '<br>', '?', '\ufffd', 'é', 'Ã©', 'é ', 'e\u0301'],
		...['%25', '&amp;', '&uuml;', '&#195;', '\\u002B', '%C3%A9', 'YWJj', 'VVVV', '&&#', '%%2'],
		base64(base64(base64(prose(500)))),
	])('a megabyte of %.20j', (part) => {
		const text = part.repeat(1_000_000 / part.length);
		expect(redact(text, secrets, ['a1', 'abc']) === text).toBe(true);
	});
});
