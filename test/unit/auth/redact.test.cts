import fc from 'fast-check';
import { redact } from '../../../engine/auth/redact';

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
const slashes: Encoder = (text) => text.replaceAll('/', '\\/');
const letters: Encoder = (text) =>
	text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const json: Encoder = (text) => JSON.stringify(text).slice(1, -1);
/** As json_encode() of PHP writes it, with each of its flags. */
const phpJson: Encoder = (text) => letters(slashes(json(text)));
const jsons = [
	json,
	phpJson,
	(text: string) => slashes(json(text)),
	(text: string) => letters(json(text)),
];

const percent = encodeURIComponent;
/** As rawurlencode() of PHP writes it. */
const phpPercent: Encoder = (text) =>
	percent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const phpForm: Encoder = (text) => phpPercent(text).replaceAll('%20', '+').replaceAll('~', '%7E');
const form: Encoder = (text) => new URLSearchParams({ p: text }).toString().slice(2);
const html =
	(apostrophe: string): Encoder =>
	(text) => {
		const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
		return text.replace(/[&<>"']/g, (sign) => (names[sign] ? `&${names[sign]};` : apostrophe));
	};
const htmlNumbers =
	(prefix: string, base: number): Encoder =>
	(text) =>
		text.replace(/[^A-Za-z\d]/gu, (sign) => `&#${prefix}${sign.codePointAt(0)!.toString(base)};`);
const base64: Encoder = (text) => Buffer.from(text).toString('base64');
const base64url: Encoder = (text) => Buffer.from(text).toString('base64url');

const inUpperCase = [percent, phpPercent, phpForm, form];
const encoders: Encoder[] = [
	(text) => text,
	...inUpperCase,
	...inUpperCase.map(
		(encode) => (text: string) => encode(text).replace(/%../g, (hex) => hex.toLowerCase()),
	),
	...["'", '&#039;', '&#39;'].map(html),
	...[htmlNumbers('', 10), htmlNumbers('x', 16), base64, base64url],
];

/** Each part many times in a row. */
const runsOf = (...parts: string[]) =>
	fc
		.array(fc.tuple(fc.constantFrom(...parts), fc.integer({ min: 1, max: 12 })), { maxLength: 6 })
		.map((runs) => runs.map(([part, count]) => part.repeat(count)).join(''));

test('a secret is hidden in each encoding that the docs name, whatever repeats itself in it', () => {
	const parts = runsOf(
		...' +éß🚒\\"/<\'&%=~*!(\n\t\u0001-_.',
		'a',
		'B1',
		'%20',
		'&amp;',
		'\\u00e9',
	);
	const secret = parts.map((text) => `pass${text}word`);
	const around = fc.constantFrom('it was $, you said', 'auth=$&ip=1', 'C:\\n$\\t', '"$"', '$');
	const anyJson = fc.constantFrom(...jsons);
	const inJson = fc.array(anyJson, { maxLength: 2 });
	fc.assert(
		fc.property(
			secret,
			fc.constantFrom(...encoders),
			inJson,
			around,
			(password, encode, each, text) => {
				const encoded = each.reduce((inner, toJson) => toJson(inner), encode(password));
				// The padding of Base64 holds nothing of it.
				const [padding] = /=*$/.exec(encode === base64 ? encoded : '')!;
				const shown = redact(
					text.replace('$', () => encoded),
					{ password },
				);
				expect(shown).toBe(text.replace('$', `***${padding}`));
			},
		),
		{ numRuns: 3000 },
	);
});

describe.each(['p w+ö"\'/<&>x123', 'grüße€Ω1', 'a-token/of+the~service', '🚒🚒abc🚒'])(
	'%s',
	(password) => {
		test.each(['', 'u', 'us', 'user:'])('Base64 of it after %j', (before) => {
			for (const after of ['', '"}', '&ip=1']) {
				for (const encode of [base64, base64url]) {
					const shown = redact(`Basic ${encode(before + password + after)}.`, { password });
					const [left, right] = shown.split('***') as [string, string];
					// At most one digit on each side holds bits of the secret and of what is next to it.
					expect(left.length).toBeLessThanOrEqual('Basic '.length + (before.length * 4) / 3 + 1);
					expect(right.replace(/=*\.$/, '').length).toBeLessThanOrEqual((after.length * 4) / 3 + 2);
				}
			}
		});
	},
);

test.each([
	['a short one in JSON', 'a/"1', 'it was a\\/\\"1.', 'it was ***.'],
	['a short one in an address', 'p!1', 'p%211', '***'],
])('%s', (_, password, text, expected) => {
	expect(redact(text, { password })).toBe(expected);
});

test('Base64 of a short password', () => {
	expect(redact(`password=${base64('p!1')}.`, { password: 'p!1' })).toBe('password=***.');
	expect(redact(`x${base64('p!1')}`, { password: 'p!1' })).toBe(`x${base64('p!1')}`);
});

test('Base64 of a user and a short password', () => {
	const words = `Basic ${base64('chief:x1')} was refused`;
	expect(redact(words, { username: 'chief', password: 'x1' })).toBe('Basic ***= was refused');
	const client = `Basic ${base64('app:s3')} was refused`;
	expect(redact(client, { clientId: 'app', clientSecret: 's3' })).toBe('Basic *** was refused');
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
		['a', 'bananas, the letter "a", aa, á', 'bananas, the letter "***", aa, á'],
		['wr0ng', 'password=wr0ng; not wr0ngly or 1wr0ng', 'password=***; not wr0ngly or 1wr0ng'],
		['access', 'no access with accessToken', 'no *** with ***Token'],
	])('a short one leaves words alone: %s in %s', (password, words, expected) => {
		expect(redact(words, { password })).toBe(expected);
	});
});

describe('secrets and texts that repeat themselves', () => {
	test.each([' ', '+', '%20', 'é', '\\', '"'])('10,000 times %j', (part) => {
		const [runs, text] = [`x${part.repeat(100)}x`, part.repeat(10_000)];
		expect(redact(`${text}${runs}${text}`, {}, [runs]) === `${text}***${text}`).toBe(true);
	});

	test('of a long one in one form, no more is hidden than it has in that form', () => {
		const password = `${'a'.repeat(100)}+/"'é`;
		for (const encode of [json, phpJson, percent, form, html('&#39;')])
			expect(redact(`${encode(password)} is wrong`, { password })).toBe('*** is wrong');
	});

	test('nothing is left of secrets that overlap or include one another, and all else is', () => {
		const runs = (...parts: string[]) =>
			fc.string({ unit: fc.constantFrom(...parts), minLength: 3 });
		const secret = runs('aaa', 'ab', 'abab').filter((text) => text.length >= 6);
		const shown = runs('aaa', 'aaaaaaa', 'ab', 'abab', 'b', '-');
		const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });
		fc.assert(
			fc.property(secrets, shown, (hidden, text) => {
				const isHidden = (at: number) =>
					hidden.some((each) => {
						const start = Math.max(0, at - each.length + 1);
						return text.slice(start, at + each.length).includes(each);
					});
				const masked = Array.from(text, (letter, at) => (isHidden(at) ? '*' : letter)).join('');
				expect(redact(text, {}, hidden)).toBe(masked.replace(/\*+/g, '***'));
			}),
			{ numRuns: 500 },
		);
	});
});

describe('innocent texts stay as they are', () => {
	const words = ['The', 'username', 'or', 'password', 'identification', 'is', 'wrong', 'apply'];
	const prose = (length: number) =>
		Array.from({ length: length / 6 }, (_, n) => words[(n * n) % words.length]).join(' ');
	/** Bytes that look random. */
	const noise = Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * n * 31) >> 7));
	const image = `<img src="data:image/png;base64,${noise.toString('base64')}">`;
	const link = '<a href="/x?y=%2F&amp;z=%C3%BC">&nbsp;&uuml; C:\\new\\table</a>\r\n';
	const page = `<!DOCTYPE html>\n${prose(10_000)}\n${image}${link.repeat(100)}${prose(10_000)}`;

	test.each(['p!', 'Tr0ub4dor&3', 'x'.repeat(2000)])(
		'a page of 40 kB, with the password %s',
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
	])('60 kB of %.20j', (part) => {
		const text = part.repeat(60_000 / part.length);
		expect(redact(text, secrets, ['a1', 'abc']) === text).toBe(true);
	});
});
