// Text and JSON from outside: read without trust.

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Levels of nesting that are read. The interface shows five; n8n and JSON.stringify walk through data
 * recursively, and at some ten thousand levels run out of stack.
 */
export const maxDepth = 500;

/** @returns where the string that begins at `start` ends, its closing quote included */
function endOfString(json: string, start: number): number {
	let end = start;
	for (;;) {
		end = json.indexOf('"', end + 1);
		if (end === -1) return json.length;
		let firstEscape = end;
		while (json[firstEscape - 1] === '\\') firstEscape--;
		if ((end - firstEscape) % 2 === 0) return end + 1;
	}
}

function isTooDeep(json: string): boolean {
	if (json.length <= 2 * maxDepth) return false;
	let depth = 0;
	for (let at = 0; at < json.length; at++) {
		const char = json[at];
		if (char === '"') at = endOfString(json, at) - 1;
		else if (char === '{' || char === '[') depth++;
		else if (char === '}' || char === ']') depth--;
		if (depth > maxDepth) return true;
	}
	return false;
}

/** Whether there may be a number that JavaScript cannot hold: 2^53 has 16 digits, 1.8e308 is the largest. */
const mayLoseDigits = (json: string): boolean => /\d{16}|\de\+?\d{3}/i.test(json);

const losesDigits = (number: string): boolean =>
	/^-?\d+$/.test(number) ? !Number.isSafeInteger(Number(number)) : !isFinite(Number(number));

/** Puts quotes around numbers that would lose digits. Strings are left out, whatever is in them. */
function withDigitsKept(json: string): string {
	const stringOrNumber = /"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
	let kept = '';
	let copied = 0;
	for (let found = stringOrNumber.exec(json); found; found = stringOrNumber.exec(json)) {
		const [token] = found;
		if (token === '"') stringOrNumber.lastIndex = endOfString(json, found.index);
		else if (losesDigits(token)) {
			kept += `${json.slice(copied, found.index)}"${token}"`;
			copied = stringOrNumber.lastIndex;
		}
	}
	return kept + json.slice(copied);
}

/** @throws every other error: out of memory or stack, the text may be JSON all the same */
function undefinedForSyntax(error: unknown): undefined {
	if (!(error instanceof SyntaxError)) throw error;
	return undefined;
}

/**
 * Whole numbers beyond 2^53, such as long IDs, become text with all their digits; so do numbers beyond
 * 1.8e308. All else is as JSON says (RFC 8259).
 * @returns undefined for text that is not JSON (JSON itself has no undefined), or too deep to walk through
 * @throws RangeError when there is not enough memory to read it
 */
export function parseJson(text: string): unknown {
	if (isTooDeep(text)) return undefined;
	try {
		const value = JSON.parse(text) as unknown;
		return mayLoseDigits(text) ? (JSON.parse(withDigitsKept(text)) as unknown) : value;
	} catch (error) {
		return undefinedForSyntax(error);
	}
}

/** Where JSON is due, the sign of a wrong address or a proxy's error page. */
export const isWebPage = (text: string): boolean => /^\s*<(!doctype|html)/i.test(text);

const encoder = new TextEncoder();

/** How much of a text fits into so many bytes of UTF-8, in UTF-16 units; half of a character never does. */
export const lengthFitting = (text: string, bytes: number): number =>
	text.length * 3 <= bytes ? text.length : encoder.encodeInto(text, new Uint8Array(bytes)).read;

/**
 * For messages: enough to see what is meant.
 * @param bytes of UTF-8; what was cut off is told by a sign of four more
 */
export function shortened(text: string, bytes = 500): string {
	const length = lengthFitting(text, bytes);
	return length < text.length ? `${text.slice(0, length)} …` : text;
}
