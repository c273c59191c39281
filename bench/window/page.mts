// Histories → docs/window.md.
import { table } from '../report/tables.mts';
import type { Figures } from './figures.mts';
import type { Scenario } from './simulate.mts';

export interface Chapter {
	title: string;
	about: string;
	rows: Array<{ scenario: Scenario; figures: Figures }>;
}

const share = (value: number): string => `${Math.round(value * 100)} %`;

const start = ({ workers, apart }: Scenario): string =>
	workers === 1 ? '–' : apart === 0 ? 'together' : 'one after another';

interface Column {
	head: string;
	cell: (scenario: Scenario, figures: Figures) => string;
	/** Whether it says something of such a service; of each, if it is not given. */
	fits?: (scenario: Scenario) => boolean;
}

const isBound = ({ capacity }: Scenario) => capacity < Infinity;
const waits = (scenario: Scenario) => isBound(scenario) && scenario.beyond === 'waits';
const refuses = ({ beyond }: Scenario) => beyond === 'refuses';

const columns: Column[] = [
	{ head: 'Works on', cell: ({ capacity }) => String(capacity), fits: isBound },
	{ head: 'Spread', cell: ({ spread }) => String(spread), fits: (each) => !isBound(each) },
	{ head: 'Processes', cell: ({ workers }) => String(workers), fits: isBound },
	{ head: 'Begin', cell: start, fits: isBound },
	{ head: 'Throughput', cell: (_, { throughput }) => share(throughput) },
	{ head: 'Most waiting', cell: (_, { mostWaiting }) => String(mostWaiting), fits: waits },
	{ head: 'Median waiting', cell: (_, { medianWaiting }) => String(medianWaiting), fits: waits },
	{ head: 'Refusals', cell: (_, { refusals }) => share(refusals), fits: refuses },
	{ head: 'Refused for good', cell: (_, { givenUp }) => String(givenUp), fits: refuses },
	{
		head: 'Fairness',
		cell: ({ workers }, { fairness }) => (workers > 1 ? fairness.toFixed(2) : '–'),
		fits: isBound,
	},
];

function chapterText({ title, about, rows }: Chapter): string {
	const fitting = columns.filter(({ fits }) => fits?.(rows[0]!.scenario) ?? true);
	const heads = fitting.map(({ head }) => head);
	const lines = rows.map(({ scenario, figures }) =>
		fitting.map(({ cell }) => cell(scenario, figures)),
	);
	return `## ${title}\n\n${about}\n\n${table(heads, lines)}`;
}

export const page = (
	chapters: readonly Chapter[],
	runs: number,
): string => `# How many requests at once

![Requests under way over time, for services of different capacity](pictures/window.svg)

Made by \`npm run bench -- window\`: the nodes' own congestion window ([\`engine/send/congestionWindow.ts\`](../engine/send/congestionWindow.ts)) in virtual time, against models of a service. Figures are medians of ${runs} runs with different dice, the most waiting is the most of all; the dice are seeded, so the same code gives the same page. The way to the service and back takes 10 ms. Each process has its own window and sends 5,000 creates; where they begin one after another, one begins when a quarter of what the one before sends could be done.

- **Throughput**: requests done in a second, of the most that the service can do, or that windows of their largest size can send. The opening counts; the last hundredth of the requests does not.
- **Waiting**: requests that are in at the service and not worked on: the most at any time, and the median over time.
- **Fairness**: Jain's index of the processes' throughput while all were sending; 1 when all have the same, 1/n when one has all.
- **Refusals**: answers that were refusals, for each request that succeeded; refused for good are requests whose last try was refused.

${chapters.map(chapterText).join('\n\n')}
`;
