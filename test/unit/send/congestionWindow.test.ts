// The law of the congestion window, in simulations with other random numbers each time, and what a simulation of many
// requests does not show.
import {
	CongestionWindow,
	type Shown,
	type SentRequest,
} from '../../../engine/send/congestionWindow';
import { around, simulate, type Figures, type Scenario } from './simulateRequests';

/** Other random numbers each time; a test that fails says which. */
const newSeed = () => Math.floor(Math.random() * 2 ** 31);

/**
 * The same for five seeds, and of each figure the one in the middle: one run in some ten is an outlier. Where three are as
 * they must be, so are the figures in the middle, and the other two are not run.
 * @param seed of the first
 * @param isFine whether the figures of a run are as they must be
 */
function simulateSeveral(
	scenario: Scenario,
	seed: number,
	isFine: (figures: Figures) => boolean,
): Figures {
	const runs = [0, 1, 2].map((n) => simulate(scenario, seed + n));
	if (!runs.every(isFine)) runs.push(...[3, 4].map((n) => simulate(scenario, seed + n)));
	const median = (figure: keyof Figures) =>
		runs.map((run) => run[figure]).sort((one, other) => one - other)[(runs.length - 1) / 2]!;
	const figures = Object.keys(runs[0]!) as Array<keyof Figures>;
	return Object.fromEntries(figures.map((figure) => [figure, median(figure)])) as Figures;
}

/** It works so many milliseconds on a request, whatever happens. */
const after =
	(milliseconds: number): Scenario['takes'] =>
	(dice) =>
		around(milliseconds, 0.05, dice);
const alone = { capacity: Infinity, requests: 5000, takes: after(100) };
const slowerAfter5s =
	(times: number): Scenario['takes'] =>
	(dice, at) =>
		around(at < 5000 ? 100 : 100 * times, 0.05, dice);
/** One of so many takes so many times as long. */
const outliers =
	(share: number, times: number): Scenario['takes'] =>
	(dice) =>
		(dice() < share ? times : 1) * around(100, 0.05, dice);
/** n8n itself needs so many milliseconds of processor time for a request. */
const cpu = 0.6;
const together = (processes: number) => ({ processes });
const oneAfterAnother = (capacity: number) => ({
	processes: 10,
	startInterval: (5000 * 100) / capacity / 4,
});

/** What must hold: requests waiting in the median and at most; where it is not 0.97, the share of what is possible. */
type Waiting = [
	capacity: number,
	milliseconds: number,
	Partial<Scenario>,
	median: number,
	most: number,
	share?: number,
];

describe('requests that wait at a service for their turn', () => {
	test.each<Waiting>([
		[20, 100, {}, 13, 41],
		[100, 100, {}, 34, 110, 0.87],
		[20, 100, together(10), 226, 286],
		[20, 100, oneAfterAnother(20), 330, 700],
		[20, 100, { standsStill: 300 }, 5, 45, 0.72],
	])('works on %d at once, %d ms on each, %j', (capacity, ms, more, median, most, share = 0.97) => {
		const seed = newSeed();
		const verdictOf = (seen: Figures) => ({
			isBusy: seen.perSecond >= (share * capacity * 1000) / ms,
			hasFewWaiting: seen.medianWaiting <= median && seen.mostWaiting <= most,
			isFair: seen.fairness >= 0.9,
		});
		const isFine = (seen: Figures) => Object.values(verdictOf(seen)).every(Boolean);
		const scenario = { ...alone, capacity, takes: after(ms), ...more };
		const seen = simulateSeveral(scenario, seed, isFine);
		const fine = { isBusy: true, hasFewWaiting: true, isFair: true };
		expect({ seed, ...verdictOf(seen), ...seen }).toMatchObject(fine);
	});
});

test.each<[string, Partial<Scenario>, number]>([
	['answers take as long each time', {}, 3],
	['answers take anything at all', { takes: (dice) => around(100, 1.5, dice) }, 17],
	['five of a hundred take twenty times as long', { takes: outliers(0.05, 20) }, 6.9],
	[
		'the first ten come from a cache',
		{ takes: (dice, _, nth) => (nth < 10 ? 2 : around(100, 0.05, dice)) },
		4.2,
	],
	[
		'the service becomes six times slower, and works on 100',
		{ capacity: 100, requests: 15_000, takes: slowerAfter5s(6) },
		77,
	],
	['answers take 300 ms, n8n is busy', { requests: 2000, takes: after(300), cpu }, 4.6],
])('it is not slow for long: %s', (_, scenario, seconds) => {
	const seed = newSeed();
	const isQuick = (seen: Figures) => seen.seconds <= seconds;
	const seen = simulateSeveral({ ...alone, ...scenario }, seed, isQuick);
	expect({ seed, isQuick: isQuick(seen), ...seen }).toMatchObject({ isQuick: true });
});

test('a process that is busy itself sends no more at once than it can handle', () => {
	const atOnce = { requests: 5000, takes: () => 0, roundTrip: 0.2, cpu };
	const isFine = ({ connections, seconds }: Figures) =>
		connections <= 27 && seconds < (5000 * cpu * 1.05) / 1000;
	const seen = simulateSeveral({ ...alone, ...atOnce }, newSeed(), isFine);
	expect({ isFine: isFine(seen), ...seen }).toMatchObject({ isFine: true });
});

/** The requests of a round begin together, and end together. */
class Rounds {
	now = 0;
	/** Milliseconds that an answer takes. */
	delay = 100;
	isWriting = false;
	route = 'GET /vendors';
	/** Requests that there are. */
	most = Infinity;
	readonly window = new CongestionWindow();

	begin(): SentRequest {
		return this.window.begin(this.route, this.now);
	}

	/** @returns how many requests the round had */
	round(seen: Shown = {}): number {
		const begun: SentRequest[] = [];
		while (begun.length < this.most && this.window.admits(this.isWriting)) begun.push(this.begin());
		this.now += this.delay;
		const { delay } = this;
		for (const request of begun) this.window.end(request, { isOverload: false, delay, ...seen });
		return begun.length;
	}

	rounds(count: number, seen?: Shown): number[] {
		return Array.from({ length: count }, () => this.round(seen));
	}
}

let service: Rounds;
beforeEach(() => (service = new Rounds()));

test('it is never halved below 10 for slow answers', () => {
	for (let round = 0; round < 20; round++) {
		service.delay *= 2;
		service.round();
	}
	expect(service.window.limit).toBeGreaterThanOrEqual(10);
});

test('what is not used lets it grow a little only', () => {
	service.most = 16;
	service.rounds(100);
	expect(service.window.limit).toBeGreaterThan(16);
	expect(service.window.limit).toBeLessThan(64);
});

test('one slow round may be chance', () => {
	service.rounds(8);
	service.delay = 200;
	service.round();
	service.delay = 100;
	expect(service.rounds(3)).toEqual([256, 256, 256]);
});

test('routes are compared with their own', () => {
	service.rounds(8);
	service.route = 'POST /files';
	service.delay = 2000;
	expect(service.rounds(5)).toEqual([256, 256, 256, 256, 256]);
});

test('halves at an overload, once for all that were under way, and grows by one a round', () => {
	service.rounds(4);
	const overload = { isOverload: true };
	const [before, halved] = service.rounds(2, overload);
	expect(halved).toBe(before! / 2);
	expect(service.rounds(4)).toEqual([0, 1, 2, 3].map((more) => halved! / 2 + more));
	service.rounds(8, overload);
	expect(service.rounds(2, overload)).toEqual([1, 1]);
});

test.each<[string, Shown]>([
	['what shows nothing changes nothing', { isOverload: undefined }],
	['answers without a delay are no reason to grow', { delay: undefined }],
])('%s', (_, seen) => {
	expect(service.rounds(5, seen)).toEqual([10, 10, 10, 10, 10]);
});

test('48 writes at most until some hundred answers in a row were successes, and again after an overload', () => {
	service.isWriting = true;
	const sizes = service.rounds(12);
	expect(sizes[3]).toBe(48);
	const untested = sizes.slice(
		0,
		sizes.findIndex((size) => size > 48),
	);
	const answers = untested.reduce((sum, size) => sum + size);
	expect(answers).toBeGreaterThanOrEqual(140);
	expect(answers).toBeLessThanOrEqual(400);
	expect(sizes.at(-1)).toBe(256);
	service.window.end(service.begin(), { isOverload: true });
	expect([service.window.limit, service.round()]).toEqual([128, 48]);
	// There is nothing to be in doubt about with reads.
	service.isWriting = false;
	expect(service.round()).toBeGreaterThan(48);
});

describe('a request that is overdue', () => {
	const lookAfter = (milliseconds: number) => {
		service.now += milliseconds;
		service.window.markOverdue(service.now);
		return service.window.limit;
	};
	const end = (request: SentRequest, isOverload: boolean) => {
		service.window.end(request, { isOverload });
		return service.window.limit;
	};

	test('holds no place, and halves the window once for all that are under way', () => {
		const requests = Array.from({ length: 10 }, () => service.begin());
		expect(lookAfter(9000)).toBe(10);
		expect(service.window.admits(false)).toBe(false);
		expect(lookAfter(1000)).toBe(5);
		expect(service.window.admits(false)).toBe(true);
		// Each has timed out: that is known already.
		expect(requests.map((request) => end(request, true))).toEqual(Array(10).fill(5));
	});

	test('is so after four times the usual delay of its route, where that is more', () => {
		service.delay = 5000;
		service.round();
		service.begin();
		const { limit } = service.window;
		expect(lookAfter(19_000)).toBe(limit);
		expect(lookAfter(1001)).toBe(limit / 2);
	});

	test('is none while its data moves', () => {
		service.window.begin(service.route, service.now, { lastReadAt: 59_000 });
		expect(lookAfter(60_000)).toBe(10);
	});

	test('and succeeds was only slow: the window gets its size and growth back, once', () => {
		const [slow, other] = [service.begin(), service.begin()];
		expect(lookAfter(10_000)).toBe(5);
		expect(end(slow, false)).toBe(10);
		expect(lookAfter(0)).toBe(10);
		expect(end(other, false)).toBe(10);
		const grown = service.rounds(3);
		expect(grown[2]! - grown[1]!).toBeGreaterThan(8);
		const [third, refused] = [service.begin(), service.begin()];
		lookAfter(10_000);
		end(service.begin(), true);
		const { limit } = service.window;
		// The service has refused a request since, so it is busy indeed.
		expect(end(third, false)).toBe(limit);
		end(refused, false);
	});
});
