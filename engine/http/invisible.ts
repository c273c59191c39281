// Finds characters that people do not see, and those that a header cannot carry (RFC 9110 §5.5).

/** Control characters, line breaks, spaces other than U+0020, and characters without a shape. */
export const invisible = /(?! )\p{Z}|[\p{C}\p{DI}\u2800]/u;

/** Names of the most common ones, with their origin. */
const invisibleNames: Readonly<Record<string, string>> = {
	'\ufeff': "byte order mark: in Extract from File, set 'Exclude Byte Order Mark (BOM)'",
	'\u00a0': 'no-break space',
};

/** Describes the first invisible character in a name, or a space at an end; undefined if there is none. */
export function invisibleIn(name: string): string | undefined {
	const at = name.search(invisible);
	if (at === -1) return name === name.trim() ? undefined : 'begins or ends with a space';
	const code = name.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0');
	const begins = at === 0 ? 'begins with' : 'contains';
	return `${begins} an invisible character (${invisibleNames[name[at]!] ?? `U+${code}`})`;
}

/**
 * The problem with a text that is sent in a body, where letters of all languages are allowed; otherwise as
 * headerProblem().
 */
export const invisibleProblem = (text: string): string | undefined =>
	invisible.test(text)
		? 'contains a line break, a tab, an unusual space or another invisible character, as often comes with text copied from a page: delete the value and type it'
		: undefined;

/** @returns the problem with a text that is sent in a header, without the text; undefined if there is none */
export function headerProblem(text: string): string | undefined {
	if (/[\u0100-\uffff]/.test(text) && !invisible.test(text))
		return 'contains a character that no header can carry, such as a long dash or a curly quote: type it again';
	return invisibleProblem(text);
}
