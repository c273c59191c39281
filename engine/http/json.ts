// JSON from outside: read without trust.

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
