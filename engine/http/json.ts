// Reads text and JSON that come from outside and may hold anything.

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Most levels of nesting that are read. The interface shows five. n8n and JSON.stringify walk through data
 * recursively, and run out of stack at some ten thousand levels.
 */
export const maxDepth = 500;

/** @returns the index after the closing quote of the string that begins at `start` */
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

/** @returns the index after the bracket that closes the one at `start`; undefined when none does, or it lies too deep */
function endOfBrackets(json: string, start: number): number | undefined {
	let depth = 0;
	for (let index = start; index < json.length; index++) {
		const char = json[index];
		if (char === '"') index = endOfString(json, index) - 1;
		else if (char === '{' || char === '[') depth++;
		else if ((char === '}' || char === ']') && --depth === 0) return index + 1;
		if (depth > maxDepth) return undefined;
	}
	return undefined;
}

/** What speaks against using a value as JSON.parse() has read it. */
interface Flaws {
	isTooDeep?: boolean;
	/** Whole numbers are exact up to 2^53, and the largest number is 1.8e308. */
	mayHaveLostDigits?: boolean;
}

function noteFlaws(value: unknown, flaws: Flaws, levelsLeft: number): void {
	if (typeof value === 'number') {
		if (Math.abs(value) > Number.MAX_SAFE_INTEGER) flaws.mayHaveLostDigits = true;
	} else if (typeof value === 'object' && value !== null) {
		if (levelsLeft === 0) flaws.isTooDeep = true;
		else if (Array.isArray(value))
			for (const entry of value) noteFlaws(entry, flaws, levelsLeft - 1);
		// Object.values() would copy each row of a list.
		else for (const name in value) noteFlaws((value as JsonObject)[name], flaws, levelsLeft - 1);
	}
}

const losesDigits = (number: string): boolean =>
	/[.e]/i.test(number) ? !isFinite(Number(number)) : !Number.isSafeInteger(Number(number));

/** @returns where the number that begins at `start` ends; a pattern would run out of stack at millions of digits */
function endOfNumber(json: string, start: number): number {
	let end = start + 1;
	while (/[\d.e+-]/i.test(json.charAt(end))) end++;
	return end;
}

/**
 * Puts quotes around the numbers that would lose digits. Numbers inside strings stay as they are.
 * @param json text that JSON.parse() reads
 */
function withDigitsKept(json: string): string {
	const stringOrNumber = /["\d-]/g;
	let result = '';
	let copiedTo = 0;
	for (let found = stringOrNumber.exec(json); found; found = stringOrNumber.exec(json)) {
		const start = found.index;
		const isString = json[start] === '"';
		const end = isString ? endOfString(json, start) : endOfNumber(json, start);
		stringOrNumber.lastIndex = end;
		if (isString || !losesDigits(json.slice(start, end))) continue;
		result += `${json.slice(copiedTo, start)}"${json.slice(start, end)}"`;
		copiedTo = end;
	}
	return result + json.slice(copiedTo);
}

/** @throws every other error: out of memory or stack, the text may be JSON all the same */
function undefinedForSyntax(error: unknown): undefined {
	if (!(error instanceof SyntaxError)) throw error;
	return undefined;
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
		const flaws: Flaws = {};
		noteFlaws(value, flaws, maxDepth);
		if (flaws.isTooDeep) return undefined;
		return flaws.mayHaveLostDigits ? (JSON.parse(withDigitsKept(text)) as unknown) : value;
	} catch (error) {
		return undefinedForSyntax(error);
	}
}

/** The most other text that JSON is read beside, in UTF-16 units. */
const maxOtherText = 64 * 1024;

/** The most places at which JSON may begin that are tried. */
const maxBeginnings = 20;

/**
 * Reads an object or a list of objects that other text stands beside, such as a notice of PHP. What lies within
 * brackets is never read alone: they may belong to JSON that broke off.
 * @returns undefined when there is none, or more than one that holds something; `otherText` is undefined when it is blank
 */
export function parseJsonBesideText(
	text: string,
): { body: unknown; otherText?: string } | undefined {
	const beginning = /\{\s*["}]|\[\s*[\]{["\d-]/g;
	const found: Array<{ body: object; start: number; end: number }> = [];
	let tries = 0;
	for (let begun = beginning.exec(text); begun; begun = beginning.exec(text)) {
		const start = begun.index;
		const end = endOfBrackets(text, start);
		if (end === undefined || ++tries > maxBeginnings) return undefined;
		const body = parseJson(text.slice(start, end));
		if (body !== undefined && [body].flat().every(isObject))
			found.push({ body: body as object, start, end });
		beginning.lastIndex = end;
	}
	const full = found.filter(({ body }) => Object.keys(body).length > 0);
	const [only, ...others] = full.length > 0 ? full : found;
	if (!only || others.length > 0) return undefined;
	const { body, start, end } = only;
	const otherText = `${text.slice(0, start).trim()} ${text.slice(end).trim()}`.trim();
	return otherText.length > maxOtherText
		? undefined
		: { body, ...(otherText !== '' && { otherText }) };
}

/** Reads JSON, also where other text stands beside it; undefined when there is none. */
export const jsonIn = (text: string): unknown => parseJson(text) ?? parseJsonBesideText(text)?.body;

/** @returns the name in the object that stands for the described one; undefined when none does, or several do */
export function nameIn(object: JsonObject, described: string): string | undefined {
	if (Object.hasOwn(object, described)) return described;
	const lowerCase = described.toLowerCase();
	const others = Object.keys(object).filter(
		(name) => name.length === described.length && name.toLowerCase() === lowerCase,
	);
	return others.length === 1 ? others[0] : undefined;
}

/** What an object holds under a name, in whichever letter case; undefined when it holds nothing, or is no object. */
export function partOf(object: unknown, described: string): unknown {
	const name = isObject(object) ? nameIn(object, described) : undefined;
	return name === undefined ? undefined : (object as JsonObject)[name];
}

/** What an object holds in 'data' and 'result', in which some services wrap each answer. */
export const wrappedIn = (body: unknown): unknown[] =>
	['data', 'result'].map((name) => partOf(body, name)).filter((part) => part !== undefined);

/** As partOf(), for a body that may be wrapped. */
export const partWithin = (body: unknown, described: string): unknown =>
	[body, ...wrappedIn(body)]
		.map((part) => partOf(part, described))
		.find((part) => part !== undefined);

/** What a wrapper holds that holds nothing else; undefined for anything but such a wrapper. */
export function loneWrappedIn(body: unknown): unknown {
	const [wrapped, ...others] = wrappedIn(body);
	return others.length === 0 && Object.keys(body ?? {}).length === 1 ? wrapped : undefined;
}

/** Whether a text is a web page. Where JSON is expected, that means a wrong address or the error page of a proxy. */
export const isWebPage = (text: string): boolean => /^\s*<(!doctype|html)/i.test(text);

const encoder = new TextEncoder();

/**
 * Shortens a text for a message, without splitting a character.
 * @param bytes most bytes of UTF-8 to keep; where text was cut off, ` …` follows, which takes four more bytes
 */
export function shortened(text: string, bytes = 500): string {
	if (text.length * 3 <= bytes) return text;
	const { read } = encoder.encodeInto(text, new Uint8Array(bytes));
	return read < text.length ? `${text.slice(0, read)} …` : text;
}
