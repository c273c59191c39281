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
	{
		head: 'of each process',
		cell: ({ processes }, { medianWaiting }) => (medianWaiting / processes).toFixed(1),
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
- **Where the goals are not met**: the goals are a fairness of 0.9, a throughput of 95 %, and at most 4 requests waiting of each process, in the median. One process at a service that works on 100 is done after six seconds, and its opening alone costs a tenth of them: 64 creates at most are under way until 192 succeeded. Where the service now needs 50 ms and now 200, the delay of a window of 100 has to be known to 2 % to keep 4 waiting; that takes some 600 answers of a service that is hardly asked anything, and these runs have a few dozen such answers each.
- **Refusals**: answers that were refusals, for each request that succeeded; refused for good are requests whose last try was refused.

${chapters.map(chapterText).join('\n\n')}
`;
