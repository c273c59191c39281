// The scenarios that are simulated.
import { maxWindow } from './builtEngine.mts';
import type { Scenario } from './simulate.mts';

/** The milliseconds the service works on a request, and those on the network. */
const serviceTime = 100;
const roundTrip = 10;

/** How many requests each process sends. */
const requests = 5000;

const steady = 0.05;
const uneven = 0.5;
const wild = 1;

/** A process starts when a quarter of the requests of the one before could be done. */
const startInterval = (capacity: number) =>
	(requests * serviceTime) / Math.min(capacity, maxWindow) / 4;

type ServiceBehavior = Pick<Scenario, 'spread' | 'whenFull'>;

export const scenarioOf = (
	behavior: ServiceBehavior,
	capacity: number,
	processes: number,
	isTogether = true,
): Scenario => ({
	...behavior,
	capacity,
	processes,
	serviceTime,
	roundTrip,
	requests,
	startInterval: isTogether ? 0 : startInterval(capacity),
	maxClockError: 0,
});

const processCounts = [1, 2, 5, 10];

const sharedService = (behavior: ServiceBehavior, capacities: readonly number[]): Scenario[] =>
	capacities.flatMap((capacity) =>
		processCounts.flatMap((processes) => [
			scenarioOf(behavior, capacity, processes),
			...(processes > 1 ? [scenarioOf(behavior, capacity, processes, false)] : []),
		]),
	);

export const overloads = {
	waits: { whenFull: 'waits', spread: steady },
	waitsUneven: { whenFull: 'waits', spread: uneven },
	refuses: { whenFull: 'refuses', spread: steady },
	wild: { whenFull: 'waits', spread: wild },
} satisfies Record<string, ServiceBehavior>;

const small = [5, 20, 100];

export const chapters: Array<{ title: string; about: string; scenarios: Scenario[] }> = [
	{
		title: 'The service lets requests wait',
		about: 'It works 100 ms on each.',
		scenarios: sharedService(overloads.waits, small),
	},
	{
		title: 'The same, but it works now 50 ms on a request, now 200',
		about:
			'How long it works on a request is a lognormal number, with a mean of 100 ms and a standard deviation of its logarithm of 0.5.',
		scenarios: sharedService(overloads.waitsUneven, small),
	},
	{
		title: 'The same, but the clocks of the processes are wrong by up to 5 s',
		about:
			'The processes slow down at the same moments of the wall clock. On machines whose clocks are not set by a time server they do not quite.',
		scenarios: sharedService(overloads.waits, [20])
			.filter(({ processes }) => processes > 1)
			.map((scenario) => ({ ...scenario, maxClockError: 5000 })),
	},
	{
		title: 'The service refuses what is too much (429)',
		about:
			'It works 100 ms on each that it takes. A refusal comes without `Retry-After`; the request is sent again after a back-off, as the nodes do. After ten in a row that were refused for good a node would end its run; here they go on.',
		scenarios: sharedService(overloads.refuses, small),
	},
	{
		title: 'The service bears everything',
		about:
			'It works 100 ms on a request on average, however many there are; the standard deviation of the logarithm is 0.05, 0.5 and 1. That some take longer does not mean that it is overwhelmed.',
		scenarios: [overloads.waits, overloads.waitsUneven, overloads.wild].map((behavior) =>
			scenarioOf(behavior, Infinity, 1),
		),
	},
];
