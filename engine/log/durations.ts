// Numbers and times as the log and hints say them.

export const counted = (count: number): string => count.toLocaleString('en-US');

/** 1200, "item" → "1,200 items" */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
	`${counted(count)} ${count === 1 ? singular : plural}`;

/** 800 → "0.8 s", 64000 → "64 s", 600000 → "10 min" */
export function duration(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
	return seconds < 300 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
