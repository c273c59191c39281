// A name that nobody knows → the known name that was meant.

/** Without what people write differently: `Station Number`, `station_number`. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/** How many letters must be changed, added or left out to make one text of another (Levenshtein). */
function distance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, at) => at);
	for (const [index, letter] of [...one].entries()) {
		const next = [index + 1];
		for (let at = 0; at < other.length; at++) {
			const changed = row[at]! + (other[at] === letter ? 0 : 1);
			next.push(Math.min(changed, row[at + 1]! + 1, next[at]! + 1));
		}
		row = next;
	}
	return row.at(-1)!;
}

/** Shorter words are part of too many names. */
const minPartLength = 3;

const maxNameLength = 60;

const isPart = (one: string, other: string): boolean =>
	one.length >= minPartLength && other.includes(one);

/** From sure to likely: written another way, a part of it or more than it, mistyped. */
const likenesses: ReadonlyArray<(given: string, known: string) => boolean> = [
	(given, known) => given === known,
	(given, known) => isPart(given, known) || isPart(known, given),
	(given, known) => distance(given, known) <= Math.floor(known.length / 4),
];

/** @returns undefined when no known name is like it, or several are */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
	if (name.length > maxNameLength) return undefined;
	const given = plainName(name);
	for (const isLike of likenesses) {
		const alike = known.filter((one) => isLike(given, plainName(one)));
		if (alike.length > 0) return alike.length === 1 ? alike[0] : undefined;
	}
	return undefined;
}
