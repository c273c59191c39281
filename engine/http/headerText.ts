// Finds what a header cannot carry (RFC 9110 §5.5). Most of it cannot be seen.

/** Control characters, line breaks, all spaces but the usual one, and characters without a shape. */
export const invisible = /(?! )\p{Z}|[\p{C}\p{DI}\u2800]/u;

/** The names of those that come most often, with where they come from. */
const invisibleNames: Readonly<Record<string, string>> = {
	'\ufeff': "byte order mark: in Extract from File, set 'Exclude Byte Order Mark (BOM)'",
	'\u00a0': 'no-break space',
};

/** Says that a name holds a character that nobody sees, and which, or a space at an end; undefined where it holds none. */
export function invisibleIn(name: string): string | undefined {
	const at = name.search(invisible);
	if (at === -1) return name === name.trim() ? undefined : 'begins or ends with a space';
	const code = name.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0');
	const begins = at === 0 ? 'begins with' : 'contains';
	return `${begins} an invisible character (${invisibleNames[name[at]!] ?? `U+${code}`})`;
}

/** What is wrong with a text that is sent in a body, which may hold letters of all languages; else as headerProblem(). */
export const invisibleProblem = (text: string): string | undefined =>
	invisible.test(text)
		? 'contains a line break, a tab, an unusual space or another invisible character, as often comes with text copied from a page: delete the value and type it'
		: undefined;

/** @returns what is wrong with a text that is to be sent in a header, without the text; undefined when nothing is */
export const headerProblem = (text: string): string | undefined =>
	invisibleProblem(text) ??
	(/[\u0100-\uffff]/.test(text)
		? 'contains a character that no header can carry, such as a long dash or a curly quote: type it again'
		: undefined);
