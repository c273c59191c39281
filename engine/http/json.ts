// Text and JSON from outside: read without trust.

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined for text that is not JSON (JSON itself has no undefined) */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Where JSON is due, the sign of a wrong address or a proxy's error page. */
export const isWebPage = (text: string): boolean => /^\s*<(!doctype|html)/i.test(text);

const longest = 500;

/** For messages: enough to see what is meant. */
export const shortened = (text: string): string =>
	text.length > longest ? `${text.slice(0, longest)} …` : text;
