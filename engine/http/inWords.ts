// Numbers and times as messages, hints and the log say them.

export const counted = (count: number): string => count.toLocaleString('en-US');

/** 1200, "item" → "1,200 items" */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
	`${counted(count)} ${count === 1 ? singular : plural}`;

/** Units of time in milliseconds, each used up to so many of it. */
const units = [
	{ unit: 'second', milliseconds: 1000, upTo: 90 },
	{ unit: 'minute', milliseconds: 60_000, upTo: 90 },
	{ unit: 'hour', milliseconds: 3_600_000, upTo: 48 },
];

/** 800 → "0.8 seconds", 64000 → "64 seconds", 600000 → "10 minutes" */
export function duration(milliseconds: number): string {
	const fitting = units.find((one) => milliseconds <= one.upTo * one.milliseconds);
	const { unit, milliseconds: ofUnit } = fitting ?? { unit: 'day', milliseconds: 86_400_000 };
	const digits = milliseconds < 10_000 ? 10 : 1;
	return countOf(Math.round((digits * milliseconds) / ofUnit) / digits, unit);
}
