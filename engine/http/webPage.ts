// Reads what a person sees of HTML: a firewall's page, or the warnings of a program.

const htmlNames: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** HTML character references: numbers, and the names that every program escapes. */
export const htmlDecoded = (text: string): string =>
	text.replace(/&(#x[\da-f]+|#\d+|amp|lt|gt|quot|apos);/gi, (_, name: string) => {
		const code = Math.min(Number(`0${name.slice(1)}`), 0x10ffff);
		return htmlNames[name.toLowerCase()] ?? String.fromCodePoint(code);
	});

/** Maximum characters of HTML to read. */
const maxHtml = 20_000;

/** Tags within a line; others end it. */
const withinLine = /<\/?(?:a|abbr|b|code|em|font|i|small|span|strong|tt|u)\b[^<>]*>/gi;

/** The lines of HTML that a person sees; a page's title is the first. Secrets in them must still be removed. */
export const linesOf = (html: string): string[] =>
	html
		.slice(0, maxHtml)
		.replace(/<(script|style)\b[^]*?<\/\1\s*>|\s+/gi, ' ')
		.replace(withinLine, '')
		.split(/<[^<>]*>/)
		.map((line) => htmlDecoded(line).trim())
		.filter(Boolean);

/** A line with the number by which a page's owner finds the request, such as "Your support ID is: 73812". */
const hasReference = /^(?=.*\d)(?=.*\b(?:ID|Ref(?:erence)?)\b).{1,200}$/i;

/** A page's first line and its references. Secrets in them must still be removed. */
export function pageInWords(page: string): string {
	const lines = linesOf(page).filter((line, at) => at === 0 || hasReference.test(line));
	return ['a web page', lines.slice(0, 4).join('; ')].filter(Boolean).join(': ');
}
