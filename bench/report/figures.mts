// From rounds to one figure.
import type { Comparison } from '../comparisons.mts';
import { ours } from '../names.mts';
import type { Measured, Round } from '../measure.mts';

export const median = (values: readonly number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** A number as long as it has a meaning. */
export const shown = (value: number): string =>
	Number.isNaN(value)
		? '–'
		: value >= 100
			? Math.round(value).toLocaleString('en')
			: value.toPrecision(2);

export type Figure<Of = Round> = (round: Of) => number;

/** By way, what each round took. */
interface Rounds<Of> {
	byWay: Record<string, Of[]>;
}

/** A comparison of which nothing but the time was taken. */
export type Timed = Omit<Comparison, 'ways'> & Rounds<Pick<Round, 'milliseconds'>>;

/** Median over the rounds of what one way took, divided by what the other took in the same round. */
export function ratio<Of>(
	{ byWay }: Rounds<Of>,
	one: string,
	other: string,
	figure: Figure<Of>,
): number {
	const others = byWay[other]!;
	return median(byWay[one]!.map((round, index) => figure(round) / figure(others[index]!)));
}

/** How many times as fast as another way. */
export const speed = (measured: Timed, other: string, one = ours): number =>
	ratio(measured, other, one, ({ milliseconds }) => milliseconds);

/** Of the way's rounds. */
export const typical = <Of,>({ byWay }: Rounds<Of>, way: string, figure: Figure<Of>): number =>
	median(byWay[way]!.map(figure));

/** Of the way's rounds, the highest. */
export const worst = ({ byWay }: Measured, way: string, figure: Figure): number =>
	Math.max(...byWay[way]!.map(figure));
