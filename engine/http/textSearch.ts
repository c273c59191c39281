/**
 * Where a part begins in a text, by the algorithm of Knuth, Morris and Pratt: it compares at most two characters for
 * each of the part and of the text, whatever they hold. Those that indexOf() compares can be as many as both lengths
 * multiplied.
 * @param part not empty
 * @returns all places, also those that overlap
 */
export function* placesOf(part: ArrayLike<string>, text: ArrayLike<string>): Generator<number> {
	/** How many characters at the end of each beginning of the part are one too. */
	const borders = [0];
	let matched = 0;
	const match = (character: string | undefined) => {
		while (matched > 0 && character !== part[matched]) matched = borders[matched - 1]!;
		if (character === part[matched]) matched++;
		return matched;
	};
	for (let at = 1; at < part.length; at++) borders.push(match(part[at]));
	matched = 0;
	for (let at = 0; at < text.length; at++) {
		if (match(text[at]) === part.length) yield at + 1 - part.length;
	}
}
