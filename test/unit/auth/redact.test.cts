import fc from 'fast-check';
import { redact } from '../../../engine/auth/secrets';

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
const hexInUpperCase = (sign: string) => `&#x${sign.codePointAt(0)!.toString(16).toUpperCase()};`;
const htmlHex: Encoder = (text) => text.replace(/[^A-Za-z\d]/gu, hexInUpperCase);
/** As the HtmlEncoder of ASP.NET Core writes it. */
const aspNet: Encoder = (text) => html("'")(text).replace(/['+]|[^ -~]/gu, hexInUpperCase);
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
	...[htmlNumbers('', 10), htmlNumbers('x', 16), htmlHex, aspNet, base64, base64url],
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
		{ numRuns: 1000 },
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

const basic = (text: string) => `Basic ${base64(text)} was refused`;
const long = { password: 'abcdefgh', apiKey: 'abcdefgh-1234', clientSecret: '1234-zzzz-9' };
test.each<[Parameters<typeof redact>[1], string, string]>([
	[{ apiKey: '', password: '' }, 'nothing here', 'nothing here'],
	[{ username: 'chief', password: 'pass-1' }, 'chief sent pass-1, pass-1', 'chief sent ***, ***'],
	// One that begins another, and one that ends another.
	[long, 'abcdefgh-1234 abcdefgh 1234-zzzz-9', '*** *** ***'],
	// A short one leaves words alone.
	[{ password: 'a' }, 'bananas, the letter "a", aa, á', 'bananas, the letter "***", aa, á'],
	[{ password: 'wr0ng' }, 'p=wr0ng; not wr0ngly or 1wr0ng', 'p=***; not wr0ngly or 1wr0ng'],
	[{ password: 'access' }, 'no access with accessToken', 'no *** with ***Token'],
	[{ password: 'a/"1' }, 'it was a\\/\\"1.', 'it was ***.'],
	[{ password: 'p!1' }, 'p%211', '***'],
	[{ password: 'p!1' }, `p=${base64('p!1')}.`, 'p=***.'],
	[{ password: 'p!1' }, `x${base64('p!1')}`, `x${base64('p!1')}`],
	[{ username: 'chief', password: 'x1' }, basic('chief:x1'), 'Basic ***= was refused'],
	[{ clientId: 'app', clientSecret: 's3' }, basic('app:s3'), 'Basic *** was refused'],
])('of %j, in %j: %j', (secrets, text, expected) => {
	expect(redact(text, secrets)).toBe(expected);
});

describe('secrets and texts that repeat themselves', () => {
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
	const prose = Array.from({ length: 1600 }, (_, n) => words[(n * n) % words.length]).join(' ');
	/** Bytes that look random. */
	const noise = Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * n * 31) >> 7));
	const image = `<img src="data:image/png;base64,${noise.toString('base64')}">`;
	const link = '<a href="/x?y=%2F&amp;z=%C3%BC">&nbsp;&uuml; C:\\new\\table</a>\r\n';
	const page = `<!DOCTYPE html>\n${prose}\n${image}${link.repeat(100)}${prose}`;

	const secrets = {
		apiKey: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
		password: '////////++++++++x',
		clientSecret: `${'é'.repeat(30)}x`,
		username: 'chief',
	};
	test.each([
		...['a', '/', '+', '\\', '\n', ' ', ' \n ', '<br>', '?', '\ufffd', 'é', 'Ã©', 'é ', 'e\u0301'],
		...['%25', '&amp;', '&uuml;', '&#195;', '\\u002B', '%C3%A9', 'YWJj', 'VVVV', '&&#', '%%2'],
		...[base64(base64(base64(prose))), page],
	])('60 kB of %.20j', (part) => {
		const text = part.repeat(Math.max(1, 60_000 / part.length));
		const others = ['a1', 'abc', 'p!', 'Tr0ub4dor&3', 'x'.repeat(2000)];
		expect(redact(text, secrets, others) === text).toBe(true);
	});
});
