// Markdown for the generated pages, and numbers for readers.

/** A cell cannot hold a line break or an unescaped bar. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replace(/(?<!\\)\|/g, '\\|');

/** @param rows the cells of each row, as many as the head has */
export const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string => {
	const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
	return [line(head), line(head.map(() => '-')), ...rows.map(line)].join('\n');
};

export const code = (text: string): string => `\`${text}\``;

export const codeBlock = (language: string, text: string): string =>
	`\`\`\`${language}\n${text}\n\`\`\``;

/** Labels are in italics; checkPages.mts looks them up. */
export const label = (text: string): string => `_${text}_`;

/** `1000000` → "1,000,000". */
export const formatNumber = (value: number): string => value.toLocaleString('en-US');

/** `1048576` → "1 MB"; in bytes unless it is a whole number of megabytes. */
export function formatBytes(value: number): string {
	const megabytes = value / 1024 ** 2;
	return Number.isInteger(megabytes) ? `${megabytes} MB` : `${formatNumber(value)} bytes`;
}

/** `30000` → "30 s". */
export const formatDuration = (milliseconds: number): string => `${milliseconds / 1000} s`;
