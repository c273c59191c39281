// Reads text and JSON from outside, which may hold anything.

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is null, an empty object or an empty list. */
export const isEmpty = (value: unknown): boolean =>
	typeof value === 'object' && (value === null || Object.keys(value).length === 0);

/**
 * Maximum nesting that is read. The API spec shows five levels. n8n and JSON.stringify walk through data recursively
 * and run out of stack at some ten thousand.
 */
export const maxDepth = 500;

// Every value of every response passes through these two functions: a loop takes two thirds of the time of some().
function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	for (const part of Object.values(value)) if (isDeeperThan(levels - 1, part)) return true;
	return false;
}

/** Whether JSON holds a matching value, at any depth of its objects and lists, which do not count themselves. */
export function holds(json: unknown, matches: (value: unknown) => boolean): boolean {
	if (typeof json !== 'object' || json === null) return matches(json);
	for (const part of Object.values(json)) if (holds(part, matches)) return true;
	return false;
}

/**
 * Whether a value from parseJson() holds a number that lost digits, or may have: integers are exact up to 2^53, and the
 * largest number is 1.8e308.
 */
export const holdsLostDigits = (json: unknown): boolean =>
	holds(json, (value) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER);

/** @returns undefined if the function throws */
export function orUndefined<Result>(give: () => Result): Result | undefined {
	try {
		return give();
	} catch {
		return undefined;
	}
}

/**
 * Parses JSON (RFC 8259).
 * @returns undefined for text that is not JSON or is nested deeper than `maxDepth`; JSON itself has no undefined
 */
export function parseJson(text: string): unknown {
	const value = orUndefined(() => JSON.parse(text) as unknown);
	return isDeeperThan(maxDepth, value) ? undefined : value;
}

/** The beginning of an object or a list. Notices hold none: their "[0]" is not a list. */
const jsonStart = /\{\s*"|\[\s*[[{\]"]/;

/**
 * Parses JSON, even an object or a list of objects with other text around it, such as a notice of PHP: from where the
 * first begins to the last bracket that can close it. Nothing inside brackets is parsed alone, since it may belong to
 * truncated JSON.
 * @returns an empty object if there is no JSON, or more than one
 */
export function parseJsonBesideText(text: string): { body?: unknown; otherText?: string } {
	const body = parseJson(text);
	if (body !== undefined) return { body };
	const start = text.search(jsonStart);
	if (start === -1) return {};
	const end = text.lastIndexOf(text[start] === '{' ? '}' : ']') + 1;
	const json = parseJson(text.slice(start, end));
	const otherText = `${text.slice(0, start).trim()} ${text.slice(end).trim()}`.trim();
	if (jsonStart.test(otherText) || ![json].flat().every(isObject)) return {};
	return { body: json, ...(otherText && { otherText }) };
}

/** Parses JSON, even with other text around it; undefined if there is none. */
export const jsonIn = (text: string): unknown => parseJsonBesideText(text).body;

/** @returns an object's own name for a described field, ignoring case; undefined if it has none, or several */
export function findKey(object: JsonObject, described: string): string | undefined {
	if (Object.hasOwn(object, described)) return described;
	const lowerCase = described.toLowerCase();
	const others = Object.keys(object).filter(
		(name) => name.length === described.length && name.toLowerCase() === lowerCase,
	);
	return others.length === 1 ? others[0] : undefined;
}

/**
 * The value of an object's field, whatever the case of its name; undefined if there is no such field or no object.
 */
export function getIgnoringCase(object: unknown, described: string): unknown {
	const name = isObject(object) ? findKey(object, described) : undefined;
	return name === undefined ? undefined : (object as JsonObject)[name];
}

/** The start of HTML, even after an XML declaration and comments (XHTML), or without its outer tags. */
const startOfPage =
	/^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->)*<(?:!doctype|html|head|body|title|h[1-6])\b/i;

/** Characters within which a page must begin. Over millions, the search would run out of stack. */
const maxStartOfPage = 10_000;

/** Whether a text is a web page. If JSON is expected, that means a wrong address or a proxy's error page. */
export const isWebPage = (text: string): boolean =>
	startOfPage.test(text.trimStart().slice(0, maxStartOfPage));

const encoder = new TextEncoder();

/**
 * Shortens a text for a message without splitting a character.
 * @param bytes maximum bytes of UTF-8 to keep; ` …` follows a shortened text, which takes four more bytes
 */
export function truncate(text: string, bytes = 500): string {
	// A character takes at most three bytes for each of its UTF-16 units.
	const buffer = new Uint8Array(Math.min(bytes, 3 * text.length));
	const { read } = encoder.encodeInto(text, buffer);
	return read < text.length ? `${text.slice(0, read)} …` : text;
}
