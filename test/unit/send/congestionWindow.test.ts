// The law of the congestion window, in simulations with other random numbers each time, and what a simulation of many
// requests does not show.
import {
	CongestionWindow,
	maxWindow,
	type Observation,
	type SentRequest,
} from '../../../engine/send/congestionWindow';
import { seededRandom } from '../../../sandbox/random.mts';

/** Other random numbers each time; a test that fails says which. */
const newSeed = () => Math.floor(Math.random() * 2 ** 31);

type Random = () => number;

/** What a service does, and who sends to it. */
interface Scenario {
	/** How many requests it works on at once; the others wait, first come, first served. */
	capacity: number;
	/** The milliseconds that it works on a request: the nth of all, at a moment. */
	takes: (dice: Random, at: number, nth: number) => number;
	/** How many requests each process sends. */
	requests: number;
	processes?: number;
	/** The milliseconds between the starts of two processes. */
	startInterval?: number;
}

/** The milliseconds that a request and its answer are on their way together. */
const roundTrip = 10;

/** A lognormal number with this mean; `spread` is the standard deviation of its logarithm. */
const around = (mean: number, spread: number, dice: Random): number => {
	const normal = Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());
	return mean * Math.exp(spread * normal - spread ** 2 / 2);
};

function simulate(scenario: Scenario, seed: number) {
	const { capacity, takes, requests, processes = 1, startInterval = 0 } = scenario;
	const dice = seededRandom(seed);
	const events: Array<{ at: number; happens: () => void }> = [];
	let now = 0;
	const after = (milliseconds: number, happens: () => void) => {
		const at = now + milliseconds;
		let [low, high] = [0, events.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (events[middle]!.at > at) low = middle + 1;
			else high = middle;
		}
		events.splice(low, 0, { at, happens });
	};

	const queue: Array<() => void> = [];
	let [working, arrived, mostWaiting, changedAt] = [0, 0, 0, 0];
	/** How many milliseconds so many requests waited. */
	const waited: number[] = [];
	const noteWaiting = () => {
		waited[queue.length] = (waited[queue.length] ?? 0) + now - changedAt;
		changedAt = now;
	};
	const work = (answer: () => void) => {
		working++;
		after(takes(dice, now, arrived++), () => {
			working--;
			noteWaiting();
			queue.shift()?.();
			after(roundTrip / 2, answer);
		});
	};
	const receive = (answer: () => void) => {
		if (working < capacity) return work(answer);
		noteWaiting();
		queue.push(() => work(answer));
		mostWaiting = Math.max(mostWaiting, queue.length);
	};

	const senders = Array.from({ length: processes }, (_, index) => {
		const window = new CongestionWindow();
		const done: number[] = [];
		let sent = 0;
		const clock = () => ({ now, idle: now });
		const send = () => {
			while (sent < requests && sent - done.length < maxWindow && window.admits(true)) {
				sent++;
				const begunAt = clock();
				const request = window.begin('POST /shiftschedules', begunAt);
				after(roundTrip / 2, () =>
					receive(() => {
						const delay = { now: now - begunAt.now, idle: now - begunAt.idle };
						window.end(request, { isOverload: false, delay });
						done.push(now);
						send();
					}),
				);
			}
		};
		after(index * startInterval, send);
		return { done, beganAt: index * startInterval };
	});
	for (let event = events.pop(); event; event = events.pop()) {
		now = event.at;
		event.happens();
	}

	const from = Math.max(...senders.map(({ beganAt }) => beganAt));
	const to = Math.min(...senders.map(({ done }) => done.at(-1)!));
	const shares = senders.map(({ done }) => done.filter((at) => at >= from && at < to).length);
	const sum = shares.reduce((all, share) => all + share, 0);
	const half = waited.reduce((all, time) => all + time, 0) / 2;
	let [time, medianWaiting] = [0, -1];
	while (time < half) time += waited[++medianWaiting] ?? 0;
	const all = senders.flatMap(({ done }) => done).sort((one, other) => one - other);
	const almostAll = Math.ceil(all.length * 0.99);
	return {
		seconds: all.at(-1)! / 1000,
		perSecond: (1000 * almostAll) / all[almostAll - 1]!,
		medianWaiting,
		mostWaiting,
		/** Jain's index while all were sending: 1 when all have the same, 1/n when one has all. */
		fairness: sum ** 2 / (processes * shares.reduce((squares, share) => squares + share ** 2, 0)),
	};
}

/**
 * The same for several seeds, and of each figure the one in the middle: one run in some ten is an outlier.
 * @param seed of the first
 */
function simulateSeveral(scenario: Scenario, seed: number): ReturnType<typeof simulate> {
	const runs = Array.from({ length: 5 }, (_, n) => simulate(scenario, seed + n));
	const median = (figure: keyof (typeof runs)[number]) =>
		runs.map((run) => run[figure]).sort((one, other) => one - other)[2]!;
	return {
		seconds: median('seconds'),
		perSecond: median('perSecond'),
		medianWaiting: median('medianWaiting'),
		mostWaiting: median('mostWaiting'),
		fairness: median('fairness'),
	};
}

/** It works 100 ms on a request, whatever happens. */
const steady: Scenario['takes'] = (dice) => around(100, 0.05, dice);
const alone = { capacity: Infinity, requests: 5000, takes: steady };
const slowerAfter5s = (times: number) => (dice: Random, at: number) =>
	around(at < 5000 ? 100 : 100 * times, 0.05, dice);

describe('requests that wait at a service for their turn', () => {
	const oneAfterAnother = (capacity: number) => ({
		processes: 10,
		startInterval: (5000 * 100) / capacity / 4,
	});
	const together = (processes: number) => ({ processes });

	// What must hold: the share of the possible throughput, requests waiting in the median and at most, Jain's index.
	test.each<[number, Partial<Scenario>, number, number, number, number]>([
		[5, {}, 0.98, 30, 45, 1],
		[20, {}, 0.97, 24, 52, 1],
		[100, {}, 0.87, 50, 175, 1],
		[20, together(2), 0.97, 65, 90, 0.95],
		[20, together(10), 0.97, 450, 600, 0.9],
		[20, oneAfterAnother(20), 0.97, 620, 1000, 0.8],
		[100, oneAfterAnother(100), 0.95, 500, 950, 0.7],
	])('works on %d at once, %j', (capacity, processes, throughput, median, most, fair) => {
		const seed = newSeed();
		const seen = simulateSeveral({ ...alone, capacity, ...processes }, seed);
		expect({
			seed,
			isBusy: seen.perSecond >= throughput * capacity * 10,
			hasFewWaiting: seen.medianWaiting <= median && seen.mostWaiting <= most,
			isFair: seen.fairness >= fair - 1e-9,
			...seen,
		}).toMatchObject({ isBusy: true, hasFewWaiting: true, isFair: true });
	});
});

test.each<[string, Scenario, number]>([
	['answers take as long each time', alone, 3.2],
	['answers take now long, now not', { ...alone, takes: (dice) => around(100, 0.5, dice) }, 5],
	['answers take anything', { ...alone, takes: (dice) => around(100, 1, dice) }, 11],
	[
		'two of a hundred take ten times as long',
		{ ...alone, takes: (dice) => (dice() < 0.02 ? 10 : 1) * around(100, 0.05, dice) },
		4.6,
	],
	[
		'the first ten come from a cache',
		{ ...alone, takes: (dice, _, nth) => (nth < 10 ? 2 : around(100, 0.05, dice)) },
		10,
	],
	[
		'the service becomes three times slower',
		{ ...alone, requests: 20_000, takes: slowerAfter5s(3) },
		31,
	],
	[
		'the service becomes six times slower, and works on 100',
		{ capacity: 100, requests: 15_000, takes: slowerAfter5s(6) },
		95,
	],
])('it is not slow for long because of a wrong base: %s', (_, scenario, seconds) => {
	const seed = newSeed();
	const seen = simulateSeveral(scenario, seed);
	expect({ seed, isQuick: seen.seconds <= seconds, ...seen }).toMatchObject({ isQuick: true });
});

/** The requests of a round begin together, and end together. */
class Rounds {
	now = 0;
	/** Milliseconds that an answer takes. */
	delay = 100;
	/** Share of the time in which this process is itself busy. */
	busy = 0;
	isWriting = false;
	route = 'GET /vendors';
	/** Requests that there are. */
	most = Infinity;
	readonly window = new CongestionWindow();

	get at() {
		return { now: this.now, idle: this.now };
	}

	begin(): SentRequest {
		return this.window.begin(this.route, this.at);
	}

	/** @returns how many requests the round had */
	round(seen: Observation = {}): number {
		const begun: SentRequest[] = [];
		while (begun.length < this.most && this.window.admits(this.isWriting)) begun.push(this.begin());
		this.now += this.delay;
		const delay = { now: this.delay, idle: this.delay * (1 - this.busy) };
		for (const request of begun) this.window.end(request, { isOverload: false, delay, ...seen });
		return begun.length;
	}

	rounds(count: number, seen?: Observation): number[] {
		return Array.from({ length: count }, () => this.round(seen));
	}
}

let service: Rounds;
beforeEach(() => (service = new Rounds()));

test('doubles each round while the service keeps up, up to a bound', () => {
	expect(service.rounds(8)).toEqual([10, 20, 40, 80, 160, 256, 256, 256]);
});

test('slow answers halve it, never below 10; then it grows by four a round', () => {
	service.rounds(5);
	service.delay = 400;
	expect(service.rounds(9)).toEqual([256, 128, 64, 32, 16, 10, 10, 14, 18]);
});

test('after one slow round it soon has its size again', () => {
	service.rounds(8);
	service.delay = 200;
	service.round();
	service.delay = 100;
	const sizes = service.rounds(20);
	expect(sizes[0]).toBe(128);
	expect(sizes.at(-1)).toBe(256);
});

test('the time this process needs itself is not taken for the delay of the service', () => {
	service.round();
	service.busy = 0.7;
	service.delay = 300;
	expect(service.rounds(6).at(-1)).toBe(256);
});

test('routes are compared with their own', () => {
	service.rounds(8);
	service.route = 'POST /files';
	service.delay = 2000;
	expect(service.rounds(5)).toEqual([256, 256, 256, 256, 256]);
});

test('what is not used lets it grow a little only', () => {
	service.most = 16;
	service.rounds(100);
	expect(service.window.limit).toBeGreaterThan(16);
	expect(service.window.limit).toBeLessThan(64);
});

test('halves at an overload, once for all that were under way, and grows by one a round', () => {
	service.rounds(4);
	const overload = { isOverload: true };
	expect(service.rounds(2, overload)).toEqual([160, 80]);
	expect(service.rounds(4)).toEqual([40, 41, 42, 43]);
	service.rounds(8, overload);
	expect(service.rounds(2, overload)).toEqual([1, 1]);
});

test.each<[string, Observation]>([
	['what shows nothing changes nothing', { isOverload: undefined }],
	['answers without a delay are no reason to grow', { delay: undefined }],
])('%s', (_, seen) => {
	expect(service.rounds(5, seen)).toEqual([10, 10, 10, 10, 10]);
});

test('64 writes at most until some hundred answers in a row were successes, and again after an overload', () => {
	service.isWriting = true;
	const sizes = service.rounds(12);
	expect(sizes.slice(0, 4)).toEqual([10, 20, 40, 64]);
	const untested = sizes.slice(
		0,
		sizes.findIndex((size) => size > 64),
	);
	const answers = untested.reduce((sum, size) => sum + size);
	expect(answers).toBeGreaterThanOrEqual(190);
	expect(answers).toBeLessThanOrEqual(400);
	expect(sizes.at(-1)).toBe(256);
	service.window.end(service.begin(), { isOverload: true });
	expect([service.window.limit, service.round()]).toEqual([128, 64]);
	// There is nothing to be in doubt about with reads.
	service.isWriting = false;
	expect(service.round()).toBeGreaterThan(64);
});

describe('a request that is overdue', () => {
	const lookAfter = (milliseconds: number) => {
		service.now += milliseconds;
		service.window.noteOverdue(service.at);
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
		expect(lookAfter(19_000)).toBe(20);
		expect(lookAfter(1001)).toBe(10);
	});

	test('is none while its data moves, and while this process is busy', () => {
		service.window.begin(service.route, service.at, { lastReadAt: { now: 59_000, idle: 59_000 } });
		expect(lookAfter(60_000)).toBe(10);
		service.begin();
		service.window.noteOverdue({ now: 120_000, idle: 65_000 });
		expect(service.window.limit).toBe(10);
	});

	test('and succeeds was only slow: the window gets its size and growth back, once', () => {
		const [slow, other] = [service.begin(), service.begin()];
		expect(lookAfter(10_000)).toBe(5);
		expect(end(slow, false)).toBe(10);
		expect(lookAfter(0)).toBe(10);
		expect(end(other, false)).toBe(10);
		expect(service.rounds(3)).toEqual([10, 20, 40]);
		const [third, refused] = [service.begin(), service.begin()];
		expect(lookAfter(10_000)).toBe(40);
		end(service.begin(), true);
		const { limit } = service.window;
		// The service has refused a request since, so it is busy indeed.
		expect(end(third, false)).toBe(limit);
		end(refused, false);
	});
});
