// Keeps secrets out of texts. The service's messages may echo what it was sent, and n8n shows and stores them. On the
// way, each layer may have encoded the secret for JSON, a web page, an address or Base64.
import type { AccountSettings } from './accountSettings';

/** Replaces a text with an encoded secret. Cutting the secret out could leave a part of it that can be decoded. */
export const hiddenText =
	'This text is hidden, because it contains a password, key or token in encoded form';

/**
 * Minimum length of secrets that are found inside words. A shorter one must stand alone, because it could be part of an
 * ordinary word; if it has letters only, it must stand between delimiters, because it could be such a word.
 */
const minLengthInWords = 6;

/** Maximum number of encodings inside each other. */
const maxLayers = 4;

/** Stands for a character that was not decoded: bytes that are not UTF-8, or one of HTML's two thousand names. */
const undecoded = '\ufffd';

/** Undoes one layer of percent-encoding (RFC 3986 §2.1), of JSON's escapes (RFC 8259 §7) and of HTML's. */
const unescapeOnce = (text: string): string =>
	text
		.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
			Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
		)
		.replace(
			/\\u([\da-f]{4})|&#x([\da-f]{1,8});|&#(\d{1,9});/gi,
			(_, json?: string, hex = json, code = `0x${hex}`) =>
				String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
		)
		.replace(/\\([^u])/g, (_, character: string) => (/[bfnrt]/.test(character) ? '\n' : character))
		.replace(/&([a-z]\w{1,31});/gi, (_, name: string) => (name === 'amp' ? '&' : undecoded));

/** Joins the lines that a long text was split into. */
const joinLines = (text: string): string =>
	text
		.split(/[\r\n\u2028\u2029]|<w?br\s?\/?>/i)
		.map((line) => line.trim())
		.join('');

/** What a text may hold in Base64 (RFC 4648 §4, §5). Other digits may precede it, such as those of a path. */
function base64Contents(text: string): string {
	// So many digits hold six characters.
	const runs = text.match(/[\w+/-]{8,}/g) ?? [];
	const decoded = (run: string) =>
		[0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString());
	return runs.flatMap(decoded).join('\0');
}

/**
 * Whether a text shows a secret once it is decoded. The effort grows with the text's length, whatever it holds.
 * @param long finds only secrets that may be inside words: among bytes that are no text, any short one stands alone
 */
function showsSecret(text: string, all: RegExp, long: RegExp, layersLeft = maxLayers): boolean {
	const joined = joinLines(text).normalize();
	if (text.search(all) >= 0 || joined.search(long) >= 0) return true;
	if (layersLeft === 0) return false;
	const unescaped = unescapeOnce(text);
	const isEscaped = unescaped !== text;
	if (isEscaped && showsSecret(unescaped, all, long, layersLeft - 1)) return true;
	return showsSecret(base64Contents(joined), long, long, layersLeft - 1);
}

/** A space may also be a plus, as in a form, or be lost at the end of a line. */
function characterPattern(character: string): string {
	if (/[A-Za-z\d]/.test(character)) return character;
	if (character === ' ') return `[ +${undecoded}]?`;
	const plain = `[\\u{${character.codePointAt(0)!.toString(16)}}${undecoded}]`;
	const bytes = Buffer.byteLength(character);
	// Its UTF-8, read as Latin-1 or Windows-1252.
	return bytes === 1
		? plain
		: `(?:${plain}|[\\xc2-\\xf4][\\x80-\\xbf\\u0152-\\u2122]{${bytes - 1}})`;
}

const patternOf = (secret: string): string => [...secret].map(characterPattern).join('');

/** What looks like an escape in a secret is undone with the text's own. */
function longPattern(secret: string): string {
	const forms = [secret, secret.normalize()];
	for (let layer = 0; layer < maxLayers; layer++) forms.push(unescapeOnce(forms.at(-1)!));
	const distinct = new Set(forms.filter((form) => form.trim().length >= minLengthInWords));
	return [...distinct].map(patternOf).join('|');
}

function shortPattern(secret: string): string {
	const alone = `(?<![\\p{L}\\p{N}])${patternOf(secret)}(?![\\p{L}\\p{N}])`;
	if (!/^\p{L}+$/u.test(secret)) return alone;
	const before = '(?<=(?:^|[^\\p{L}\\p{N}\\p{Zs}])\\p{Zs}{0,9})';
	const after = '(?=\\p{Zs}{0,9}(?:$|[^\\p{L}\\p{N}\\p{Zs}]))';
	return `${before}${patternOf(secret)}${after}|(?<=[=:])${alone}`;
}

/** Without the padding, which need not be there. */
const base64Of = (text: string): string => Buffer.from(text).toString('base64').replaceAll('=', '');

/** The patterns that were made last: all messages of a run are searched for the same secrets. */
let lastPatterns: { key: string; all: RegExp; long: RegExp } | undefined;

/** @param secrets the longest first, because one may be a part of another */
function patternsOf(secrets: readonly string[]) {
	const key = JSON.stringify(secrets);
	if (lastPatterns?.key === key) return lastPatterns;
	const long = secrets.filter(({ length }) => length >= minLengthInWords).map(longPattern);
	const short = secrets.slice(long.length).flatMap((secret) => [secret, base64Of(secret)]);
	const all = [...long, ...short.map(shortPattern)];
	const toRegExp = (patterns: string[]) => new RegExp(patterns.join('|') || '(?!)', 'gu');
	lastPatterns = { key, all: toRegExp(all), long: toRegExp(long) };
	return lastPatterns;
}

/**
 * Takes each secret out of a text. A text that holds one in encoded form, or split over lines, is replaced as a whole.
 * @param text a text from outside
 * @param settings the account's, whose secrets the text must not show
 * @param otherSecrets what else the text must not show, such as its tokens
 */
export function redact(
	text: string,
	settings: Partial<AccountSettings>,
	otherSecrets: readonly string[] = [],
): string {
	const { apiKey = '', clientId, clientSecret = '', username, password = '' } = settings;
	// As HTTP joins them for signing in (RFC 7617 §2): in Base64 they are one secret.
	const pairs = [
		password && `${username}:${password}`,
		clientSecret && `${clientId}:${clientSecret}`,
	];
	const secrets = [apiKey, clientSecret, password, ...pairs, ...otherSecrets]
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '')
		.sort((a, b) => b.length - a.length);
	const { all, long } = patternsOf(secrets);
	const withoutPlain = text.replace(all, '***');
	return showsSecret(withoutPlain, all, long) ? hiddenText : withoutPlain;
}
