import { CongestionWindow, type Observation } from '../../../engine/send/congestionWindow';
import { seededRandom } from '../../../sandbox/random.mts';

const median = (sizes: readonly number[]): number =>
	[...sizes].sort((one, other) => one - other)[Math.floor(sizes.length / 2)]!;

/**
 * A service in virtual time: the delay of a request depends on how many are in flight when it begins. The
 * requests of a round begin together, and end together.
 */
class Rounds {
	now = 0;
	idle = 0;
	/** Share of the time in which this process is itself busy. */
	busy = 0;
	isWriting = false;
	kind = 'GET /vendors';
	/** Requests that there are. */
	most = Infinity;

	constructor(
		private readonly delayAt: (underWay: number) => number,
		readonly window = new CongestionWindow(0),
	) {}

	private get at() {
		return { now: this.now, idle: this.idle };
	}

	/** One round: gives how many requests it had. */
	round(seen: Partial<Observation> | (() => Partial<Observation>) = {}): number {
		const begun: Array<{ ticket: number; delay: number }> = [];
		while (begun.length < this.most && this.window.admits(this.isWriting, this.at)) {
			begun.push({
				ticket: this.window.requestBegins(this.at),
				delay: this.delayAt(begun.length + 1),
			});
		}
		const took = Math.max(...begun.map(({ delay }) => delay));
		this.now += took;
		this.idle += took * (1 - this.busy);
		for (const { ticket, delay } of begun) {
			const waited = { now: delay, idle: delay * (1 - this.busy) };
			const more = typeof seen === 'function' ? seen() : seen;
			this.window.requestEnds(
				ticket,
				this.kind,
				{ isOverload: false, delay: waited, ...more },
				this.at,
			);
		}
		return begun.length;
	}

	rounds(count: number, seen?: Partial<Observation>): number[] {
		return Array.from({ length: count }, () => this.round(seen));
	}
}

const quick = () => 100;
/** Serves so many at once, the others wait. */
const withRoomFor = (capacity: number) => (underWay: number) =>
	100 * Math.ceil(underWay / capacity);

test('doubles each round while the service keeps up, up to a bound', () => {
	const sizes = new Rounds(quick).rounds(8);
	expect(sizes).toEqual([10, 20, 40, 80, 160, 256, 256, 256]);
});

test('answers that take longer end the doubling, and slow ones shrink it to what the service bears', () => {
	const service = new Rounds(withRoomFor(20));
	const sizes = service.rounds(30);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(40);
	expect(median(sizes.slice(-20))).toBeGreaterThanOrEqual(20);
	expect(median(sizes.slice(-20))).toBeLessThanOrEqual(30);
});

test('a service that has become slower for good gets its window back', () => {
	let delay = 100;
	const service = new Rounds(() => delay);
	service.rounds(8);
	delay = 900;
	const sizes = service.rounds(200);
	// It may be other processes that make it slow: there is room for them first.
	expect(median(sizes.slice(10, 50))).toBeLessThan(10);
	expect(sizes.at(-1)).toBe(256);
});

test.each([0.3, 0.5, 0.8])('answers of very different delays (%d) do not hinder it', (spread) => {
	const widths = Array.from({ length: 20 }, (_, seed) => {
		const dice = seededRandom(seed);
		// Log-normal, by the sum of twelve throws.
		const throws = () => Array.from({ length: 12 }, dice).reduce((sum, one) => sum + one, -6);
		return new Rounds(() => 100 * Math.exp(spread * throws())).rounds(14).at(-1)!;
	});
	expect(widths.filter((width) => width < 256)).toHaveLength(0);
});

test('after slow answers it grows with care', () => {
	let delay = 100;
	const service = new Rounds(() => delay);
	service.rounds(4);
	delay = 200;
	const [, smaller] = service.rounds(2);
	expect(smaller).toBeLessThan(160);
	delay = 100;
	service.round();
	const [one, other] = service.rounds(2);
	expect(other! / one!).toBeGreaterThan(1.1);
	expect(other! / one!).toBeLessThan(1.5);
});

test('a service that has become quicker is measured by that', () => {
	let delay = 500;
	const service = new Rounds(() => delay);
	service.rounds(3);
	delay = 100;
	expect(service.rounds(6).at(-1)).toBe(256);
	delay = 300;
	expect(service.rounds(2).at(-1)).toBeLessThan(256);
});

test('the time this process needs itself is not taken for the delay of the service', () => {
	let delay = 100;
	const service = new Rounds(() => delay);
	service.round();
	service.busy = 0.7;
	delay = 150;
	expect(service.rounds(6).at(-1)).toBe(256);
});

test('only requests begun since it has its size tell of that size', () => {
	const window = new CongestionWindow(0);
	const at = { now: 0, idle: 0 };
	const begin = () => window.requestBegins({ ...at });
	const end = (ticket: number, delay: number) => {
		const seen = { isOverload: false, delay: { now: delay, idle: delay } };
		window.requestEnds(ticket, 'GET /vendors', seen, { ...at });
	};
	const first = Array.from({ length: 10 }, begin);
	at.now = at.idle = 100;
	const replaced = first.map((ticket) => {
		end(ticket, 100);
		return begin();
	});
	const added: number[] = [];
	while (window.admits(false, at)) added.push(begin());
	expect(added).toHaveLength(10);
	at.now = at.idle = 500;
	for (const ticket of replaced) end(ticket, 100);
	for (const ticket of added) end(ticket, 400);
	expect(window.limit).toBeLessThan(20);
});

test('kinds of requests are compared with their own', () => {
	let delay = 100;
	const service = new Rounds(() => delay);
	service.rounds(8);
	service.kind = 'POST /files';
	delay = 2000;
	expect(service.rounds(5)).toEqual([256, 256, 256, 256, 256]);
});

test('one answer that takes forever says nothing of the service', () => {
	let count = 0;
	const service = new Rounds(() => (count++ % 9 === 4 ? 60_000 : 100));
	expect(service.rounds(6).at(-1)).toBe(256);
});

test('while this process is busy itself, the window stays, and nothing is learned', () => {
	const service = new Rounds(quick);
	service.round();
	service.busy = 0.95;
	expect(service.rounds(5)).toEqual([20, 20, 20, 20, 20]);
	service.busy = 0;
	expect(service.rounds(3)).toEqual([20, 40, 80]);
});

test('what is not used lets it grow a little only', () => {
	const service = new Rounds(quick);
	service.most = 16;
	service.rounds(100);
	expect(service.window.limit).toBeGreaterThan(16);
	expect(service.window.limit).toBeLessThan(64);
});

test('the next run of a few requests begins with all of them at once', () => {
	const service = new Rounds(quick);
	const sizes = [10, 20, 20, 50].map((most) => {
		service.most = most;
		return service.round();
	});
	expect(sizes).toEqual([10, 20, 20, 50]);
});

test('answers without a delay are no reason to grow', () => {
	expect(new Rounds(quick).rounds(5, { delay: undefined })).toEqual([10, 10, 10, 10, 10]);
});

test('halves at a setback, once for all that were in flight, and opens again by one a round', () => {
	const service = new Rounds(quick);
	service.rounds(4);
	const setback = { isOverload: true };
	const { window } = service;
	expect([service.round(setback), service.round(setback)]).toEqual([160, 80]);
	expect(service.rounds(4)).toEqual([40, 41, 42, 43]);
	expect(window.limit).toBe(44);
});

test('one at a time stays possible, whatever happens', () => {
	const service = new Rounds(quick);
	service.rounds(8, { isOverload: true });
	expect(service.rounds(3, { isOverload: true })).toEqual([1, 1, 1]);
});

test('what shows nothing changes nothing', () => {
	const service = new Rounds(quick);
	expect(service.rounds(5, { isOverload: undefined })).toEqual([10, 10, 10, 10, 10]);
});

test('writes are on trial until some hundred answers in a row were good, and again after a setback', () => {
	const service = new Rounds(quick);
	service.isWriting = true;
	const sizes = service.rounds(12);
	expect(sizes.slice(0, 4)).toEqual([10, 20, 40, 64]);
	const before = sizes.slice(
		0,
		sizes.findIndex((size) => size > 64),
	);
	const answers = before.reduce((sum, size) => sum + size);
	expect(answers).toBeGreaterThanOrEqual(190);
	expect(answers).toBeLessThanOrEqual(400);
	expect(sizes.at(-1)).toBe(256);
	let isFirst = true;
	service.round(() => {
		const seen = { isOverload: isFirst };
		isFirst = false;
		return seen;
	});
	service.now += 1;
	expect(service.window.limit).toBe(128);
	expect(service.round({ isOverload: true })).toBe(64);
	// Reads are not: there is nothing to be in doubt about.
	service.isWriting = false;
	const { limit } = service.window;
	expect(limit).toBeGreaterThan(64 / 2);
	expect(service.round()).toBe(limit);
});

test('is remembered for a while, and forgotten when it is old', () => {
	const service = new Rounds(quick);
	service.rounds(8);
	service.now += 30 * 60_000;
	expect(service.round()).toBe(256);
	service.isWriting = true;
	service.now += 30 * 60_000;
	expect(service.round()).toBe(64);
	service.isWriting = false;
	service.now += 24 * 3_600_000;
	expect(service.round()).toBe(10);
});

/** Windows of several processes at one service that works on so many requests at once, first come, first served. */
class SharedService {
	now = 0;
	readonly windows: CongestionWindow[] = [];
	readonly underWay: number[] = [];
	readonly answered: number[] = [];
	private readonly queue: Array<{ process: number; ticket: number; begunAt: number }> = [];

	constructor(private readonly capacity: number) {}

	private get at() {
		return { now: this.now, idle: this.now };
	}

	join(timeOrigin = 0): void {
		this.windows.push(new CongestionWindow(timeOrigin));
		this.underWay.push(0);
		this.answered.push(0);
	}

	/** It works on all requests in steps of 100 ms. */
	step(): void {
		this.windows.forEach((window, process) => {
			while (window.admits(false, this.at)) {
				const ticket = window.requestBegins(this.at);
				this.queue.push({ process, ticket, begunAt: this.now });
				this.underWay[process]!++;
			}
		});
		this.now += 100;
		for (const { process, ticket, begunAt } of this.queue.splice(0, this.capacity)) {
			const took = this.now - begunAt;
			const seen = { isOverload: false, delay: { now: took, idle: took } };
			this.underWay[process]!--;
			this.answered[process]!++;
			this.windows[process]!.requestEnds(ticket, 'GET /vendors', seen, this.at);
		}
	}

	steps(count: number): void {
		for (let step = 0; step < count; step++) this.step();
	}
}

test('processes that begin one after another get equal shares, and few requests wait', () => {
	const service = new SharedService(20);
	for (let process = 0; process < 5; process++) {
		service.join();
		service.steps(100);
	}
	service.answered.fill(0);
	service.steps(1000);
	for (const answered of service.answered) {
		expect(answered).toBeGreaterThan(0.7 * 4 * 1000);
		expect(answered).toBeLessThan(1.3 * 4 * 1000);
	}
	const total = service.answered.reduce((sum, answered) => sum + answered);
	expect(total).toBeGreaterThan(0.95 * 20 * 1000);
});

test('a request that is overdue holds no place, and is one setback for all that were under way', () => {
	const window = new CongestionWindow(0);
	const at = { now: 0, idle: 0 };
	const tickets = Array.from({ length: 10 }, () => window.requestBegins(at));
	expect(window.admits(false, at)).toBe(false);
	for (const ticket of tickets) window.requestIsOverdue(ticket, at);
	expect(window.limit).toBe(5);
	expect(window.admits(false, at)).toBe(true);
	// Each has timed out: that is known already.
	for (const ticket of tickets)
		window.requestEnds(ticket, 'GET /vendors', { isOverload: true }, at);
	expect(window.limit).toBe(5);
});

test('what was overdue and succeeds was only slow: the window gets its size back, once', () => {
	const window = new CongestionWindow(0);
	const at = { now: 0, idle: 0 };
	const begin = () => window.requestBegins(at);
	const end = (ticket: number, isOverload: boolean) =>
		window.requestEnds(ticket, 'GET /vendors', { isOverload }, at);
	const [slow, other] = [begin(), begin()];
	window.requestIsOverdue(slow, at);
	expect(window.limit).toBe(5);
	end(slow, false);
	expect(window.limit).toBe(10);
	window.requestIsOverdue(other, at);
	expect(window.limit).toBe(10);
	const [third, refused] = [begin(), begin()];
	window.requestIsOverdue(third, at);
	end(begin(), true);
	expect(window.limit).toBe(2);
	// The service has refused requests since, so it is busy indeed.
	end(third, false);
	expect(window.limit).toBe(2);
	end(refused, false);
});
