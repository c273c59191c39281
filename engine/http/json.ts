// Reads text and JSON that come from outside and may hold anything.

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Most levels of nesting that are read. The API spec shows five. n8n and JSON.stringify walk through data
 * recursively, and run out of stack at some ten thousand levels.
 */
export const maxDepth = 500;

/**
 * Whether a value that JSON.parse() read may have lost digits: whole numbers are exact up to 2^53, and the largest
 * number is 1.8e308.
 * @throws SyntaxError when it is nested too deeply
 */
function mayHaveLostDigits(value: unknown, levelsLeft = maxDepth): boolean {
	if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
	if (typeof value !== 'object' || value === null) return false;
	if (levelsLeft === 0) throw new SyntaxError('Nested too deeply');
	let hasLost = false;
	for (const part of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
		if (mayHaveLostDigits(part, levelsLeft - 1)) hasLost = true;
	}
	return hasLost;
}

const losesDigits = (number: string): boolean =>
	/[.e]/i.test(number) ? !isFinite(Number(number)) : !Number.isSafeInteger(Number(number));

/**
 * Puts quotes around the numbers that would lose digits. Numbers inside strings stay as they are.
 * @param json text that JSON.parse() reads
 */
function withDigitsKept(json: string): string {
	let isInString = false;
	// One escaped character, a quote, or a number: a pattern of whole strings would run out of stack on a long one.
	return json.replace(/\\.|"|-?\d[\d.e+-]*/gi, (token) => {
		if (token === '"') isInString = !isInString;
		return isInString || !/\d$/.test(token) || !losesDigits(token) ? token : `"${token}"`;
	});
}

/**
 * n8n's lint allows no error to be thrown again where it is caught.
 * @throws every other error: out of memory or stack, the text may be JSON all the same
 */
function undefinedForSyntax(error: unknown): undefined {
	if (!(error instanceof SyntaxError)) throw error;
}

/**
 * Reads JSON (RFC 8259) without losing digits: whole numbers beyond 2^53, such as long IDs, and numbers beyond
 * 1.8e308 become text with all their digits.
 * @returns undefined for text that is not JSON or is nested deeper than `maxDepth`; JSON has no undefined itself
 * @throws RangeError when there is not enough memory to read it
 */
export function parseJson(text: string): unknown {
	try {
		const value = JSON.parse(text) as unknown;
		return mayHaveLostDigits(value) ? (JSON.parse(withDigitsKept(text)) as unknown) : value;
	} catch (error) {
		return undefinedForSyntax(error);
	}
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

/** What an object holds in 'data' and 'result', in which some services wrap each response. */
export const wrappedIn = (body: unknown): unknown[] =>
	['data', 'result']
		.map((name) => getIgnoringCase(body, name))
		.filter((part) => part !== undefined);

/** As getIgnoringCase(), for a body that may be wrapped. */
export const partWithin = (body: unknown, described: string): unknown =>
	[body, ...wrappedIn(body)]
		.map((part) => getIgnoringCase(part, described))
		.find((part) => part !== undefined);

/** The value of a wrapper's only field; undefined for anything else. */
export const unwrapOnly = (body: unknown): unknown =>
	Object.keys(body ?? {}).length === 1 ? wrappedIn(body)[0] : undefined;

/** Whether a text is a web page. Where JSON is expected, that means a wrong address or the error page of a proxy. */
export const isWebPage = (text: string): boolean => /^\s*<(!doctype|html)/i.test(text);

const encoder = new TextEncoder();

/**
 * Shortens a text for a message, without splitting a character.
 * @param bytes most bytes of UTF-8 to keep; where text was cut off, ` …` follows, which takes four more bytes
 */
export function truncate(text: string, bytes = 500): string {
	if (text.length * 3 <= bytes) return text;
	const { read } = encoder.encodeInto(text, new Uint8Array(bytes));
	return read < text.length ? `${text.slice(0, read)} …` : text;
}
