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

/** `1048576` → "1 MB"; in bytes unless it is a whole number of MB or KB. */
export function formatBytes(value: number): string {
	const megabytes = value / 1024 ** 2;
	if (Number.isInteger(megabytes)) return `${megabytes} MB`;
	const kilobytes = value / 1024;
	return Number.isInteger(kilobytes) ? `${kilobytes} KB` : `${formatNumber(value)} bytes`;
}

/** Milliseconds in seconds, or in hours from one hour on: `30000` → "30 s". */
export function formatDuration(value: number): string {
	const seconds = value / 1000;
	return seconds >= 3600 ? `${seconds / 3600} h` : `${seconds} s`;
}
