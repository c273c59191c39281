// Finds texts that certainly no person intended: what programs write for a missing value, or damaged text.

/**
 * Patterns of such texts, each with what the text must be instead. A character with two or three bytes in UTF-8 that
 * was decoded as Windows-1252 starts with Â, Ã or â€; ######## is a cell that is too narrow.
 */
const wrongTexts: ReadonlyArray<readonly [RegExp, string]> = [
	[/\v/, 'must have line breaks instead of vertical tabs, which FileMaker and Excel may give'],
	[/\f/, 'must have no form feed: it is the page break of a report, so take it out'],
	[/\0/, 'must have no NUL: save the file as UTF-8, not UTF-16, and do not pad its fields'],
	[/\x85/, 'must have no NEL: it is a line break of a mainframe, or … in a sheet without UTF-8'],
	[/(?![\t\n\r\x80-\x9f])\p{Cc}/u, 'must have no control character: take it out of the row'],
	[
		/[\x80-\x9f]|\ufffd|â€|[ÂÃ][¡-ª¬-º¼-¿]/,
		"must have undamaged letters: save the sheet as UTF-8 (Excel: 'CSV UTF-8'), and read it as such",
	],
	[
		/^#(?:N\/A|GETTING_DATA|[A-Z][A-Z\d_/]*[!?]|#+)$/,
		'must not be an error from Excel, or a cell that is too narrow',
	],
	[/^-?\d(?:[.,]\d+)?E\+\d+$/i, 'must have all its digits: format its column as text'],
	[
		/\[object \w+\]|Invalid DateTime|^(?:Invalid Date|null|NULL|undefined|NaN)$/,
		'must be a value: an expression gave nothing, an invalid date, or an object that became text because of a space, a line break or text beside its {{ }}',
	],
];

/** @returns what the text must be instead; undefined if it may be intended */
export function textProblem(text: string): string | undefined {
	const whole = text.trim();
	return wrongTexts.find(([pattern]) => pattern.test(whole) || pattern.test(text))?.[1];
}

/**
 * The same for a path, each part of which may come from an expression. Some of Excel's errors contain a slash.
 * @param example such a path; an ID alone is not a path
 */
export function pathProblem(path: string, example: string): string | undefined {
	const [wrong] = path.split(/(?<!#N|#DIV)\//).flatMap((part) => textProblem(part) ?? []);
	if (wrong ?? !/^\d+$|\/$|\/\//.test(path)) return wrong;
	const expression = example.replace(/\d+/, '{{ $json.ID }}');
	return `must be a path such as ${example} or ${expression}, without an empty part`;
}
