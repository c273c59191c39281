// `npm run bench -- window`: how the congestion window behaves against models of a service, in virtual time. Writes
// docs/window.md and its chart.
import { writePage, writePicture } from '../docs.mts';
import { chart } from './chart.mts';
import { figuresOf, together } from './figures.mts';
import { page } from './page.mts';
import { chapters, kinds, scenario } from './scenarios.mts';
import { simulate, type Scenario } from './simulate.mts';

/** Of the dice; any will do. */
const seeds = [1, 2, 3, 4, 5];

const panels: Array<[title: string, scenario: Scenario]> = [
	['One process, a service that bears everything', scenario(kinds.waits, Infinity, 1)],
	['The same, with answers of very different length', scenario(kinds.wild, Infinity, 1)],
	['One process, the service works on 20 at once', scenario(kinds.waits, 20, 1)],
	['The same, but it refuses what is too much', scenario(kinds.refuses, 20, 1)],
	['Five processes, one after another; 100 at once', scenario(kinds.waits, 100, 5, false)],
	['Ten processes together; 20 at once', scenario(kinds.waits, 20, 10)],
];

const text = page(
	chapters.map(({ scenarios, ...chapter }) => ({
		...chapter,
		rows: scenarios.map((each) => ({
			scenario: each,
			figures: together(seeds.map((seed) => figuresOf(simulate(each, seed)))),
		})),
	})),
	seeds.length,
);
await writePage('window.md', text);
writePicture(
	'window.svg',
	chart(panels.map(([title, each]) => ({ title, history: simulate(each, seeds[0]!) }))),
);
console.log(text);
