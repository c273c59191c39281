// The table of goals, each beside the figures that were measured; and how figures are written.
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';

import { table, code } from '../scripts/docs/markdown.mts';
import { ours, type Figure, type Goal, type Work } from './goals.mts';

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

/** What one variant took in one round. */
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

/** A ratio is the median over the rounds, within each; all else is the highest of all rounds. */
function measured({ work, figure, variant = ours, beside }: Goal, rounds: Rounds): number[] {
	return work.services.map((_, service) => {
		const own = rounds.of(work, service, variant);
		if (figure !== 'speed' && figure !== 'cpu') {
			return Math.max(...own.map((round) => round[figure]));
		}
		const other = rounds.of(work, service, beside!);
		return median(
			own.map((round, at) =>
				figure === 'speed'
					? other[at]!.milliseconds / round.milliseconds
					: round.cpu / other[at]!.cpu,
			),
		);
	});
}

const cell = (figures: readonly string[], unit: string): string =>
	`${figures.join(' / ')} ${unit}`.trimEnd();

const titleOf = ({ work, figure, variant = ours }: Goal): string =>
	`${work.title}: ${words[figure][0]}${variant === ours ? '' : ` of ${variant}`}`;

const bound = ({ figure }: Goal): string => (figure === 'speed' ? 'at least' : 'at most');

/** A figure that could not be measured reaches no goal. */
const isReached = (figure: Figure, value: number, limit: number | undefined): boolean =>
	limit === undefined || (figure === 'speed' ? value >= limit : value <= limit);

/** Names the goals that are missed, and makes this process exit with 1 if there are any. */
export function reportMissedGoals(goals: readonly Goal[], rounds: Rounds): void {
	for (const goal of goals) {
		for (const [at, value] of measured(goal, rounds).entries()) {
			if (isReached(goal.figure, value, goal.goals[at])) continue;
			const limit = `${bound(goal)} ${goal.goals[at]}`;
			const unit = words[goal.figure][1];
			console.error(
				`Missed: ${titleOf(goal)} (${at + 1}): ${formatNumber(value)}, ${limit} ${unit}`.trimEnd(),
			);
			process.exitCode = 1;
		}
	}
}

function line(goal: Goal, rounds: Rounds): string[] {
	const { figure, beside, goals } = goal;
	const unit = words[figure][1];
	const shown = measured(goal, rounds).map((value, at) =>
		isReached(figure, value, goals[at]) ? formatNumber(value) : `**${formatNumber(value)}**`,
	);
	const limits = goals.map((limit) => limit?.toLocaleString('en') ?? '–');
	return [titleOf(goal), beside ?? '–', `${bound(goal)} ${cell(limits, unit)}`, cell(shown, unit)];
}

/** Figures that miss their goal are bold. */
export const goalTable = (
	goals: readonly Goal[],
	rounds: Rounds,
	by: { command: string; rounds: number },
): string =>
	[
		table(
			['Work', 'Compared with', 'Goal', 'Measured'],
			goals.map((goal) => line(goal, rounds)),
		),
		`By ${code(by.command)} on ${new Date().toISOString().slice(0, 10)} with n8n-core ${n8nCore.version}, ${rounded(by.rounds)}; figures in bold miss their goal. Ratios carry over to other machines; the other figures are for this one: ${machineDescription()}.`,
	].join('\n\n');
