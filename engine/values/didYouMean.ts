// Finds the known name that a person probably meant by an unknown one.

/** The name without case, blanks and punctuation, so that `Station Number` and `station_number` are equal. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/** How many letters must be changed, added or left out to turn one text into the other (Levenshtein). */
function distance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, at) => at);
	for (const [index, letter] of [...one].entries()) {
		const next = [index + 1];
		for (let at = 0; at < other.length; at++) {
			const replaced = row[at]! + (other[at] === letter ? 0 : 1);
			next.push(Math.min(replaced, row[at + 1]! + 1, next[at]! + 1));
		}
		row = next;
	}
	return row.at(-1)!;
}

/** Shorter words are part of too many names to point at one. */
const minPartLength = 3;

/** Longer names are not compared, since the comparison takes time by the product of both lengths. */
const maxNameLength = 60;

const isPart = (one: string, other: string): boolean =>
	one.length >= minPartLength && other.includes(one);

/** From certain to likely: written differently, a part of the name or more than it, mistyped. */
const likenesses: ReadonlyArray<(name: string, knownName: string) => boolean> = [
	(name, knownName) => name === knownName,
	(name, knownName) => isPart(name, knownName) || isPart(knownName, name),
	(name, knownName) => {
		const mostTypos = Math.floor(knownName.length / 4);
		return (
			Math.abs(name.length - knownName.length) <= mostTypos &&
			distance(name, knownName) <= mostTypos
		);
	},
];

/** Shorter names differ from too many others by one letter. */
const minTypedLength = 6;

const digitsOf = (name: string): string => name.replace(/\D/g, '');

/** "address2" is no misspelt "address1". */
const isMistyped = (name: string, knownName: string): boolean =>
	knownName.length >= minTypedLength &&
	digitsOf(name) === digitsOf(knownName) &&
	distance(name, knownName) <= Math.floor(knownName.length / 6);

/**
 * The known name that an unknown one certainly means: written differently, or mistyped in a letter.
 * @returns undefined when there is none, or more than one
 */
export function nearMissOf(name: string, knownNames: readonly string[]): string | undefined {
	if (name.length > maxNameLength) return undefined;
	const plain = plainName(name);
	for (const isLike of [likenesses[0]!, isMistyped]) {
		const similar = knownNames.filter((knownName) => isLike(plain, plainName(knownName)));
		if (similar.length > 0) return similar.length === 1 ? similar[0] : undefined;
	}
	return undefined;
}

/** @returns undefined when no known name is similar, or when several are equally similar */
export function didYouMean(name: string, knownNames: readonly string[]): string | undefined {
	if (name.length > maxNameLength) return undefined;
	const plain = plainName(name);
	for (const isLike of likenesses) {
		const similar = knownNames.filter((knownName) => isLike(plain, plainName(knownName)));
		if (similar.length > 0) return similar.length === 1 ? similar[0] : undefined;
	}
	return undefined;
}
