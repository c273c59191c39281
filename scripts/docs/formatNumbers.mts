// Numbers of the code as a reader reads them.

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
