// Reads text and JSON that come from outside and may hold anything.

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is null, an empty object or an empty list. */
export const isEmpty = (value: unknown): boolean =>
	typeof value === 'object' && (value === null || Object.keys(value).length === 0);

/**
 * Most levels of nesting that are read. The API spec shows five. n8n and JSON.stringify walk through data
 * recursively, and run out of stack at some ten thousand levels.
 */
export const maxDepth = 500;

// Each value of each response passes through these two: a loop takes two thirds of the time that some() would.
function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	for (const part of Object.values(value)) if (isDeeperThan(levels - 1, part)) return true;
	return false;
}

/** Whether there is such a value in JSON, in its objects and lists at any depth. An object or a list is none itself. */
export function holds(json: unknown, isSuch: (value: unknown) => boolean): boolean {
	if (typeof json !== 'object' || json === null) return isSuch(json);
	for (const part of Object.values(json)) if (holds(part, isSuch)) return true;
	return false;
}

/**
 * Whether a value that parseJson() read has a number that lost digits, or may have: whole numbers are exact up to 2^53,
 * and the largest number is 1.8e308.
 */
export const holdsLostDigits = (json: unknown): boolean =>
	holds(json, (value) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER);

/** @returns undefined when the function throws */
export function orUndefined<Result>(give: () => Result): Result | undefined {
	try {
		return give();
	} catch {
		return undefined;
	}
}

/**
 * Reads JSON (RFC 8259).
 * @returns undefined for text that is not JSON or is nested deeper than `maxDepth`; JSON has no undefined itself
 */
export function parseJson(text: string): unknown {
	const value = orUndefined(() => JSON.parse(text) as unknown);
	return isDeeperThan(maxDepth, value) ? undefined : value;
}

/** The beginning of an object or a list, such as no notice has: "[0]" in one is no list. */
const jsonStart = /\{\s*"|\[\s*[[{\]"]/;

/**
 * Reads JSON, also an object or a list of objects with other text around it, such as a notice of PHP: from where the
 * first begins to the last bracket that can close it. Nothing inside brackets is read alone, since it may belong to
 * JSON that broke off.
 * @returns an empty object when there is no JSON, or more than one
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

/** Reads JSON, also with other text around it; undefined when there is none. */
export const jsonIn = (text: string): unknown => parseJsonBesideText(text).body;

/** @returns the name in the object that stands for the described one; undefined when none does, or several do */
export function findKey(object: JsonObject, described: string): string | undefined {
	if (Object.hasOwn(object, described)) return described;
	const lowerCase = described.toLowerCase();
	const others = Object.keys(object).filter(
		(name) => name.length === described.length && name.toLowerCase() === lowerCase,
	);
	return others.length === 1 ? others[0] : undefined;
}

/** What an object holds under a name, in whichever letter case; undefined when it holds nothing, or is no object. */
export function getIgnoringCase(object: unknown, described: string): unknown {
	const name = isObject(object) ? findKey(object, described) : undefined;
	return name === undefined ? undefined : (object as JsonObject)[name];
}

/** HTML, also after an XML declaration and comments (XHTML), or without its outer tags. */
const startOfPage =
	/^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->)*<(?:!doctype|html|head|body|title|h[1-6])\b/i;

/** The most characters in which a page has to begin. Over millions, the search would run out of stack. */
const maxStartOfPage = 10_000;

/** Whether a text is a web page. Where JSON is expected, that means a wrong address or the error page of a proxy. */
export const isWebPage = (text: string): boolean =>
	startOfPage.test(text.trimStart().slice(0, maxStartOfPage));

const encoder = new TextEncoder();

/**
 * Shortens a text for a message, without splitting a character.
 * @param bytes most bytes of UTF-8 to keep; where text was cut off, ` …` follows, which takes four more bytes
 */
export function truncate(text: string, bytes = 500): string {
	const { read } = encoder.encodeInto(text, new Uint8Array(bytes));
	return read < text.length ? `${text.slice(0, read)} …` : text;
}
