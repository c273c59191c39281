// JSON objects as numbers, so that a million of them can be remembered and compared.
import type { JsonObject } from '../../http/json';

/** What a scalar is, mixed in before what it says: 1 is not '1'. */
const kindCodes = { number: 1, string: 2, true: 3, false: 4, null: 5, empty: 6 };

// Taken once: where globals are looked up slowly, as in jest, most of the time would go there.
const { imul } = Math;

const real = new Float64Array(1);
const halves = new Int32Array(real.buffer);

/** A running hash of 2 × 32 bits: multiplied word by word, and finished as MurmurHash3 does. */
class Mixer {
	a = 0;

	b = 0;

	start(a: number, b: number): void {
		this.a = a;
		this.b = b;
	}

	private word(word: number): void {
		this.a = imul(this.a ^ word, 0x9e3779b1);
		this.b = imul(this.b ^ word, 0x5f356495);
	}

	text(text: string): void {
		// Not word by word: most of the time goes here, and local variables take half of it.
		let { a, b } = this;
		for (let at = 0; at < text.length; at++) {
			const unit = text.charCodeAt(at);
			a = imul(a ^ unit, 0x9e3779b1);
			b = imul(b ^ unit, 0x5f356495);
		}
		this.start(a, b);
		this.word(text.length);
	}

	scalar(value: unknown): void {
		if (typeof value === 'string') {
			this.word(kindCodes.string);
			this.text(value);
		} else if (typeof value === 'number') {
			real[0] = value;
			this.word(kindCodes.number);
			this.word(halves[0]!);
			this.word(halves[1]!);
		} else if (typeof value === 'boolean') {
			this.word(value ? kindCodes.true : kindCodes.false);
		} else {
			this.word(value === null ? kindCodes.null : kindCodes.empty);
		}
	}

	finish(): void {
		const { a, b } = this;
		this.a = imul(a ^ (a >>> 16), 0x85ebca6b) ^ imul(b ^ (b >>> 13), 0xc2b2ae35);
		this.b = imul(b ^ (b >>> 16), 0x85ebca6b) ^ imul(this.a ^ (this.a >>> 13), 0xc2b2ae35);
	}
}

const mixer = new Mixer();

/** 53 bits of 2 × 32, never 0. */
const joined = (a: number, b: number): number => (a >>> 0) + (b & 0x1fffff) * 2 ** 32 || 1;

/** @returns the same whole number above 0 for the same ID; 1 and '1' are two */
export function digestOfId(id: number | string): number {
	mixer.start(0, 0);
	mixer.scalar(id);
	mixer.finish();
	return joined(mixer.a, mixer.b);
}

const isContainer = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null;

/**
 * What an object read from JSON holds, as one number, whatever the order of its keys: the sum of the numbers
 * of its scalars, each mixed with the keys that lead to it.
 * @param without a key of the object itself that is left out
 * @returns a whole number of 53 bits (of 20,000 lists of a million different rows, one has two with the same
 * number); 0 when the object holds nothing
 */
export function digestOf(object: JsonObject, without?: string): number {
	let sumA = 0;
	let sumB = 0;
	let isEmpty = true;
	// A list of what is left to do, not a call inside a call: JSON may be nested deeper than calls can be.
	let open: Array<{ container: JsonObject; a: number; b: number }> | undefined;
	let next: { container: JsonObject; a: number; b: number } | undefined = {
		container: object,
		a: 0,
		b: 0,
	};
	for (; next; next = open?.pop()) {
		const { container, a, b } = next;
		for (const key in container) {
			if (key === without && container === object) continue;
			const value = container[key];
			mixer.start(a, b);
			mixer.text(key);
			if (isContainer(value) && Object.keys(value).length > 0) {
				open ??= [];
				open.push({ container: value, a: mixer.a, b: mixer.b });
				continue;
			}
			mixer.scalar(isContainer(value) ? undefined : value);
			mixer.finish();
			sumA = (sumA + mixer.a) | 0;
			sumB = (sumB + mixer.b) | 0;
			isEmpty = false;
		}
	}
	return isEmpty ? 0 : joined(sumA, sumB);
}

/** Digests that were seen: an open hash table of 16 bytes a digest or less, where a Set takes three times that. */
export class DigestSet {
	/** At most half full; 0 is a free place. */
	private slots = new Float64Array(1024);

	private count = 0;

	/** Where a digest is, or would be. */
	private slotOf(digest: number): number {
		const last = this.slots.length - 1;
		let place = digest & last;
		while (this.slots[place] !== 0 && this.slots[place] !== digest) place = (place + 1) & last;
		return place;
	}

	/** @returns false for 0, which is never seen */
	has(digest: number): boolean {
		return this.slots[this.slotOf(digest)] !== 0;
	}

	add(digest: number): void {
		const place = this.slotOf(digest);
		if (this.slots[place] === digest) return;
		this.slots[place] = digest;
		this.count++;
		if (2 * this.count > this.slots.length) this.grow();
	}

	private grow(): void {
		const { slots } = this;
		this.slots = new Float64Array(2 * slots.length);
		for (const digest of slots) if (digest !== 0) this.slots[this.slotOf(digest)] = digest;
	}
}
