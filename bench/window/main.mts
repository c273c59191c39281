// `npm run bench -- window` simulates in virtual time how the congestion window behaves with different services. It writes
// docs/window.md and its chart.
import { writePage, writePicture } from '../writeDocs.mts';
import { windowChart } from './windowChart.mts';
import { summarize, combineSummaries } from './summary.mts';
import { windowPage } from './windowPage.mts';
import { chapters, overloads, scenarioOf } from './scenarios.mts';
import { simulate, type Scenario } from './simulate.mts';

/** The seeds of the random numbers; any others would do as well. */
const seeds = [1, 2, 3, 4, 5];

const panels: Array<[title: string, scenario: Scenario]> = [
	['One process, a service that bears everything', scenarioOf(overloads.waits, Infinity, 1)],
	['The same, with answers of very different length', scenarioOf(overloads.wild, Infinity, 1)],
	['One process, the service works on 20 at once', scenarioOf(overloads.waits, 20, 1)],
	['The same, but it refuses what is too much', scenarioOf(overloads.refuses, 20, 1)],
	['Five processes, one after another; 100 at once', scenarioOf(overloads.waits, 100, 5, false)],
	['Ten processes together; 20 at once', scenarioOf(overloads.waits, 20, 10)],
];

const text = windowPage(
	chapters.map(({ scenarios, ...chapter }) => ({
		...chapter,
		rows: scenarios.map((each) => ({
			scenario: each,
			summary: combineSummaries(seeds.map((seed) => summarize(simulate(each, seed)))),
		})),
	})),
	seeds.length,
);
await writePage('window.md', text);
writePicture(
	'window.svg',
	windowChart(panels.map(([title, each]) => ({ title, history: simulate(each, seeds[0]!) }))),
);
console.log(text);
