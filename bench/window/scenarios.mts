// What is simulated.
import { maxWindow } from './engine.mts';
import type { Scenario } from './simulate.mts';

/** Milliseconds the service works on a request, and those there and back. */
const work = 100;
const way = 10;

/** Requests each worker sends. */
const requests = 5000;

const steady = 0.05;
const uneven = 0.5;
const wild = 1;

/** A worker begins when a quarter of what the one before sends could be done. */
const apart = (capacity: number) => (requests * work) / Math.min(capacity, maxWindow) / 4;

type Kind = Pick<Scenario, 'spread' | 'beyond'>;

export const scenario = (
	kind: Kind,
	capacity: number,
	workers: number,
	isTogether = true,
): Scenario => ({
	...kind,
	capacity,
	workers,
	work,
	way,
	requests,
	apart: isTogether ? 0 : apart(capacity),
});

const crews = [1, 2, 5, 10];

const shared = (kind: Kind, capacities: readonly number[]): Scenario[] =>
	capacities.flatMap((capacity) =>
		crews.flatMap((workers) => [
			scenario(kind, capacity, workers),
			...(workers > 1 ? [scenario(kind, capacity, workers, false)] : []),
		]),
	);

export const kinds = {
	waits: { beyond: 'waits', spread: steady },
	waitsUneven: { beyond: 'waits', spread: uneven },
	refuses: { beyond: 'refuses', spread: steady },
	wild: { beyond: 'waits', spread: wild },
} satisfies Record<string, Kind>;

const small = [5, 20, 100];

export const chapters: Array<{ title: string; about: string; scenarios: Scenario[] }> = [
	{
		title: 'The service lets requests wait',
		about: 'It works 100 ms on each.',
		scenarios: shared(kinds.waits, small),
	},
	{
		title: 'The same, but it works now 50 ms on a request, now 200',
		about:
			'How long it works on a request is a lognormal number, with a mean of 100 ms and a standard deviation of its logarithm of 0.5.',
		scenarios: shared(kinds.waitsUneven, small),
	},
	{
		title: 'The service refuses what is too much (429)',
		about:
			'It works 100 ms on each that it takes. A refusal comes without `Retry-After`; the request is sent again after a back-off, as the nodes do. After ten in a row that were refused for good a node would end its run; here they go on.',
		scenarios: shared(kinds.refuses, small),
	},
	{
		title: 'The service bears everything',
		about:
			'It works 100 ms on a request on average, however many there are; the standard deviation of the logarithm is 0.05, 0.5 and 1. That some take longer does not mean that it is overwhelmed.',
		scenarios: [kinds.waits, kinds.waitsUneven, kinds.wild].map((kind) =>
			scenario(kind, Infinity, 1),
		),
	},
];
