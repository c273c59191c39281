// The table of goals, each beside the figures that were measured.
import { table } from '../../scripts/docs/markdown.mts';
import { formatNumber } from './statistics.mts';
import type { Goal } from './goals.mts';

const reaches: Record<Goal['is'], (figure: number, goal: number) => boolean> = {
	'at least': (figure, goal) => figure >= goal,
	'at most': (figure, goal) => figure <= goal,
	under: (figure, goal) => figure < goal,
};

/** Several figures in one cell, such as `2.1 / 0.87 ×`. */
const cell = (figures: readonly string[], unit: Goal['unit']): string =>
	`${figures.join(' / ')} ${unit}`.trimEnd();

function line({ work, beside, is, goal, unit, figures }: Goal): string[] {
	const goals = typeof goal === 'number' ? [goal] : goal;
	const isAny = goals.some((each) => each !== undefined);
	const wanted = cell(
		goals.map((each) => each?.toLocaleString('en') ?? '–'),
		unit,
	);
	const reached = figures.map((figure, index) => {
		const own = typeof goal === 'number' ? goal : goal[index];
		const isShort = own !== undefined && !reaches[is](figure, own);
		return isShort ? `**${formatNumber(figure)}**` : formatNumber(figure);
	});
	return [work, beside, isAny ? `${is} ${wanted}` : '–', cell(reached, unit)];
}

/** A table in Markdown; figures that miss their goal are bold. */
export const goalTable = (goals: readonly Goal[]): string =>
	table(['Work', 'Beside', 'Goal', 'Measured'], goals.map(line));
