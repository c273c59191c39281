// Writes docs/window.md from simulations.
import { table } from '../../scripts/docs/markdown.mts';
import type { SimulationSummary } from './summary.mts';
import type { Scenario } from './simulate.mts';

export interface Chapter {
	title: string;
	about: string;
	rows: Array<{ scenario: Scenario; summary: SimulationSummary }>;
}

const share = (value: number): string => `${Math.round(value * 100)} %`;

const start = ({ processes, startInterval }: Scenario): string =>
	processes === 1 ? '–' : startInterval === 0 ? 'together' : 'one after another';

interface Column {
	head: string;
	cell: (scenario: Scenario, summary: SimulationSummary) => string;
	/** Whether the column applies to such a scenario; without this it applies to all. */
	appliesTo?: (scenario: Scenario) => boolean;
}

const hasLimit = ({ capacity }: Scenario) => capacity < Infinity;
const queuesRequests = (scenario: Scenario) => hasLimit(scenario) && scenario.whenFull === 'waits';
const refusesRequests = ({ whenFull }: Scenario) => whenFull === 'refuses';

const columns: Column[] = [
	{ head: 'Works on', cell: ({ capacity }) => String(capacity), appliesTo: hasLimit },
	{ head: 'Spread', cell: ({ spread }) => String(spread), appliesTo: (each) => !hasLimit(each) },
	{ head: 'Processes', cell: ({ processes }) => String(processes), appliesTo: hasLimit },
	{ head: 'Begin', cell: start, appliesTo: hasLimit },
	{ head: 'Throughput', cell: (_, { throughput }) => share(throughput) },
	{
		head: 'Most waiting',
		cell: (_, { mostWaiting }) => String(mostWaiting),
		appliesTo: queuesRequests,
	},
	{
		head: 'Median waiting',
		cell: (_, { medianWaiting }) => String(medianWaiting),
		appliesTo: queuesRequests,
	},
	{ head: 'Refusals', cell: (_, { refusals }) => share(refusals), appliesTo: refusesRequests },
	{
		head: 'Refused for good',
		cell: (_, { givenUp }) => String(givenUp),
		appliesTo: refusesRequests,
	},
	{
		head: 'Fairness',
		cell: ({ processes }, { fairness }) => (processes > 1 ? fairness.toFixed(2) : '–'),
		appliesTo: hasLimit,
	},
];

function chapterText({ title, about, rows }: Chapter): string {
	const shownColumns = columns.filter(({ appliesTo }) => appliesTo?.(rows[0]!.scenario) ?? true);
	const heads = shownColumns.map(({ head }) => head);
	const lines = rows.map(({ scenario, summary }) =>
		shownColumns.map(({ cell }) => cell(scenario, summary)),
	);
	return `## ${title}\n\n${about}\n\n${table(heads, lines)}`;
}

export const windowPage = (
	chapters: readonly Chapter[],
	runs: number,
): string => `# How many requests at once

![Requests under way over time, for services of different capacity](pictures/window.svg)

Made by \`npm run bench -- window\`: the nodes' own congestion window ([\`engine/send/congestionWindow.ts\`](../engine/send/congestionWindow.ts)) in virtual time, against models of a service. Figures are medians of ${runs} runs with different random numbers, the most waiting is the most of all; the random numbers are seeded, so the same code gives the same page. The way to the service and back takes 10 ms. Each process has its own window and sends 5,000 creates; where they begin one after another, one begins when a quarter of what the one before sends could be done.

- **Throughput**: requests done in a second, of the most that the service can do, or that windows of their largest size can send. The opening counts; the last hundredth of the requests does not.
- **Waiting**: requests that are in at the service and not worked on: the most at any time, and the median over time.
- **Fairness**: Jain's index of the processes' throughput while all were sending; 1 when all have the same, 1/n when one has all.
- **Refusals**: answers that were refusals, for each request that succeeded; refused for good are requests whose last try was refused.

${chapters.map(chapterText).join('\n\n')}
`;
