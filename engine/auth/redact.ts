// Takes secrets out of texts. The service's messages may echo what it was sent, and n8n shows and stores them.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { unpackToken } from './token';

/**
 * Characters. A shorter secret is only taken out where it stands alone, because it could be a part of an ordinary
 * word.
 */
const minLengthInWords = 8;

/** How HTML writes these characters, as patterns of what stands between `&` and `;`. */
const htmlNames: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": '#0?39',
};

/** Before it stands no letter or digit, except the letter of an escape in JSON, such as \\t. */
const wordStart = '(?<!(?<!\\\\)[\\p{L}\\p{N}])';
const wordEnd = '(?![\\p{L}\\p{N}])';

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Hexadecimal digits may have either case. A flag of the whole pattern would cost more time than all else here. */
const anyCase = (hex: string): string =>
	hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A secret as JSON may write it: `/` and characters beyond ASCII may be escaped or not (RFC 8259 §7). */
const inJson = (secret: string): string =>
	[...JSON.stringify(secret).slice(1, -1)]
		.map((character) => {
			if (character === '/') return '\\\\?/';
			if (character <= '\u007f') return literal(character);
			const units = character
				.split('')
				.map((unit) => anyCase(unit.charCodeAt(0).toString(16).padStart(4, '0')));
			return `(?:${character}|${units.map((unit) => `\\\\u${unit}`).join('')})`;
		})
		.join('');

/**
 * A secret as an address may write it: a space is `+` or `%20`, and any other character but letters and digits may be
 * percent-encoded or not (RFC 3986 §2.1).
 */
const inAddress = (secret: string): string =>
	[...secret]
		.map((character) => {
			if (/[A-Za-z\d]/.test(character)) return character;
			const hex = Buffer.from(character).toString('hex');
			const encoded = anyCase(hex.replace(/../g, '%$&'));
			return `(?:${encoded}|${character === ' ' ? '\\+' : literal(character)})`;
		})
		.join('');

/** A secret as HTML may write it. */
const inHtml = (secret: string): string =>
	[...secret]
		.map((character) => {
			const name = htmlNames[character];
			return name ? `(?:&${name};|${literal(character)})` : literal(character);
		})
		.join('');

/** A secret in Base64, with or without padding, in either alphabet (RFC 4648 §4, §5). */
const inBase64 = (secret: string): string =>
	literal(
		Buffer.from(secret)
			.toString('base64')
			.replace(/(?<!=)=+$/, ''),
	)
		.replace(/\\\+/g, '[+-]')
		.replace(/\\\//g, '[/_]');

/** A pattern that finds a secret in each way in which a text may write it. */
function patternOf(secret: string): string {
	// Where one begins like another, the longer one stands first.
	const notations = [
		inJson(secret),
		inHtml(secret),
		inAddress(secret),
		inBase64(secret),
		literal(secret),
	];
	const anyNotation = `(?:${[...new Set(notations)].join('|')})`;
	return secret.length < minLengthInWords ? `${wordStart}${anyNotation}${wordEnd}` : anyNotation;
}

/**
 * Takes each secret out of a text, as it is and as JSON, addresses, HTML and Base64 write it. The longest are taken out
 * first, because one secret may be a part of another.
 * @param text a text from outside
 * @param credentials the credential whose secrets the text must not show
 * @param otherSecrets what else the text must not show, such as earlier tokens
 */
export function redact(
	text: string,
	credentials: ICredentialDataDecryptedObject,
	otherSecrets: readonly string[] = [],
): string {
	const { apiKey, clientSecret, password, accessToken } = credentials;
	const token = unpackToken(accessToken)?.accessToken;
	const secrets = [apiKey, clientSecret, password, token, ...otherSecrets]
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret !== '')
		.sort((a, b) => b.length - a.length);
	if (secrets.length === 0) return text;
	const patterns = [...new Set(secrets)].map(patternOf);
	return text.replace(new RegExp(patterns.join('|'), 'gu'), '***');
}
