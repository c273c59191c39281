// Keeps secrets out of texts. The service's messages may echo the request, and n8n shows and stores them.
import { jsonIn, parseJson } from '../http/json';
import { htmlDecoded } from '../http/webPage';
import { type AccountSettings, parametersOf } from './accountSettings';

/**
 * Maximum characters of a text to search, and to return. The second is more than any message shows; the first is enough
 * more to find a secret that begins in the returned part, however it is encoded.
 */
const maxSearched = 8 * 1024;
const maxShown = 4 * 1024;

/** Minimum length of a secret to be found inside a word: a shorter one could be part of an ordinary word. */
export const minLengthInWords = 6;

/** A longer secret is found by its beginning. */
const maxSought = 64;

/** JSON (RFC 8259 §7). */
export const jsonDecoded = (text: string): string =>
	text.replace(/\\(?:u[\da-f]{4}|.)/gis, (sign) => (parseJson(`"${sign}"`) ?? sign[1]) as string);

/** Percent-encoding (RFC 3986 §2.1). */
const percentDecoded = (text: string): string =>
	text.replace(/(%[\da-f]{2})+/gi, (hex) => String(Buffer.from(hex.replaceAll('%', ''), 'hex')));

/** Base64 and Base64url (RFC 4648 §4, §5), without the rest of the text. Ordinary words decode to next to nothing. */
const base64Decoded = (start: number) => (text: string) =>
	(text.match(/[\w+/-]{8,}/g) ?? [])
		.flatMap((digits) => Buffer.from(digits.slice(start), 'base64').toString().split('\ufffd'))
		.filter(({ length }) => length >= minLengthInWords)
		.join(' ');

const decoders: ReadonlyArray<(text: string) => string> = [
	...[htmlDecoded, jsonDecoded, percentDecoded],
	// A form.
	(text) => percentDecoded(text.replaceAll('+', ' ')),
	// The data may begin at any of four consecutive digits.
	...[0, 1, 2, 3].map(base64Decoded),
];

/** @returns the text and its possible decodings, up to three levels deep */
function decodingsOf(text: string): Set<string> {
	let decodings = new Set([text]);
	const withDecoded = (one: string) => [one, ...decoders.map((decode) => decode(one))];
	for (let level = 0; level < 3; level++) decodings = new Set([...decodings].flatMap(withDecoded));
	return decodings;
}

/** The positions of a secret in a text. A short one counts only outside words and numbers. */
function positionsOf(secret: string, text: string): number[] {
	const positions: number[] = [];
	for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
		const to = at + secret.length;
		const around = `${text.slice(Math.max(0, at - 2), at)}\0${text.slice(to, to + 2)}`;
		const isInWord = /[\p{L}\p{N}]\0|\0[\p{L}\p{N}]/u.test(around);
		if (secret.length >= minLengthInWords || !isInWord) positions.push(at);
	}
	return positions;
}

/** Whether a text, or one of its decodings, holds one of these secrets. */
function reveals(text: string, secrets: readonly string[]): boolean {
	const decodings = [...decodingsOf(text)];
	return secrets.some((secret) => decodings.some((one) => positionsOf(secret, one).length > 0));
}

/** The secrets in the settings of an account. */
export function secretsIn(settings: Partial<AccountSettings>): string[] {
	const { apiKey = '', clientSecret = '', password = '', additionalParameters } = settings;
	const parameters = (parametersOf(additionalParameters) ?? []).map(([, value]) => value);
	// Shorter values are IDs, switches, or words of OAuth such as "token".
	const long = parameters.filter((value) => value.length >= minLengthInWords);
	return [apiKey, clientSecret, password, ...long];
}

/**
 * Replaces secrets by `***`; overlapping ones are hidden completely. A text with an encoded secret is not quoted at
 * all. Call this before a text is truncated, since part of a secret is not found.
 * @param longText a text from outside; a message shows at most its beginning
 */
export function redact(longText: string, allSecrets: readonly string[]): string {
	const secrets = [...new Set(allSecrets.map((secret) => secret.trim()))].filter(Boolean);
	const text = longText.slice(0, maxSearched);
	const letters = text.split('');
	const others = secrets.filter((secret) => {
		const positions = positionsOf(secret, text);
		for (const at of positions) letters.fill('\uffff', at, at + secret.length);
		return positions.length === 0;
	});
	const masked = (shown: readonly string[]) => shown.join('').replace(/\uffff+/g, '***');
	const beginnings = secrets.map((secret) => secret.slice(0, maxSought));
	if (reveals(masked(letters), beginnings) || reveals(text, others))
		return '(not quoted, since it contains an encoded secret)';
	return masked(letters.slice(0, maxShown));
}

const nameOfSecret = /(?:access|refresh|(?<![a-z])id)_?token$|^code$/i;

/** Such a name in a text, with its value: in a query, or in a printout of variables. */
const secretInText =
	/(?:(?:access|refresh|(?<![a-z])id)_?token|code(?=['"=]))["'\s]*[:=]["'\s]*([^&\s"<>#]+)/gi;

/**
 * @param part part of a response: a text, or a JSON value of any depth
 * @param isSecret whether all of it is the value of a secret's name
 */
export function issuedSecrets(part: unknown, isSecret = false): string[] {
	if (typeof part === 'object' && part !== null)
		return Object.entries(part).flatMap(([name, value]) =>
			issuedSecrets(value, isSecret || nameOfSecret.test(name)),
		);
	if (typeof part !== 'string') return isSecret ? [String(part)] : [];
	const found = [...decodingsOf(part)].flatMap((one) => [...one.matchAll(secretInText)]);
	const values = found.flatMap(([, value = '']) => [value, percentDecoded(value)]);
	return [...(isSecret ? [part] : []), ...issuedSecrets(jsonIn(part)), ...values];
}
