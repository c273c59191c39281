// Finds texts that are certainly not what a person meant: what programs write where a value is missing, or was damaged.

/**
 * Each kind of such texts, with ^ and $ where only a whole text is one; and what it must be instead. A letter of two
 * or three bytes in UTF-8 that was read as Windows-1252 begins with Â, Ã or â€; ######## is a cell that is too narrow.
 */
const wrongTexts: ReadonlyArray<readonly [RegExp, string]> = [
	[/\v/, 'must have line breaks instead of vertical tabs, which FileMaker and Excel may give'],
	[/\f/, 'must have no form feed: it is the page break of a report, so take it out'],
	[/\0/, 'must have no NUL: save the file as UTF-8, not UTF-16, and do not pad its fields'],
	[/\x85/, 'must have no NEL: it is a line break of a mainframe, or … in a sheet without UTF-8'],
	[/(?![\t\n\r\x80-\x9f])\p{Cc}/u, 'must have no control character: take it out of the row'],
	[
		/[\x80-\x9f]|\ufffd|â€|[ÂÃ][¡-ª¬-º¼-¿]/,
		"must have its letters: save the sheet as UTF-8 (Excel: 'CSV UTF-8'), and read it as such",
	],
	[
		/^#(?:N\/A|GETTING_DATA|[A-Z][A-Z\d_/]*[!?]|#+)$/,
		'must not be an error from Excel, or a cell that is too narrow',
	],
	[/^-?\d(?:[.,]\d+)?E\+\d+$/i, 'must have all its digits: format its column as text'],
	[
		/\[object \w+\]|Invalid DateTime|^(?:Invalid Date|null|NULL|undefined|NaN)$/,
		'must be a value: an expression gave nothing, no valid date, or an object with a blank, a line break or text beside its {{ }}',
	],
];

/** @returns what a text must be instead; undefined for any that may be meant */
export function textProblem(text: string): string | undefined {
	const whole = text.trim();
	return wrongTexts.find(([pattern]) => pattern.test(whole) || pattern.test(text))?.[1];
}

/**
 * The same of a path, each part of which may come from an expression. Some of Excel's errors hold a slash.
 * @param example of such a path: an ID alone is none
 */
export function pathProblem(path: string, example: string): string | undefined {
	const [wrong] = path.split(/(?<!#N|#DIV)\//).flatMap((part) => textProblem(part) ?? []);
	if (wrong ?? !/^\d+$|\/$|\/\//.test(path)) return wrong;
	const expression = example.replace(/\d+/, '{{ $json.ID }}');
	return `must be a path such as ${example} or ${expression}, without an empty part`;
}
