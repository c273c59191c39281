// The table of figures, each held against what the documentation says of the last run; and how figures are written.
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';

import { table, code } from '../scripts/docs/markdown.mts';
import { readPages } from '../scripts/docs/pages.mts';
import { ours, type Figure, type Measure, type Work } from './measures.mts';

const n8nCore = createRequire(import.meta.url)('n8n-core/package.json') as { version: string };

export const median = (values: readonly number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** Writes a number with as many digits as are significant. */
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

/** A median, with the lowest and the highest value where there are several. */
const written = (values: readonly number[]): string =>
	values.length === 1
		? formatNumber(values[0]!)
		: `${formatNumber(median(values))} (${formatNumber(Math.min(...values))}–${formatNumber(Math.max(...values))})`;

const inParentheses = /\(.*?\)/g;

/** The medians that a part of the documentation gives for a measure; none where it does not name the measure. */
function publishedOf(measure: Measure, part: string): number[] {
	const { text } = readPages().find(({ path }) => path === 'docs/benchmarks.md')!;
	const [, rows = ''] = text.split(`<!-- ${part}: `);
	const row = rows.split('<!-- end of ')[0]!.split('\n');
	const cells = row.map((line) => line.split('|').map((text) => text.trim()));
	const [, , , figures = ''] = cells.find(([, title]) => title === titleOf(measure)) ?? [];
	const numbers = figures.replaceAll(inParentheses, '').match(/\d[\d.,]*/g) ?? [];
	return numbers.map((number) => Number(number.replaceAll(',', '')));
}

/** The share of the published figure that must be reached: noise does not explain a larger loss. */
const share = 0.8;

const hasFallen = (figure: Figure, value: number, published: number): boolean =>
	!(figure === 'speed' ? value >= share * published : value <= published / share);

/**
 * Names the figures that are more than a fifth worse than the published ones, and makes this process exit
 * with 1 if there are any. One that could not be measured is among them.
 * @param part the generated part of docs/benchmarks.md that holds the published figures
 */
export function reportFallen(measures: readonly Measure[], rounds: Rounds, part: string): void {
	for (const measure of measures) {
		for (const [service, published] of publishedOf(measure, part).entries()) {
			const value = median(valuesAt(measure, service, rounds));
			if (!hasFallen(measure.figure, value, published)) continue;
			const unit = words[measure.figure][1];
			console.error(
				`Worse: ${titleOf(measure)} (${service + 1}): ${formatNumber(value)}, published: ${formatNumber(published)} ${unit}`.trimEnd(),
			);
			process.exitCode = 1;
		}
	}
}

function line(measure: Measure, rounds: Rounds): string[] {
	const { work, figure, beside } = measure;
	const figures = work.services.map((_, service) => written(valuesAt(measure, service, rounds)));
	return [titleOf(measure), beside ?? '–', `${figures.join(' / ')} ${words[figure][1]}`.trimEnd()];
}

export const figuresTable = (
	measures: readonly Measure[],
	rounds: Rounds,
	by: { command: string; rounds: number },
): string =>
	[
		table(
			['Work', 'Compared with', 'Measured'],
			measures.map((measure) => line(measure, rounds)),
		),
		`By ${code(by.command)} on ${new Date().toISOString().slice(0, 10)} with n8n-core ${n8nCore.version}, ${rounded(by.rounds)}. The command fails when a figure is worse than this by more than a fifth. Ratios carry over to other machines; the other figures are for this one: ${machineDescription()}.`,
	].join('\n\n');
