// The forms in which a program writes a secret that it was sent: encoded once, or inside JSON, or in JSON inside JSON.
// docs/security.md names them.

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
export const minLengthInWords = 6;

/** @returns each form once */
export function formsOf(secret: string): string[] {
	const within = secret.length < minLengthInWords ? [] : base64Within(secret);
	const encodings = [percentForms, htmlForms, base64Forms].flatMap((encode) => encode(secret));
	return [...new Set([...new Set([secret, ...encodings, ...within])].flatMap(inJson))];
}
