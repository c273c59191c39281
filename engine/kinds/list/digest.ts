// Digests of JSON values: numbers by which a million rows can be remembered and compared in little memory. node:crypto
// would take several times as long as all else that is done with a row.

// Taken out of Math once. Where globals are looked up slowly, as in jest, the lookups would take most of the time.
const { imul } = Math;

/** Sums of two digests stay below 2^53, up to which JavaScript counts exactly. */
const digestRange = 2 ** 52;

/**
 * The hash of a text by cyrb53: multiplied letter by letter, and finished as MurmurHash3 does.
 * @param seed a digest, or 0; another one gives the same text another hash
 */
function hashOf(text: string, seed: number): number {
	let a = 0xdeadbeef ^ seed;
	let b = 0x41c6ce57 ^ (seed / 2 ** 32);
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		a = imul(a ^ unit, 0x9e3779b1);
		b = imul(b ^ unit, 0x5f356495);
	}
	a = imul(a ^ (a >>> 16), 0x85ebca6b) ^ imul(b ^ (b >>> 13), 0xc2b2ae35);
	b = imul(b ^ (b >>> 16), 0x85ebca6b) ^ imul(a ^ (a >>> 13), 0xc2b2ae35);
	return (a >>> 0) + (b & 0xfffff) * 2 ** 32;
}

/**
 * The digest of a value read from JSON, whatever the order of its keys: what an object holds is added up, each value
 * hashed together with the keys that lead to it.
 * @param path the hash of these keys
 * @returns a whole number of 52 bits: of 9,000 lists of a million different rows, one has two with the same number
 */
export function digestOf(value: unknown, path = 0): number {
	if (typeof value === 'string') return hashOf(value, path);
	// The other seed keeps 1 and '1' apart.
	if (typeof value !== 'object' || value === null) return hashOf(String(value), path + 1);
	const container = value as Record<string, unknown>;
	let sum = path;
	for (const key in container) {
		sum = (sum + digestOf(container[key], hashOf(key, path))) % digestRange;
	}
	return sum;
}
