// Copies a value as JSON can hold it, so that what JSON would silently change is refused instead of sent.

/** The largest whole number that JavaScript, and so n8n, keeps exactly. Larger ones may have lost digits already. */
export const maxExactInteger = Number.MAX_SAFE_INTEGER;

export const isExact = (value: number): boolean => Math.abs(value) <= maxExactInteger;

/** Whether JSON.stringify writes the value unchanged; its toJSON(), if it has one, has run before. */
function isJsonSafe(value: unknown): boolean {
	if (typeof value === 'number') return isExact(value);
	if (typeof value !== 'object' || value === null) {
		return value === null || typeof value === 'string' || typeof value === 'boolean';
	}
	// A Map, a Set or a regular expression would silently become {}.
	return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * @param value an object or a list from an expression
 * @returns a copy as JSON holds it, and the names whose value is undefined, which JSON leaves out; undefined when JSON cannot hold all of it: NaN, numbers beyond 2^53 - 1,
 * functions, a Map, an object that contains itself, or more levels than n8n's own JSON.stringify could send
 */
export function toJsonSafe(value: object): { value: object; omittedNames: string[] } | undefined {
	const omittedNames: string[] = [];
	let isComplete = true;
	try {
		const text = JSON.stringify(value, function (this: unknown, name, inner: unknown) {
			if (inner === undefined && !Array.isArray(this)) omittedNames.push(name);
			else isComplete &&= isJsonSafe(inner);
			return inner;
		});
		return isComplete ? { value: JSON.parse(text) as object, omittedNames } : undefined;
	} catch {
		return undefined;
	}
}
