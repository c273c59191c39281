// A history in a few numbers.
import { median } from '../report/figures.mts';
import { maxWindow } from './engine.mts';
import type { History, Moment } from './simulate.mts';
import type { Worker } from './worker.mts';

export interface Figures {
	/** Requests done in a second, as a share of the most that service and windows allow. */
	throughput: number;
	/** Most requests that waited at the service, and how many did half of the time. */
	mostWaiting: number;
	medianWaiting: number;
	/** Of the workers' throughput while all were sending, from 1 / workers to 1; NaN when they never were. */
	fairness: number;
	/** Answers that were refusals, for each request that succeeded. */
	refusals: number;
	/** Requests that were refused to the end of their tries. */
	givenUp: number;
}

/** Weighed by time. */
function medianWaiting(moments: readonly Moment[]): number {
	const lasting = moments
		.map(({ at, waiting }, index) => ({ waiting, lasts: (moments[index + 1]?.at ?? at) - at }))
		.sort((one, other) => one.waiting - other.waiting);
	let half = lasting.reduce((sum, { lasts }) => sum + lasts, 0) / 2;
	return lasting.find(({ lasts }) => (half -= lasts) <= 0)?.waiting ?? 0;
}

/** Jain's index: 1 when all have the same. */
function fairness({ crew }: History): number {
	const from = Math.max(...crew.map(({ began }) => began));
	const to = Math.min(...crew.map(({ ended }) => ended));
	const shares = crew.map(({ done }) => done.filter((at) => at >= from && at < to).length);
	const sum = shares.reduce((all, share) => all + share, 0);
	return sum ** 2 / (crew.length * shares.reduce((all, share) => all + share ** 2, 0));
}

/** Milliseconds until all but the last hundredth were done: a few that take very long say nothing of the window. */
function almostAllDone(crew: readonly Worker[]): { count: number; at: number } {
	const times = crew.flatMap(({ done }) => done).sort((one, other) => one - other);
	const count = Math.ceil(times.length * 0.99);
	return { count, at: times[count - 1]! };
}

export function figuresOf(history: History): Figures {
	const { crew, moments, capacity, work, way } = history;
	const sum = (count: (worker: Worker) => number) =>
		crew.reduce((all, worker) => all + count(worker), 0);
	const possible = Math.min(capacity / work, (maxWindow * crew.length) / (work + way));
	const { count, at } = almostAllDone(crew);
	return {
		throughput: count / at / possible,
		mostWaiting: moments.reduce((most, { waiting }) => Math.max(most, waiting), 0),
		medianWaiting: medianWaiting(moments),
		fairness: fairness(history),
		refusals: sum(({ refusals }) => refusals) / sum(({ done }) => done.length),
		givenUp: sum(({ givenUp }) => givenUp),
	};
}

/** Several histories in one: of each figure the median, of the most the most. */
export function together(all: readonly Figures[]): Figures {
	const middle = (figure: keyof Figures) => median(all.map((figures) => figures[figure]));
	return {
		throughput: middle('throughput'),
		mostWaiting: Math.max(...all.map(({ mostWaiting }) => mostWaiting)),
		medianWaiting: middle('medianWaiting'),
		fairness: middle('fairness'),
		refusals: middle('refusals'),
		givenUp: middle('givenUp'),
	};
}
