// Takes secrets out of texts. The service's messages may echo what it was sent, and n8n shows and stores them. Between
// the service and the message each layer may have written them in its own way: JSON, a web page, an address, Base64.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { unpackToken } from './token';

/**
 * Characters. A shorter secret is only taken out where it stands alone, because it could be a part of an ordinary
 * word; and one of letters alone only between delimiters, because it could be such a word.
 */
const minLengthInWords = 6;

/** How HTML names these characters; a number may stand for any. */
const htmlNames: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** Before it stands no letter or digit, except the letter of an escape in JSON, such as \\t. */
const wordStart = '(?<!(?<!\\\\)[\\p{L}\\p{N}])';
const wordEnd = '(?![\\p{L}\\p{N}])';

/** The beginning or end of the text, or what is neither letter, digit nor blank; blanks may stand between. */
const delimiterBefore = '(?<=(?:^|[^\\p{L}\\p{N}\\p{Zs}]|\\\\[bfnrt])\\p{Zs}{0,9})';
const delimiterAfter = '(?=\\p{Zs}{0,9}(?:$|[^\\p{L}\\p{N}\\p{Zs}]))';

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Hexadecimal digits may have either case. A flag of the whole pattern would cost more time than all else here. */
const anyCase = (hex: string): string =>
	hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A byte in an address, written once or several times. */
const inAddress = (byte: number): string =>
	`%(?:25){0,3}${anyCase(byte.toString(16).padStart(2, '0'))}`;

/** One backslash in JSON; more where the JSON is a text in other JSON. */
const backslashes = '\\\\{1,8}';

/** The sign before an entity of HTML, which JSON or HTML may have written in its own way again. */
const ampersand = `(?:&(?:amp;){0,2}|${backslashes}u0026)`;

/**
 * A pattern of all ways in which one character may be written, one layer upon the other:
 * - in JSON (RFC 8259 §7), also where it need not be escaped, as System.Text.Json does with \u002B
 * - in HTML, by number or by name; of letters beyond ASCII by any name, since there are two thousand
 * - in an address (RFC 3986 §2.1), once or several times, and in a form, where a space is a plus
 * Letters and digits of ASCII are written as they are in all of these.
 */
function anyWriting(character: string): string {
	if (/[A-Za-z\d]/.test(character)) return character;
	// Nobody has to escape these; most tokens hold nothing else.
	if (/[-._]/.test(character))
		return `(?:${literal(character)}|${inAddress(character.charCodeAt(0))})`;
	const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
	const bytes = [...Buffer.from(character)];
	const codePoint = character.codePointAt(0)!;
	const name = bytes.length > 1 ? '[A-Za-z]{2,8}\\d{0,2}' : htmlNames[character];
	// JSON has to write some behind a backslash, and PHP writes the slash so too.
	const escaped = character === '/' ? '/' : /^"\\(.)"$/.exec(JSON.stringify(character))?.[1];
	return `(?:${[
		units.map((unit) => `${backslashes}u${anyCase(unit)}`).join(''),
		...(escaped === undefined ? [] : [`${backslashes}${literal(escaped)}`]),
		bytes.map(inAddress).join(''),
		`${ampersand}#(?:0{0,4}${codePoint}|[xX]0{0,4}${anyCase(codePoint.toString(16))});`,
		...(name ? [`${ampersand}${name};`] : []),
		...(character === ' ' ? ['\\+'] : []),
		literal(character),
	].join('|')})`;
}

const misreader = new TextDecoder('windows-1252');

/**
 * What becomes of a secret beyond ASCII when a layer joins accents to their letters or takes them apart (Unicode's NFC
 * and NFD), or reads its UTF-8 as Latin-1 or Windows-1252; the secret itself is the first.
 */
function readingsOf(secret: string): Set<string> {
	const utf8 = Buffer.from(secret);
	return new Set([
		secret,
		secret.normalize('NFC'),
		secret.normalize('NFD'),
		utf8.toString('latin1'),
		misreader.decode(utf8),
	]);
}

const inAnyLayer = (text: string): string => [...text].map(anyWriting).join('');

/** The digits of Base64, in both alphabets (RFC 4648 §4, §5). */
const base64Plus = `(?:${anyWriting('+')}|-)`;
const base64Slash = `(?:${anyWriting('/')}|_)`;
const base64Digit = `(?:[A-Za-z\\d]|${base64Plus}|${base64Slash})`;

const inBase64Digits = (digits: string): string =>
	digits.replace(/[+/]/g, (digit) => (digit === '+' ? base64Plus : base64Slash));

/** Bits of one digit of Base64. */
const bitsPerDigit = 6;

/**
 * A secret in Base64, with or without padding, in either alphabet. A digit that it shares with what stands before it is
 * left: it holds at most four bits of the secret, and to look for it would take a hundred times as long.
 * @param bytesBefore how many bytes of other text, such as "Bearer ", stand before it in its group of three
 */
function inBase64(secret: string, bytesBefore: number): string {
	const bytes = Buffer.from(secret);
	const encoded = Buffer.concat([Buffer.alloc(bytesBefore), bytes]).toString('base64');
	const firstBit = bytesBefore * 8;
	const lastBit = firstBit + bytes.length * 8;
	const firstWhole = Math.ceil(firstBit / bitsPerDigit);
	const lastWhole = Math.floor(lastBit / bitsPerDigit);
	const whole = inBase64Digits(encoded.slice(firstWhole, lastWhole));
	const sharedAfter = lastBit % bitsPerDigit === 0 ? '' : base64Digit;
	return `${whole}${sharedAfter}={0,2}`;
}

/** A pattern that finds a secret in each way in which a text may write it. */
function patternOf(secret: string): string {
	const plain = [...readingsOf(secret)].map(inAnyLayer).join('|');
	if (secret.length >= minLengthInWords)
		return [plain, ...[0, 1, 2].map((bytes) => inBase64(secret, bytes))].join('|');
	const base64 = inBase64(secret, 0);
	const alone = (notation: string): string => `${wordStart}(?:${notation})${wordEnd}`;
	return /^\p{L}+$/u.test(secret)
		? `${delimiterBefore}(?:${plain})${delimiterAfter}|(?<=[=:])${alone(plain)}|${alone(base64)}`
		: alone(`${plain}|${base64}`);
}

/** Two texts as HTTP joins them for signing in (RFC 7617 §2): in Base64 they are one secret. */
const joined = (name: unknown, secret: unknown): string =>
	typeof name === 'string' && typeof secret === 'string' && secret !== ''
		? `${name}:${secret}`
		: '';

/** The pattern that was made last: all messages of a run are searched for the same secrets. */
let lastPattern: { key: string; pattern: RegExp } | undefined;

function patternOfAll(secrets: readonly string[]): RegExp {
	const key = JSON.stringify(secrets);
	if (lastPattern?.key !== key)
		lastPattern = { key, pattern: new RegExp(secrets.map(patternOf).join('|'), 'gu') };
	return lastPattern.pattern;
}

/**
 * Takes each secret out of a text, however JSON, addresses, HTML and Base64 write it, each alone or one upon the other.
 * The longest are taken out first, because one secret may be a part of another.
 * @param text a text from outside
 * @param credentials the credential whose secrets the text must not show
 * @param otherSecrets what else the text must not show, such as earlier tokens
 */
export function redact(
	text: string,
	credentials: ICredentialDataDecryptedObject,
	otherSecrets: readonly string[] = [],
): string {
	const { apiKey, clientId, clientSecret, username, password, accessToken } = credentials;
	const token = unpackToken(accessToken)?.accessToken;
	const secrets = [
		apiKey,
		clientSecret,
		password,
		token,
		joined(username, password),
		joined(clientId, clientSecret),
		...otherSecrets,
	]
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret !== '')
		.sort((a, b) => b.length - a.length);
	if (secrets.length === 0) return text;
	return text.replace(patternOfAll([...new Set(secrets)]), '***');
}
