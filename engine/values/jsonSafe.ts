// What JSON carries of a value: all of it, or it is not sent.

/** The largest whole number that JavaScript, and so n8n, keeps exactly: beyond it digits may be lost already. */
export const maxExactInteger = Number.MAX_SAFE_INTEGER;

export const isExact = (value: number): boolean => Math.abs(value) <= maxExactInteger;

/** What JSON.stringify writes as it is, or as its toJSON() says, which has run before. */
function isJsonSafe(value: unknown): boolean {
	if (typeof value === 'number') return isExact(value);
	if (typeof value !== 'object' || value === null) {
		return value === null || typeof value === 'string' || typeof value === 'boolean';
	}
	// A Map, a Set or a pattern would become {} without a word.
	return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}

export interface JsonSafe {
	value: unknown;
	/** Names whose value is undefined: JSON leaves them out. */
	leftOut: string[];
}

/**
 * @param given an object or a list from an expression
 * @returns a copy as JSON carries it; undefined when it would not carry all: NaN, numbers beyond 2^53 - 1,
 * functions, a Map, what holds itself, or more levels than n8n's own JSON.stringify could send
 */
export function toJsonSafe(given: object): JsonSafe | undefined {
	const leftOut: string[] = [];
	let isWhole = true;
	try {
		const text = JSON.stringify(given, function (this: unknown, name, value: unknown) {
			if (value === undefined && !Array.isArray(this)) leftOut.push(name);
			else isWhole &&= isJsonSafe(value);
			return value;
		});
		return isWhole ? { value: JSON.parse(text) as unknown, leftOut } : undefined;
	} catch {
		return undefined;
	}
}
