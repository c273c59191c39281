// The encodings in which services repeat what they were sent, other than plain text.

/**
 * JSON as PHP's json_encode() writes it: with `\/`, and ASCII only.
 * @param json any JSON text; slashes and characters beyond ASCII can only stand in its strings
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

/** How a value is encoded. With `php` and `phpTwice`, asPhpJson() encodes the whole response once more. */
export const encodings = {
	php: (value: string) => value,
	phpTwice: (value: string) => asPhpJson(JSON.stringify(value)),
	percent: encodeURIComponent,
	base64: (value: string) => Buffer.from(value).toString('base64'),
	html: (value: string) => value.replace(/[&<>"']/g, (character) => htmlEntities[character]!),
} satisfies Record<string, (value: string) => string>;

export type Encoding = keyof typeof encodings;
