// The table of figures, each compared with the documentation's figure from the last run; and the formatting of figures.
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';

import { table, code } from '../scripts/docs/markdown.mts';
import { readPages } from '../scripts/docs/pages.mts';
import { ours, type Figure, type Measure, type Work } from './measures.mts';

const n8nCore = createRequire(import.meta.url)('n8n-core/package.json') as { version: string };

export const median = (values: readonly number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** Writes a number with its significant digits only. */
export const formatNumber = (value: number): string =>
	Number.isNaN(value)
		? '–'
		: value >= 100
			? Math.round(value).toLocaleString('en')
			: value.toPrecision(2);

export const rounded = (rounds: number): string =>
	rounds === 1 ? 'one round' : `medians of ${rounds} rounds`;

export function machineDescription(): string {
	const { length, 0: cpu } = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${length} × ${cpu!.model.trim()}, ${memory} GiB, Node.js ${process.versions.node}, ${process.platform}`;
}

/** The figures of one variant in one round. */
export interface Round {
	milliseconds: number;
	/** Processor time in milliseconds, user and system. */
	cpu: number;
	/** Peak memory beyond what the process had before. */
	megabytes: number;
	/** The longest time the event loop was blocked, in milliseconds. */
	stall: number;
	/** The highest number of connections that were open at once. */
	connections: number;
}

/** The rounds of a variant at one of the services of a work. */
export class Rounds {
	private readonly rounds = new Map<string, Round[]>();

	of(work: Work, service: number, variant: string): Round[] {
		const key = `${work.name} ${service} ${variant}`;
		const known = this.rounds.get(key) ?? [];
		this.rounds.set(key, known);
		return known;
	}
}

const words: Record<Figure, [name: string, unit: string]> = {
	speed: ['speed', '×'],
	cpu: ['processor time', '×'],
	connections: ['most connections', ''],
	megabytes: ['peak memory over idle', 'MB'],
	stall: ['longest stall of the event loop', 'ms'],
};

/** One value for each round: a ratio within the round, or the figure itself. */
function valuesAt(
	{ work, figure, variant = ours, beside }: Measure,
	service: number,
	rounds: Rounds,
) {
	const own = rounds.of(work, service, variant);
	if (figure !== 'speed' && figure !== 'cpu') return own.map((round) => round[figure]);
	const other = rounds.of(work, service, beside!);
	return own.map((round, at) =>
		figure === 'speed' ? other[at]!.milliseconds / round.milliseconds : round.cpu / other[at]!.cpu,
	);
}

const titleOf = ({ work, figure, variant = ours }: Measure): string =>
	`${work.title}: ${words[figure][0]}${variant === ours ? '' : ` of ${variant}`}`;

/** A median, with the lowest and the highest value if there are several. */
const written = (values: readonly number[]): string =>
	values.length === 1
		? formatNumber(values[0]!)
		: `${formatNumber(median(values))} (${formatNumber(Math.min(...values))}–${formatNumber(Math.max(...values))})`;

/**
 * The best figures ever published for a measure, and when; later, worse figures do not replace them.
 * @param part the generated part of docs/benchmarks.md that holds them
 * @returns no figures if the docs do not name the measure
 */
function bestOf({ work, figure, variant, beside = '–' }: Measure, part: string) {
	const { text } = readPages().find(({ path }) => path === 'docs/benchmarks.md')!;
	const [, rows = ''] = text.split(`<!-- ${part}: `);
	const row = rows.split('<!-- end of ')[0]!.split('\n');
	const cells = row.map((line) => line.split('|').map((text) => text.trim()));
	const title = titleOf({ work, figure, variant });
	const known = cells.find((cell) => cell[1] === title && cell[2] === beside);
	const [, , , , figures = '', date = ''] = known ?? [];
	const numbers = figures.match(/\d[\d.,]*/g) ?? [];
	return { figures: numbers.map((number) => Number(number.replaceAll(',', ''))), date };
}

/**
 * The share of the best figure that must be reached. Ratios within a round are steadier than figures that depend on the
 * machine's state.
 */
const shareOf = ({ beside }: Measure): number => (beside ? 0.9 : 0.8);

/** How many times as good as the best figure a value is. */
const gain = (figure: Figure, value: number, best: number): number =>
	figure === 'speed' ? value / best : best / value;

/**
 * Names the figures that are worse than the best ever published: ratios by more than a tenth, others by more than a
 * fifth. Makes this process exit with 1 if there are any. A figure that could not be measured counts as one.
 * @param part the generated part of docs/benchmarks.md that holds the published figures
 */
export function reportFallen(measures: readonly Measure[], rounds: Rounds, part: string): void {
	for (const measure of measures) {
		const { figures, date } = bestOf(measure, part);
		for (const [service, best] of figures.entries()) {
			const value = median(valuesAt(measure, service, rounds));
			if (gain(measure.figure, value, best) >= shareOf(measure)) continue;
			const unit = words[measure.figure][1];
			console.error(
				`Worse: ${titleOf(measure)} (${service + 1}): ${formatNumber(value)}, best: ${formatNumber(best)} ${unit} on ${date}`,
			);
			process.exitCode = 1;
		}
	}
}

const today = (): string => new Date().toISOString().slice(0, 10);

function line(measure: Measure, rounds: Rounds, part: string): string[] {
	const { work, figure, beside } = measure;
	const known = bestOf(measure, part);
	const values = work.services.map((_, service) => valuesAt(measure, service, rounds));
	const medians = values.map(median);
	const best = medians.map((value, at) => {
		const before = known.figures[at] ?? value;
		return gain(figure, value, before) > 1 ? value : before;
	});
	const isBetter = best.some(
		(value, at) => formatNumber(value) !== formatNumber(known.figures[at] ?? NaN),
	);
	const withUnit = (figures: string[]) => `${figures.join(' / ')} ${words[figure][1]}`.trimEnd();
	return [
		titleOf(measure),
		beside ?? '–',
		withUnit(values.map(written)),
		withUnit(best.map(formatNumber)),
		isBetter ? today() : known.date,
	];
}

/** @param part the generated part of docs/benchmarks.md that the table becomes */
export const figuresTable = (
	measures: readonly Measure[],
	rounds: Rounds,
	part: string,
	by: { command: string; rounds: number },
): string =>
	[
		table(
			['Work', 'Compared with', 'Measured', 'Best published', 'On'],
			measures.map((measure) => line(measure, rounds, part)),
		),
		`By ${code(by.command)} on ${today()} with n8n-core ${n8nCore.version}, ${rounded(by.rounds)}. On this machine: ${machineDescription()}.`,
	].join('\n\n');
