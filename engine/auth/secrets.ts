// Keeps secrets out of texts. The service's messages may echo what it was sent, and n8n shows and stores them.
import { jsonIn } from '../http/json';
import { type AccountSettings, parametersOf } from './accountSettings';

/** Most characters of a text that are searched and given back: more than any message shows. */
const maxLength = 64 * 1024;

/** Whether a short secret is no part of a word or a number. */
const standsAlone = (text: string, from: number, to: number): boolean =>
	!/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, from - 2), from)) &&
	!/^[\p{L}\p{N}]/u.test(text.slice(to, to + 2));

/** The forms that were made last: all messages of a run are searched for the same secrets. */
let lastForms: { key: string; forms: string[] } | undefined;

function formsOfAll(secrets: readonly string[]): string[] {
	const key = JSON.stringify(secrets);
	if (lastForms?.key !== key) lastForms = { key, forms: [...new Set(secrets)].flatMap(formsOf) };
	return lastForms.forms;
}

/**
 * Replaces secrets by `***`, also encoded ones. Of secrets that overlap nothing is left.
 * @param longText a text from outside; a message shows at most its beginning
 * @param settings the account's, whose secrets the text must not show
 * @param otherSecrets what else the text must not show, such as its tokens
 */
export function redact(
	longText: string,
	settings: Partial<AccountSettings>,
	otherSecrets: readonly string[] = [],
): string {
	const { apiKey = '', clientId, clientSecret = '', username, password = '' } = settings;
	const parameters = (parametersOf(settings.additionalParameters) ?? []).map(([, value]) => value);
	const others = [
		// What is shorter is an ID, a switch, or a word of OAuth such as "token".
		...parameters.filter((value) => value.length >= minLengthInWords),
		...otherSecrets,
		// As HTTP joins them for signing in (RFC 7617 §2): in Base64 they are one secret.
		password && `${username}:${password}`,
		clientSecret && `${clientId}:${clientSecret}`,
	];
	const secrets = [apiKey, clientSecret, password, ...others]
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '');
	const text = longText.slice(0, maxLength);
	const hidden = new Uint8Array(text.length);
	for (const form of formsOfAll(secrets)) {
		// Those that overlap count too.
		for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
			const end = at + form.length;
			if (form.length < minLengthInWords && !standsAlone(text, at, end)) continue;
			hidden.fill(1, at, end);
		}
	}
	if (!hidden.includes(1)) return text;
	let shown = '';
	for (let at = 0; at < text.length; at++) {
		if (!hidden[at]) shown += text[at];
		else if (!hidden[at - 1]) shown += '***';
	}
	return shown;
}

/** JSON (RFC 8259 §7), with or without the escapes of json_encode() of PHP for slashes and letters beyond ASCII. */
function jsonForms(text: string): string[] {
	const json = JSON.stringify(text).slice(1, -1);
	const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return [json, json.replaceAll('/', '\\/')].flatMap((form) => [
		form,
		form.replace(/[^\0-\x7f]/g, toEscape),
	]);
}

/** The text itself, inside JSON, and inside JSON that is inside JSON. */
function inJson(text: string): string[] {
	const once = new Set(jsonForms(text));
	return [text, ...once, ...[...once].flatMap(jsonForms)];
}

/** Percent-encoding (RFC 3986 §2.1) for forms and addresses. Programs differ in the characters that they leave as is. */
function percentForms(secret: string): string[] {
	const form = new URLSearchParams([['', secret]]).toString().slice(1);
	const phpForm = form.replaceAll('*', '%2A');
	const address = phpForm.replaceAll('+', '%20').replaceAll('%7E', '~');
	const component = address.replace(/%2[1789A]/g, decodeURIComponent);
	const inUpperCase = [form, phpForm, address, component];
	return inUpperCase.flatMap((one) => [one, one.replace(/%../g, (hex) => hex.toLowerCase())]);
}

const htmlNames: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

/** HTML by names, with the usual ways to write an apostrophe; by numbers; and by both, as ASP.NET Core and Mustache do. */
function htmlForms(secret: string): string[] {
	const named = secret.replace(/[&<>"]/g, (sign) => `&${htmlNames[sign]};`);
	const apostrophes = ["'", '&#039;', '&#39;'].map((sign) => named.replaceAll("'", sign));
	const number = (sign: string, radix: number) => sign.codePointAt(0)!.toString(radix);
	const decimal = (sign: string) => `&#${number(sign, 10)};`;
	const hex = (sign: string) => `&#x${number(sign, 16)};`;
	const upperHex = (sign: string) => `&#x${number(sign, 16).toUpperCase()};`;
	return [
		...apostrophes,
		...[decimal, hex, upperHex].map((write) => secret.replace(/[^A-Za-z\d]/gu, write)),
		...[/['+]|[^ -~]/gu, /['/`=]/g].map((signs) => named.replace(signs, upperHex)),
	];
}

/** Base64 and Base64url (RFC 4648 §4, §5), without the padding: it may be missing. */
const base64Forms = (secret: string): string[] =>
	(['base64', 'base64url'] as const).map((encoding) =>
		Buffer.from(secret).toString(encoding).replaceAll('=', ''),
	);

/** The digits of it that depend on the secret alone, in each of the three places in which it begins among other bytes. */
const base64Within = (secret: string): string[] =>
	[0, 1, 2].flatMap((bytesBefore) => {
		const padded = ' '.repeat(bytesBefore) + secret;
		const [from, to] = [bytesBefore, Buffer.byteLength(padded)].map((bytes) => (bytes * 4) / 3);
		return base64Forms(padded).map((digits) => digits.slice(Math.ceil(from!), Math.floor(to!)));
	});

/** Minimum length of what is found inside words: less could be a part of an ordinary word. */
const minLengthInWords = 6;

/** @returns each form once */
function formsOf(secret: string): string[] {
	const within = secret.length < minLengthInWords ? [] : base64Within(secret);
	const encodings = [percentForms, htmlForms, base64Forms].flatMap((encode) => encode(secret));
	return [...new Set([...new Set([secret, ...encodings, ...within])].flatMap(inJson))];
}

const nameOfSecret = /(?:access|refresh|(?<![a-z])id)_?token$|^code$/i;

/** Such a name in a text, with its value: in a query, also a percent-encoded one, or as programs print variables. */
const secretInText =
	/(?:(?:access|refresh|(?<![a-z])id)_?token|code(?=['"=%]))["'\s]*(?:[:=]|%3d)["'\s]*([^&\s"<>#]+)/gi;

/** Values in a query are percent-encoded, once for each address that the query stands in, and messages may show them decoded. */
const fullyDecoded = (text: string) => {
	const encodedOnce = text.replace(/%(?:25)+/g, '%').replaceAll('&', '%26');
	return new URLSearchParams(`text=${encodedOnce}`).get('text')!;
};

/**
 * @param part of a response: a text, or what JSON holds, at any depth
 * @param isSecret whether all of it stands under the name of a secret
 */
export function issuedSecrets(part: unknown, isSecret = false): string[] {
	if (typeof part === 'object' && part !== null)
		return Object.entries(part).flatMap(([name, value]) =>
			issuedSecrets(value, isSecret || nameOfSecret.test(name)),
		);
	if (typeof part !== 'string') return isSecret ? [String(part)] : [];
	const found = [part, fullyDecoded(part)]
		.flatMap((text) => [...text.matchAll(secretInText)])
		.flatMap(([, value = '']) => [value, fullyDecoded(value)]);
	return [...(isSecret ? [part] : []), ...issuedSecrets(jsonIn(part)), ...found];
}
