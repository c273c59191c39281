// Reduces the rounds of a measurement to one figure.
import type { Comparison } from '../comparisons.mts';
import { ours } from '../variants.mts';
import type { MeasuredComparison, Round } from '../measure.mts';

export const median = (values: readonly number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** Writes a number with as many digits as are significant. */
export const formatNumber = (value: number): string =>
	Number.isNaN(value)
		? '–'
		: value >= 100
			? Math.round(value).toLocaleString('en')
			: value.toPrecision(2);

export type Figure<Of = Round> = (round: Of) => number;

/** What each round of each variant took. */
interface Rounds<Of> {
	byVariant: Record<string, Of[]>;
}

/** A comparison of which only the time was measured. */
export type TimedComparison = Omit<Comparison, 'variants'> & Rounds<Pick<Round, 'milliseconds'>>;

/** The median over the rounds of one variant's figure divided by the other's in the same round. */
export function medianRatio<Of>(
	{ byVariant }: Rounds<Of>,
	one: string,
	other: string,
	figure: Figure<Of>,
): number {
	const others = byVariant[other]!;
	return median(byVariant[one]!.map((round, index) => figure(round) / figure(others[index]!)));
}

/** How many times as fast one variant is as another. */
export const timesAsFast = (measured: TimedComparison, other: string, one = ours): number =>
	medianRatio(measured, other, one, ({ milliseconds }) => milliseconds);

/** The median of a figure over the variant's rounds. */
export const medianOf = <Of,>(
	{ byVariant }: Rounds<Of>,
	variant: string,
	figure: Figure<Of>,
): number => median(byVariant[variant]!.map(figure));

/** The highest value of a figure in the variant's rounds. */
export const highestOf = (
	{ byVariant }: MeasuredComparison,
	variant: string,
	figure: Figure,
): number => Math.max(...byVariant[variant]!.map(figure));
