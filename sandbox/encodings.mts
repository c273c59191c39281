// The ways in which services write what they were sent, beside its plain text.

/**
 * JSON as PHP's json_encode() writes it: with `\/`, and ASCII only.
 * @param json any JSON text; a slash, or what is not ASCII, stands in its strings only
 */
export const asPhpJson = (json: string): string =>
	json
		.replaceAll('/', '\\/')
		.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const htmlEntities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#039;',
};

/** How a value is written into a text; `php` and `phpTwice` for a text that asPhpJson() writes once more. */
export const encodings = {
	php: (value: string) => value,
	phpTwice: (value: string) => asPhpJson(JSON.stringify(value)),
	percent: encodeURIComponent,
	base64: (value: string) => Buffer.from(value).toString('base64'),
	html: (value: string) => value.replace(/[&<>"']/g, (sign) => htmlEntities[sign]!),
} satisfies Record<string, (value: string) => string>;

export type Encoding = keyof typeof encodings;
