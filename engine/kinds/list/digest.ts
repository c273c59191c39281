// Digests of JSON objects: numbers by which a million rows can be remembered and compared in little memory.
import type { JsonObject } from '../../http/json';

/** The type of a scalar, mixed into the hash before its value, so that 1 and '1' differ. */
const typeCodes = { number: 1, string: 2, true: 3, false: 4, null: 5, empty: 6 };

// Taken out of Math once. Where globals are looked up slowly, as in jest, the lookups would take most of the time.
const { imul } = Math;

/** A number, and the same 8 bytes as two words of 32 bits. */
const float = new Float64Array(1);
const floatWords = new Int32Array(float.buffer);

/** A running hash of 2 × 32 bits: multiplied word by word, and finished as MurmurHash3 does. */
class Hasher {
	a = 0;

	b = 0;

	start(a: number, b: number): void {
		this.a = a;
		this.b = b;
	}

	private addWord(word: number): void {
		this.a = imul(this.a ^ word, 0x9e3779b1);
		this.b = imul(this.b ^ word, 0x5f356495);
	}

	addText(text: string): void {
		// Most of the time is spent in this loop. With local variables it takes half as long as with addWord().
		let { a, b } = this;
		for (let at = 0; at < text.length; at++) {
			const unit = text.charCodeAt(at);
			a = imul(a ^ unit, 0x9e3779b1);
			b = imul(b ^ unit, 0x5f356495);
		}
		this.start(a, b);
		this.addWord(text.length);
	}

	addScalar(value: unknown): void {
		if (typeof value === 'string') {
			this.addWord(typeCodes.string);
			this.addText(value);
		} else if (typeof value === 'number') {
			float[0] = value;
			this.addWord(typeCodes.number);
			this.addWord(floatWords[0]!);
			this.addWord(floatWords[1]!);
		} else if (typeof value === 'boolean') {
			this.addWord(value ? typeCodes.true : typeCodes.false);
		} else {
			this.addWord(value === null ? typeCodes.null : typeCodes.empty);
		}
	}

	finish(): void {
		const { a, b } = this;
		this.a = imul(a ^ (a >>> 16), 0x85ebca6b) ^ imul(b ^ (b >>> 13), 0xc2b2ae35);
		this.b = imul(b ^ (b >>> 16), 0x85ebca6b) ^ imul(this.a ^ (this.a >>> 13), 0xc2b2ae35);
	}
}

const hasher = new Hasher();

/** @returns one whole number of 53 bits out of 2 × 32, never 0 */
const to53Bits = (a: number, b: number): number => (a >>> 0) + (b & 0x1fffff) * 2 ** 32 || 1;

/** @returns the same whole number above 0 for the same ID; the number 1 and the text '1' are two IDs */
export function digestOfId(id: number | string): number {
	hasher.start(0, 0);
	hasher.addScalar(id);
	hasher.finish();
	return to53Bits(hasher.a, hasher.b);
}

const isContainer = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null;

/**
 * The digest of what an object read from JSON holds, whatever the order of its keys. It is the sum of the hashes of
 * all its scalars, each hashed together with the keys that lead to it.
 * @param excludedKey a key of the object itself that is left out
 * @returns a whole number of 53 bits (of 20,000 lists of a million different rows, one has two with the same
 * number); 0 when the object holds nothing
 */
export function digestOf(object: JsonObject, excludedKey?: string): number {
	let sumA = 0;
	let sumB = 0;
	let isEmpty = true;
	// A stack of our own instead of recursion: JSON may be nested deeper than calls can be.
	let pending: Array<{ container: JsonObject; a: number; b: number }> | undefined;
	let next: { container: JsonObject; a: number; b: number } | undefined = {
		container: object,
		a: 0,
		b: 0,
	};
	for (; next; next = pending?.pop()) {
		const { container, a, b } = next;
		for (const key in container) {
			if (key === excludedKey && container === object) continue;
			const value = container[key];
			hasher.start(a, b);
			hasher.addText(key);
			if (isContainer(value) && Object.keys(value).length > 0) {
				pending ??= [];
				pending.push({ container: value, a: hasher.a, b: hasher.b });
				continue;
			}
			hasher.addScalar(isContainer(value) ? undefined : value);
			hasher.finish();
			sumA = (sumA + hasher.a) | 0;
			sumB = (sumB + hasher.b) | 0;
			isEmpty = false;
		}
	}
	return isEmpty ? 0 : to53Bits(sumA, sumB);
}

/** A set of digests. It is an open hash table of at most 16 bytes a digest, where a Set takes three times that. */
export class DigestSet {
	/** At most half of the slots are taken; 0 is a free one. */
	private slots = new Float64Array(1024);

	private count = 0;

	/** @returns the slot that holds the digest, or the free one where it would go */
	private slotOf(digest: number): number {
		// The number of slots is a power of 2, so the last index is also the mask that keeps indexes within it.
		const lastSlot = this.slots.length - 1;
		let slot = digest & lastSlot;
		while (this.slots[slot] !== 0 && this.slots[slot] !== digest) slot = (slot + 1) & lastSlot;
		return slot;
	}

	/** @returns always false for 0 */
	has(digest: number): boolean {
		return this.slots[this.slotOf(digest)] !== 0;
	}

	add(digest: number): void {
		const slot = this.slotOf(digest);
		if (this.slots[slot] === digest) return;
		this.slots[slot] = digest;
		this.count++;
		if (2 * this.count > this.slots.length) this.grow();
	}

	private grow(): void {
		const { slots } = this;
		this.slots = new Float64Array(2 * slots.length);
		for (const digest of slots) if (digest !== 0) this.slots[this.slotOf(digest)] = digest;
	}
}
