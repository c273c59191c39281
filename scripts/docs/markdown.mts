// Markdown, as far as the pages that are made need it.

/** A cell can hold no line break, and no bar that is not escaped. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replace(/(?<!\\)\|/g, '\\|');

/** @param rows cells of each, as many as the head has */
export const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string => {
	const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
	return [line(head), line(head.map(() => '-')), ...rows.map(line)].join('\n');
};

export const code = (text: string): string => `\`${text}\``;

export const codeBlock = (language: string, text: string): string =>
	`\`\`\`${language}\n${text}\n\`\`\``;

/** Labels stand in italics, and check/labels.mts looks them up. */
export const label = (text: string): string => `_${text}_`;

/** The anchor that GitHub gives a heading, before it numbers equal ones. */
export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
		.replaceAll(' ', '-');
