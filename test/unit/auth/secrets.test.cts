import fc from 'fast-check';
import { redact, secretsIn } from '../../../engine/auth/secrets';

type Encoder = (text: string) => string;
const slashes: Encoder = (text) => text.replaceAll('/', '\\/');
const letters: Encoder = (text) =>
	text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const json: Encoder = (text) => JSON.stringify(text).slice(1, -1);
/** As json_encode() of PHP writes it, with each of its flags. */
const phpJson: Encoder = (text) => letters(slashes(json(text)));
const slashJson: Encoder = (text) => slashes(json(text));
const letterJson: Encoder = (text) => letters(json(text));
const jsons = [json, phpJson, slashJson, letterJson];

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
const hexInUpperCase = (sign: string) => `&#x${sign.codePointAt(0)!.toString(16).toUpperCase()};`;
const htmlHex: Encoder = (text) => text.replace(/[^A-Za-z\d]/gu, hexInUpperCase);
/** As the HtmlEncoder of ASP.NET Core writes it. */
const aspNet: Encoder = (text) => html("'")(text).replace(/['+]|[^ -~]/gu, hexInUpperCase);
const base64: Encoder = (text) => Buffer.from(text).toString('base64');
const base64url: Encoder = (text) => Buffer.from(text).toString('base64url');

const inUpperCase = [percent, phpPercent, phpForm, form];
const inEscapes: Encoder[] = [
	...inUpperCase,
	...inUpperCase.map(
		(encode) => (text: string) => encode(text).replace(/%../g, (hex) => hex.toLowerCase()),
	),
	...["'", '&#039;', '&#39;'].map(html),
	...[htmlNumbers('', 10), htmlNumbers('x', 16), htmlHex, aspNet],
];

/** Each part many times in a row. */
const runsOf = (...parts: string[]) =>
	fc
		.array(fc.tuple(fc.constantFrom(...parts), fc.integer({ min: 1, max: 12 })), { maxLength: 6 })
		.map((runs) => runs.map(([part, count]) => part.repeat(count)).join(''));

const notQuoted = '(not quoted, since it contains an encoded secret)';

const anyEncoder = fc.oneof(
	fc.constantFrom(...jsons),
	fc.constantFrom(...inEscapes),
	fc.constantFrom(base64, base64url),
);
const anySecret = runsOf(
	...' +éß🚒\\"/<\'&%=~*!(\n\t\u0001-_.',
	'a',
	'B1',
	'%20',
	'&amp;',
	'\\u00e9',
).map((text) => `pass${text}word`);

test('text with an encoded secret is not quoted, however three encodings are nested', () => {
	const around = fc.constantFrom('it was $, you said', 'auth=$&ip=1', 'C:\\n$\\t', '"$"', '$');
	const nested = fc.array(anyEncoder, { maxLength: 3 });
	fc.assert(
		fc.property(anySecret, nested, around, (secret, encoders, text) => {
			const encoded = encoders.reduce((inner, encode) => encode(inner), secret);
			const shown = redact(
				text.replace('$', () => encoded),
				[secret],
			);
			expect(shown).toBe(encoded === secret ? text.replace('$', '***') : notQuoted);
		}),
		{ numRuns: 3000 },
	);
});

test('JSON in JSON with a secret is not quoted, even next to the plain secret', () => {
	for (const secret of ['back\\slash"', 'a "é" and/or', 'tab\tand/slash\\\\'])
		for (const toJson of jsons) {
			const inJson = (value: unknown) =>
				`"${toJson(typeof value === 'string' ? value : JSON.stringify(value))}"`;
			const text = `Not ${secret}: {"errors":${inJson({ detail: `it was ${secret}` })}}`;
			expect(redact(text, [secret])).toBe(notQuoted);
			expect(redact(`Not ${secret}: {"errors":"it was wrong"}`, [secret])).toMatch(/^Not \*\*\*: /);
		}
});

test('a secret is removed completely from a long text, wherever it is and however long', () => {
	const length = fc.oneof(fc.nat(200), fc.nat(15_000));
	const place = fc.oneof(
		...[0, 4096, 8192].map((at) => fc.integer({ min: Math.max(0, at - 300), max: at + 300 })),
		fc.nat(10_000),
	);
	const encoders = fc.array(anyEncoder, { maxLength: 2 });
	fc.assert(
		fc.property(anySecret, length, place, encoders, (begin, more, at, each) => {
			const secret = begin + 'Qw/9'.repeat(more);
			const encoded = each.reduce((inner, encode) => encode(inner), secret);
			const shown = redact(`${'- '.repeat(at / 2)}${encoded} ${'.'.repeat(9000)}`, [secret]);
			expect(shown === notQuoted || /^[-*. ]*$/.test(shown)).toBe(true);
			expect(shown.length).toBeLessThanOrEqual(4100);
		}),
		{ numRuns: 500 },
	);
});

const long = { password: 'abcdefgh', apiKey: 'abcdefgh-1234', clientSecret: '1234-zzzz-9' };
const additionalParameters = JSON.stringify({ pin: '4711', assertion: 'assertion-1' });
test.each<[Parameters<typeof secretsIn>[0], string, string]>([
	[{ apiKey: '', password: '' }, 'nothing here', 'nothing here'],
	[{ username: 'chief', password: 'pass-1' }, 'chief sent pass-1, pass-1', 'chief sent ***, ***'],
	// One that begins another, and one that ends another.
	[long, 'abcdefgh-1234 abcdefgh 1234-zzzz-9', '*** *** ***'],
	// A short one leaves words alone.
	[{ password: 'a' }, 'bananas, the letter "a", aa, á', 'bananas, the letter "***", aa, á'],
	[{ password: 'wr0ng' }, 'p=wr0ng; not wr0ngly or 1wr0ng', 'p=***; not wr0ngly or 1wr0ng'],
	[{ password: 'access' }, 'no access with accessToken', 'no *** with ***Token'],
	[{ additionalParameters }, 'pin 4711 of assertion-1', 'pin 4711 of ***'],
	[{ password: 'a/"1' }, 'it was a\\/\\"1.', notQuoted],
	[{ password: 'p!1' }, 'p%211', notQuoted],
	[{ password: 'p!1' }, 'xp%211', 'xp%211'],
	[{ password: 'x1' }, `Basic ${base64('chief:x1')} was refused`, notQuoted],
	// One that is a part of another, which is encoded.
	[{ password: 'abc&1234', apiKey: 'abcdef', clientSecret: 'abc' }, 'abc%261234', notQuoted],
])('of %j, in %j: %j', (settings, text, expected) => {
	expect(redact(text, secretsIn(settings))).toBe(expected);
});

const unusual = ['p w+ö"\'/<&>x123', 'grüße€Ω1', 'a-token/of+the~service', '🚒🚒abc🚒'];
test.each(unusual)('Base64 of %s', (secret) => {
	for (const before of ['', 'u', 'us', 'user:', '\xff\xfe'])
		for (const after of ['', '"}', '&ip=1'])
			for (const encode of [base64, base64url]) {
				const encoded = encode(before + secret + after);
				for (const text of [encoded, `Basic ${encoded}.`, `/a/b/${encoded}`])
					expect(redact(text, [secret])).toBe(notQuoted);
			}
});

test('overlapping or nested secrets are removed completely, and the rest of the text is kept', () => {
	const runs = (...parts: string[]) => fc.string({ unit: fc.constantFrom(...parts), minLength: 3 });
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
			expect(redact(text, hidden)).toBe(masked.replace(/\*+/g, '***'));
		}),
		{ numRuns: 500 },
	);
});

const words = ['The', 'username', 'or', 'password', 'identification', 'is', 'wrong', 'apply'];
const prose = Array.from({ length: 1600 }, (_, n) => words[(n * n) % words.length]).join(' ');
/** Bytes that look random. */
const noise = Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * n * 31) >> 7));
const image = `<img src="data:image/png;base64,${noise.toString('base64')}">`;
const link = '<a href="/x?y=%2F&amp;z=%C3%BC">&nbsp;&uuml; C:\\new\\table</a>\r\n';
const page = `<!DOCTYPE html>\n${prose}\n${image}${link.repeat(100)}${prose}`;

const secrets = [
	...['a'.repeat(31) + 'b', '////////++++++++x', `${'é'.repeat(30)}x`],
	...['a1', 'abc', 'p!', 'Tr0ub4dor&3', 'x'.repeat(2000)],
];
test.each([
	...['a', '/', '+', '\\', '\n', ' ', ' \n ', '<br>', '?', '\ufffd', 'é', 'Ã©', 'é ', 'e\u0301'],
	...['%25', '&amp;', '&uuml;', '&#195;', '\\u002B', '%C3%A9', 'YWJj', 'VVVV', '&&#', '%%2'],
	...[base64(base64(base64(prose))), page],
])('harmless texts stay unchanged: 60 kB of %.20j', (part) => {
	const text = part.repeat(Math.max(1, 60_000 / part.length));
	expect(redact(text, secrets)).toBe(text.slice(0, 4096));
});
