// Summarizes a simulation in a few figures.
import { median } from '../report/statistics.mts';
import { maxWindow } from './builtEngine.mts';
import type { SimulationHistory, LoadSample } from './simulate.mts';
import type { SimulatedProcess } from './simulatedProcess.mts';

export interface SimulationSummary {
	/** Requests per second that succeeded, as a share of the most that the service and the windows allow. */
	throughput: number;
	/** Most requests that waited at the service, and how many did half of the clock. */
	mostWaiting: number;
	medianWaiting: number;
	/** The fairness of the processes' throughput while all sent, from 1 / processes to 1; NaN if never all sent at once. */
	fairness: number;
	/** How many answers were refusals, for each request that succeeded. */
	refusals: number;
	/** How many requests were refused at their last try. */
	givenUp: number;
}

/** Weighed by clock. */
function medianWaiting(samples: readonly LoadSample[]): number {
	const lasting = samples
		.map(({ at, waiting }, index) => ({ waiting, lasts: (samples[index + 1]?.at ?? at) - at }))
		.sort((one, other) => one.waiting - other.waiting);
	let half = lasting.reduce((sum, { lasts }) => sum + lasts, 0) / 2;
	return lasting.find(({ lasts }) => (half -= lasts) <= 0)?.waiting ?? 0;
}

/** Jain's fairness index: 1 when all processes have the same throughput. */
function fairness({ senders }: SimulationHistory): number {
	const from = Math.max(...senders.map(({ began }) => began));
	const to = Math.min(...senders.map(({ ended }) => ended));
	const shares = senders.map(({ done }) => done.filter((at) => at >= from && at < to).length);
	const sum = shares.reduce((all, share) => all + share, 0);
	return sum ** 2 / (senders.length * shares.reduce((all, share) => all + share ** 2, 0));
}

/** When 99 % of the requests had succeeded. The slowest hundredth is left out, since it says nothing of the window. */
function almostAllDone(senders: readonly SimulatedProcess[]): { count: number; at: number } {
	const times = senders.flatMap(({ done }) => done).sort((one, other) => one - other);
	const count = Math.ceil(times.length * 0.99);
	return { count, at: times[count - 1]! };
}

export function summarize(history: SimulationHistory): SimulationSummary {
	const { senders, samples, capacity, serviceTime, roundTrip } = history;
	const sum = (count: (sender: SimulatedProcess) => number) =>
		senders.reduce((all, sender) => all + count(sender), 0);
	const possible = Math.min(
		capacity / serviceTime,
		(maxWindow * senders.length) / (serviceTime + roundTrip),
	);
	const { count, at } = almostAllDone(senders);
	return {
		throughput: count / at / possible,
		mostWaiting: samples.reduce((most, { waiting }) => Math.max(most, waiting), 0),
		medianWaiting: medianWaiting(samples),
		fairness: fairness(history),
		refusals: sum(({ refusals }) => refusals) / sum(({ done }) => done.length),
		givenUp: sum(({ givenUp }) => givenUp),
	};
}

/** Combines the summaries of several runs: the median of each figure, and the maximum of those that are maxima. */
export function combineSummaries(all: readonly SimulationSummary[]): SimulationSummary {
	const middle = (figure: keyof SimulationSummary) => median(all.map((summary) => summary[figure]));
	return {
		throughput: middle('throughput'),
		mostWaiting: Math.max(...all.map(({ mostWaiting }) => mostWaiting)),
		medianWaiting: middle('medianWaiting'),
		fairness: middle('fairness'),
		refusals: middle('refusals'),
		givenUp: middle('givenUp'),
	};
}
