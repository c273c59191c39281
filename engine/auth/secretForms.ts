// The forms in which a program writes a secret that it was sent: encoded once, or inside JSON, or in JSON inside JSON.

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

const jsonEscape = (unit: string): string =>
	`\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text inside JSON (RFC 8259 §7), as JavaScript, PHP and .NET write it. */
const jsonEncoders = [
	json,
	(text: string) =>
		json(text)
			.replaceAll('/', '\\/')
			.replace(/[^\0-\x7f]/g, jsonEscape),
	(text: string) =>
		json(text)
			.replaceAll('\\"', '"')
			.replace(/["&'+<>`\x7f-\uffff]/g, (unit) => jsonEscape(unit).toUpperCase().replace('U', 'u')),
];

/** The text itself, inside JSON, and inside JSON that is inside JSON. */
const inJson = (text: string): string[] =>
	jsonEncoders.flatMap((encode) => [text, encode(text), encode(encode(text))]);

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

/** HTML by names, with the usual ways to write an apostrophe, and by numbers. */
function htmlForms(secret: string): string[] {
	const named = secret.replace(/[&<>"]/g, (sign) => `&${htmlNames[sign]};`);
	const decimal = (sign: string) => `&#${sign.codePointAt(0)};`;
	return [
		...["'", '&#039;', '&#39;', '&#x27;', '&apos;'].map((sign) => named.replaceAll("'", sign)),
		...[/[&<>"']/g, /[&<>"'\u{80}-\u{10ffff}]/gu, /[^A-Za-z\d]/gu].map((signs) =>
			secret.replace(signs, decimal),
		),
		secret.replace(/[^A-Za-z\d]/gu, (sign) => `&#x${sign.codePointAt(0)!.toString(16)};`),
	];
}

/** Base64 and Base64url (RFC 4648 §4, §5) of a secret alone; the padding may be missing. */
const base64Alone = (secret: string): string[] =>
	[Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('base64url')].map(
		(digits) => digits.replaceAll('=', ''),
	);

/** The digits of it that depend on the secret alone, in each of the three places in which it begins among other bytes. */
const base64Within = (secret: string): string[] =>
	[0, 1, 2].flatMap((bytesBefore) => {
		const padded = ' '.repeat(bytesBefore) + secret;
		const [from, to] = [bytesBefore, Buffer.byteLength(padded)].map((bytes) => (bytes * 4) / 3);
		return base64Alone(padded).map((digits) => digits.slice(Math.ceil(from!), Math.floor(to!)));
	});

/** Minimum length of secrets that are found inside words. A shorter one could be part of an ordinary word. */
const minLengthInWords = 6;

export interface SecretForm {
	text: string;
	/** Whether it is found only where it stands alone. */
	isShort: boolean;
}

/** @returns each form once */
export function formsOf(secret: string): SecretForm[] {
	const isShort = secret.length < minLengthInWords;
	const encoded = [secret, ...percentForms(secret), ...htmlForms(secret), ...base64Alone(secret)];
	if (!isShort) encoded.push(...base64Within(secret));
	return [...new Set(encoded.flatMap(inJson))].map((text) => ({ text, isShort }));
}
