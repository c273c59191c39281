// Finds what a header cannot carry (RFC 9110 §5.5), and says in words what it is, since most of it cannot be seen.

/** Kinds of characters, the first that fits counts: what it is called, and which characters it is. */
const kinds: ReadonlyArray<readonly [words: string, pattern: RegExp]> = [
	['a line break', /[\r\n\u0085\u2028\u2029]/],
	['a tab', /\t/],
	[
		'an invisible character, such as those that come along when text is copied from a page',
		/[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/,
	],
	['an unusual space', /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/],
	['a control character', /[\u0000-\u001f\u007f-\u009f]/],
];

/** What is wrong with a text that is sent in a body, where letters of all languages may stand; else as headerProblem(). */
export function invisibleProblem(text: string): string | undefined {
	const [words] = kinds.find(([, pattern]) => pattern.test(text)) ?? [];
	return words && `contains ${words}`;
}

/** @returns what is wrong with a text that is to be sent in a header, without the text; undefined when nothing is */
export const headerProblem = (text: string): string | undefined =>
	invisibleProblem(text) ??
	(/[^\u0000-\u00ff]/.test(text)
		? 'contains a letter or sign that no header can carry, such as a long dash or a curly quotation mark'
		: undefined);
