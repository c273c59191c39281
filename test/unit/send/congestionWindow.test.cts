// The congestion window: its effect at a service, and each of its rules.
import {
	CongestionWindow,
	type Observed,
	type SentRequest,
} from '../../../engine/send/congestionWindow';
import { seededRandom } from '../../../sandbox/random.mts';

interface Load {
	/** The number of requests that the service handles in parallel; a round with more takes proportionally longer. */
	capacity?: number;
	/** Milliseconds that a round takes, at a moment. */
	takes?: (at: number) => number;
	/** The measured delay of the nth response. */
	seems?: (milliseconds: number, nth: number) => number;
	/** Milliseconds for which n8n itself is busy with each request. */
	cpu?: number;
	requests?: number;
	processes?: number;
	/** Rounds between the starts of two processes. */
	apart?: number;
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

/** Processes send to a service, round by round. */
function send({ capacity = Infinity, cpu = 0, apart = 0, ...load }: Load) {
	const { takes = () => 100, seems = (ms) => ms, requests = 5000, processes = 1 } = load;
	const windows = Array.from({ length: processes }, () => new CongestionWindow());
	const rounds: number[][] = [];
	let [now, responses] = [0, 0];
	while (responses < requests) {
		const begun = windows.map((window, at) => {
			const own: SentRequest[] = [];
			const isThere = rounds.length >= at * apart;
			while (isThere && window.admits(true)) own.push(window.begin('POST /vendors', true, now));
			return own;
		});
		const count = begun.flat().length;
		const delay = takes(now) * Math.max(1, count / capacity) + cpu * count;
		now += delay;
		for (const [at, own] of begun.entries()) {
			for (const request of own)
				windows[at]!.end(request, { serviceState: 'works', delay: seems(delay, responses++) });
		}
		rounds.push(begun.map(({ length }) => length));
	}
	const settled = rounds.slice(processes * apart + 30);
	const shares = windows.map((_, at) => sum(settled.map((round) => round[at]!)));
	return {
		seconds: now / 1000,
		/** Requests in progress. */
		most: Math.max(...rounds.map(sum)),
		busy: sum(settled.map((round) => Math.min(sum(round) / capacity, 1))) / settled.length,
		/** Jain's index: 1 when all have the same, 1/n when one has all. */
		fairness: sum(shares) ** 2 / (processes * sum(shares.map((share) => share ** 2))),
	};
}

test.each<[Load, number, number]>([
	[{ capacity: 20 }, 35, 0.92],
	[{ capacity: 100 }, 150, 0.99],
	[{ capacity: 20, processes: 10 }, 250, 0.99],
	[{ capacity: 500, processes: 10, requests: 30_000 }, 800, 0.92],
	[{ capacity: 100, processes: 10, requests: 30_000, apart: 10 }, 230, 0.99],
])('with %j, at most %d are in progress, the service is busy, and all get a share', (...row) => {
	const [load, atMost, busyFor] = row;
	const { most, busy, fairness } = send(load);
	expect(most).toBeLessThanOrEqual(atMost);
	expect(busy).toBeGreaterThanOrEqual(busyFor);
	expect(fairness).toBeGreaterThanOrEqual(0.9);
});

/** A lognormal delay with this mean in milliseconds. */
const around = (mean: number, dice: () => number): number => {
	const normal = Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());
	return mean * Math.exp(1.5 * normal - 1.5 ** 2 / 2);
};

test.each<[string, (dice: () => number) => Load, number]>([
	['responses take as long each time', () => ({}), 2.7],
	['responses take anything at all', (dice) => ({ seems: (ms) => around(ms, dice) }), 5.5],
	['some take 20 times as long', (dice) => ({ seems: (ms) => (dice() < 0.05 ? 20 : 1) * ms }), 3.9],
	['the first ten come from a cache', () => ({ seems: (ms, nth) => (nth < 10 ? 2 : ms) }), 3.5],
	[
		'the service becomes six times slower, and works on 100',
		() => ({ capacity: 100, requests: 15_000, takes: (at) => (at < 5000 ? 100 : 600) }),
		70,
	],
])('it finds its speed soon: %s', (_, loadOf, atMost) => {
	expect(send(loadOf(seededRandom(7))).seconds).toBeLessThanOrEqual(atMost);
});

test('a process that is busy itself sends no more at once than it can handle', () => {
	expect(send({ takes: () => 0.2, cpu: 0.6 }).most).toBeLessThanOrEqual(27);
});

/** The requests of a round start and end together. */
class Rounds {
	now = 0;
	/** Milliseconds that a response takes. */
	delay = 100;
	isWriting = false;
	route = 'GET /vendors';
	/** Requests that there are. */
	most = Infinity;
	readonly window = new CongestionWindow();

	begin(): SentRequest {
		return this.window.begin(this.route, this.isWriting, this.now);
	}

	/** @returns how many requests the round had */
	round(seen: Observed = {}): number {
		const begun: SentRequest[] = [];
		while (begun.length < this.most && this.window.admits(this.isWriting)) begun.push(this.begin());
		this.now += this.delay;
		const { delay } = this;
		for (const request of begun)
			this.window.end(request, { serviceState: 'works', delay, ...seen });
		return begun.length;
	}

	rounds(count: number, seen?: Observed): number[] {
		return Array.from({ length: count }, () => this.round(seen));
	}
}

let service: Rounds;
beforeEach(() => (service = new Rounds()));

test('it is never halved below 10 for slow responses', () => {
	for (let round = 0; round < 20; round++) {
		service.delay *= 2;
		service.round();
	}
	expect(service.window.limit).toBeGreaterThanOrEqual(10);
});

test('it grows only a little while it is not used up', () => {
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

test('delays are compared within a route', () => {
	service.rounds(8);
	service.route = 'POST /files';
	service.delay = 2000;
	expect(service.rounds(5)).toEqual([256, 256, 256, 256, 256]);
});

test('it halves at an overload, once for all requests in progress, and grows by one per round', () => {
	service.rounds(4);
	const overload = { serviceState: 'congested' } as const;
	const [before, halved] = service.rounds(2, overload);
	expect(halved).toBe(before! / 2);
	expect(service.rounds(4)).toEqual([0, 1, 2, 3].map((more) => halved! / 2 + more));
	service.rounds(8, overload);
	expect(service.rounds(2, overload)).toEqual([1, 1]);
});

test.each<[string, Observed]>([
	['what shows nothing changes nothing', { serviceState: undefined }],
	['what may be the fault of its request changes nothing', { serviceState: 'fails' }],
	['responses without a delay are no reason to grow', { delay: undefined }],
])('%s', (_, seen) => {
	expect(service.rounds(5, seen)).toEqual([10, 10, 10, 10, 10]);
});

test('at most 48 writes until some hundred successes in a row, and again after an overload', () => {
	service.isWriting = true;
	const sizes = service.rounds(12);
	expect(sizes[3]).toBe(48);
	const untested = sizes.slice(
		0,
		sizes.findIndex((size) => size > 48),
	);
	const responses = untested.reduce((sum, size) => sum + size);
	expect(responses).toBeGreaterThanOrEqual(140);
	expect(responses).toBeLessThanOrEqual(400);
	expect(sizes.at(-1)).toBe(256);
	const before = Array.from({ length: 200 }, () => service.begin());
	service.window.end(service.begin(), { serviceState: 'congested' });
	// Successes of requests already in progress show nothing new.
	for (const request of before) service.window.end(request, { serviceState: 'works' });
	expect([service.window.limit, service.round()]).toEqual([128, 48]);
	// Reads are never in doubt.
	service.isWriting = false;
	expect(service.round()).toBeGreaterThan(48);
});
