// The service's own words may echo what it was sent; secrets are taken out before anyone reads them.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { unpackToken } from './token';

/** Shorter secrets are only taken out where they stand alone: else they would be found in ordinary words. */
const minLengthInWords = 8;

const htmlNames: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": '#0?39',
};

/** No letter or digit before it, but for that of an escape in JSON, such as \\t. */
const wordStart = '(?<!(?<!\\\\)[\\p{L}\\p{N}])';
const wordEnd = '(?![\\p{L}\\p{N}])';

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Hexadecimal digits may be written in both cases. A flag would cost more than all else here. */
const anyCase = (hex: string): string =>
	hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A pattern for a secret as JSON may write it: `/` and all beyond ASCII as they are or escaped (RFC 8259 §7). */
const inJson = (secret: string): string =>
	[...JSON.stringify(secret).slice(1, -1)]
		.map((letter) => {
			if (letter === '/') return '\\\\?/';
			if (letter <= '\u007f') return literal(letter);
			const units = letter
				.split('')
				.map((unit) => anyCase(unit.charCodeAt(0).toString(16).padStart(4, '0')));
			return `(?:${letter}|${units.map((unit) => `\\\\u${unit}`).join('')})`;
		})
		.join('');

/** `+` or `%20` for a space; whatever else may be percent-encoded may also stand as it is (RFC 3986 §2.1). */
const inAddress = (secret: string): string =>
	[...secret]
		.map((letter) => {
			if (/[A-Za-z\d]/.test(letter)) return letter;
			const hex = Buffer.from(letter).toString('hex');
			const encoded = anyCase(hex.replace(/../g, '%$&'));
			return `(?:${encoded}|${letter === ' ' ? '\\+' : literal(letter)})`;
		})
		.join('');

const inHtml = (secret: string): string =>
	[...secret]
		.map((letter) => {
			const name = htmlNames[letter];
			return name ? `(?:&${name};|${literal(letter)})` : literal(letter);
		})
		.join('');

/** With or without padding, in either alphabet (RFC 4648 §4, §5). */
const inBase64 = (secret: string): string =>
	literal(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
		.replace(/\\\+/g, '[+-]')
		.replace(/\\\//g, '[/_]');

/** A pattern for every way in which a text may write a secret. */
function patternOf(secret: string): string {
	// Where one begins like another, the longer first.
	const written = [
		inJson(secret),
		inHtml(secret),
		inAddress(secret),
		inBase64(secret),
		literal(secret),
	];
	const any = `(?:${[...new Set(written)].join('|')})`;
	return secret.length < minLengthInWords ? `${wordStart}${any}${wordEnd}` : any;
}

/**
 * Takes out each secret, as it is and as JSON, addresses, HTML and Base64 write it; the longest first, for one
 * may be a part of another.
 * @param text text from outside
 * @param credentials the credential whose secrets must not be read in it
 * @param others what else must not be read, such as earlier tokens
 */
export function redact(
	text: string,
	credentials: ICredentialDataDecryptedObject,
	others: readonly string[] = [],
): string {
	const { apiKey, clientSecret, password, accessToken } = credentials;
	const token = unpackToken(accessToken)?.accessToken;
	const secrets = [apiKey, clientSecret, password, token, ...others]
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret !== '')
		.sort((one, other) => other.length - one.length);
	if (secrets.length === 0) return text;
	const patterns = [...new Set(secrets)].map(patternOf);
	return text.replace(new RegExp(patterns.join('|'), 'gu'), '***');
}
