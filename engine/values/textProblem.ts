// Finds texts that certainly no person intended: what programs write for a missing value, or damaged text.

/** The characters 0x80 to 0xFF of the code pages in which UTF-8 is read by mistake; Windows-1252 comes first. */
const codePages = [
	'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ\xa0¡¢£¤¥¦§¨©ª«¬\xad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ',
	// MacRoman and MS-DOS.
	'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\xa0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ',
	'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
];

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Characters that people type: Latin, Greek and Cyrillic letters, punctuation, signs, emoji; and the mark at a file's start. */
const typed =
	/^(?:[\xa0-\u017fƠơƯưȘ-ț\u0370-\u045fҐґ\u1e00-\u214f\u2190-\u22ff\u2600-\u27bf\ufeff\u{1f000}-\u{1faff}]|\ufe0f)+$/u;

/** The characters that a program read in a code page, although they are UTF-8; '' if they are not. */
function readAsUtf8(run: string, codePage: string): string {
	const bytes = Uint8Array.from(run, (one) => codePage.indexOf(one) + 0x80);
	// Decoding is slow, and the first byte of a character is above 0xC1, the second below 0xC0.
	const text = bytes[0]! > 0xc1 && bytes[1]! < 0xc0 ? utf8.decode(bytes) : '';
	return typed.test(text) ? text : '';
}

/**
 * Whether a text is UTF-8 that was read in a wrong code page. In another one than Windows-1252, one letter alone may be
 * chance, and so may Greek and Cyrillic ones, which begin with a dash there.
 */
function isMisread(text: string): boolean {
	// A quotation mark after a word in capitals, as in “KESÄ”, is one.
	const unquoted = text.replace(/(?<=\p{Lu}{2})[”’»]+(?=[sS]?(?:\P{L}|$))/gu, '');
	const runs = unquoted.match(/[^\0-\x7f]{2,}/g) ?? [];
	return codePages.some((codePage, at) => {
		const meant = runs.map((run) => {
			const bare = run.replace(/^[“‘«]|[”’»]$/g, '');
			return readAsUtf8(run, codePage) || readAsUtf8(bare, codePage);
		});
		return (at === 0 ? /./ : /[‘’“”]|[^\u0370-\u045f]{2}/).test(meant.join(''));
	});
}

/** What certain texts must be instead; ######## is a cell that is too narrow. */
const wrongTexts: ReadonlyArray<readonly [Pick<RegExp, 'test'>, string]> = [
	[/[\v\f]/, 'must have line breaks instead of vertical tabs or page breaks, as reports have'],
	[/\0/, 'must have no NUL: save the file as UTF-8, not UTF-16, and do not pad its fields'],
	[/\x85/, 'must have no NEL: it is a line break of a mainframe, or … in a sheet without UTF-8'],
	[/(?![\t\n\r\x80-\x9f])\p{Cc}/u, 'must have no control character: take it out of the row'],
	[
		{ test: (text) => /[\x80-\x9f]|\ufffd|â€|ï¿½/.test(text) || isMisread(text) },
		"must have undamaged letters: save the sheet as UTF-8 (Excel: 'CSV UTF-8'), and read it as such",
	],
	[
		/^(?:#(?:[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|#+|N\/[ABD]|NV|I\/T|GETTING_DATA)|Loading(?:\.{3}|…))$/u,
		"must not be a spreadsheet's error, or a cell that is too narrow or still loading",
	],
	[/^="[^"]*"$/, 'must be the text alone, without =" and "'],
	[/^-?\d(?:[.,]\d+)?E\+\d+$/i, 'must have all its digits: format its column as text'],
	[/^(?:(?:\{\{|\$\{)[^{}]+\}+\s*)+$/, 'must be a value: an expression was not filled in'],
	[
		/\[object \w+\]|Invalid DateTime|^[^\p{L}\p{N}]*(?:(?:Invalid [Dd]ate|null|NULL|undefined|NaN)(?:[^\p{L}\p{N}]+|T|$))+$/u,
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
	const [wrong] = path.split(/(?<!#[NI]|#DIV)\//).flatMap((part) => textProblem(part) ?? []);
	if (wrong ?? !/^\d+$|\/$|\/\//.test(path)) return wrong;
	const expression = example.replace(/\d+/, '{{ $json.ID }}');
	return `must be a path such as ${example} or ${expression}, without an empty part`;
}
