// Markdown, as far as the pages that are made need it, and numbers as a reader reads them.

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

/** Labels stand in italics, and words.mts looks them up. */
export const label = (text: string): string => `_${text}_`;

/** The anchor that GitHub gives a heading, before it numbers equal ones. */
export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
		.replaceAll(' ', '-');

/** `1000000` → "1,000,000". */
export const formatNumber = (value: number): string => value.toLocaleString('en-US');

/** `1048576` → "1 MB"; what is no whole number of MB or KB is given in bytes. */
export function formatBytes(value: number): string {
	const megabytes = value / 1024 ** 2;
	if (Number.isInteger(megabytes)) return `${megabytes} MB`;
	const kilobytes = value / 1024;
	return Number.isInteger(kilobytes) ? `${kilobytes} KB` : `${formatNumber(value)} bytes`;
}

/** Milliseconds as seconds, or as hours from one hour on: `30000` → "30 s". */
export function formatDuration(value: number): string {
	const seconds = value / 1000;
	return seconds >= 3600 ? `${seconds / 3600} h` : `${seconds} s`;
}
