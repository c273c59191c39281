import { Failure } from '../../../engine/failure';
import type { SentRequest } from '../../../engine/send/congestionWindow';
import { Limiter } from '../../../engine/send/limiter';
import type { Try } from '../../../engine/send/retryPolicy';
import { SendingRun } from '../../../engine/send/sendingRun';
import { comeToRest as settle, nextTurn } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { operationWith, tryOf } from '../operation.cts';

const time = useVirtualTime();
let limiter: Limiter;
/** The names of the runs whose requests began, in order. */
let log: string[];
beforeEach(() => {
	limiter = new Limiter();
	log = [];
});

const get = operationWith({ route: 'GET /vendors' });
const post = operationWith({ route: 'POST /vendors' });

/** A run that asks for passes and logs each one that it gets. */
class Run {
	readonly stop = new AbortController();
	readonly sending: SendingRun;
	readonly passes: SentRequest[] = [];
	/** Why requests were not sent. */
	readonly failures: Failure[] = [];

	constructor(
		private readonly name: string,
		{ operation = get, maxParallel = 256, maxWait = 300_000 } = {},
		private readonly limits = { maxTries: 4, maxWait },
	) {
		this.sending = new SendingRun(operation, this.stop.signal, maxParallel);
	}

	get inFlight(): number {
		return this.sending.inFlight;
	}

	async ask(count = 1): Promise<void> {
		const { sending: run, limits } = this;
		for (let n = 0; n < count; n++) {
			void Promise.resolve(limiter.enter(run, limits, run.stop)).then((pass) => {
				if (pass instanceof Failure) return this.failures.push(pass);
				log.push(this.name);
				return this.passes.push(pass);
			});
		}
		await settle();
	}

	/** Ends the oldest requests. @param shown the result of each, besides having been sent */
	async leave(count: number, shown: Partial<Try> = {}): Promise<void> {
		const { sending, limits } = this;
		const tried = tryOf(sending.operation, { startedAt: performance.now(), ...shown });
		for (const pass of this.passes.splice(0, count)) limiter.leave(pass, sending, limits, tried);
		await settle();
	}

	/** Marks the oldest requests as hanging. */
	async hang(count: number): Promise<void> {
		for (const pass of this.passes.slice(0, count)) limiter.markHanging(pass);
		await settle();
	}
}

test('at most eight requests start per turn of the event loop', async () => {
	const run = new Run('one');
	void run.ask(30);
	expect(run.inFlight).toBe(8);
	await nextTurn();
	expect(run.inFlight).toBe(10);
	await settle();
	// Many responses in one turn start no more than that, either.
	void run.leave(10);
	expect(run.inFlight).toBe(8);
	await settle();
	expect(run.inFlight).toBe(10);
});

test('runs get equally many passes, however much they have to send', async () => {
	const [big, small] = [new Run('big'), new Run('small')];
	await big.ask(100);
	await small.ask(25);
	// The window was full, and the other run has one request at once.
	expect(log).toEqual([...Array<string>(10).fill('big'), 'small']);
	for (let round = 0; round < 10; round++) {
		await big.leave(1);
		await small.leave(1);
	}
	expect(Math.abs(big.passes.length - small.passes.length)).toBeLessThanOrEqual(1);
});

test('no run exceeds its own limit, and the others get the remaining passes', async () => {
	const [narrow, wide] = [new Run('narrow', { maxParallel: 1 }), new Run('wide')];
	await narrow.ask(5);
	await wide.ask(50);
	expect([narrow.passes.length, wide.passes.length]).toEqual([1, 9]);
	await narrow.leave(1);
	expect([narrow.passes.length, wide.passes.length]).toEqual([1, 9]);
	await narrow.leave(1);
	await wide.leave(1);
	expect([narrow.passes.length, wide.passes.length]).toEqual([1, 9]);
	narrow.stop.abort();
	await narrow.leave(1);
	expect([narrow.passes.length, wide.passes.length]).toEqual([0, 10]);
});

test('a stopped run leaves the queue, and its requests in flight give their passes back', async () => {
	const [first, second] = [new Run('first'), new Run('second')];
	await first.ask(30);
	await second.ask(30);
	first.stop.abort();
	await settle();
	expect(first.failures).toHaveLength(20);
	await first.ask(1);
	expect(first.failures).toHaveLength(21);
	await first.leave(10);
	expect(second.passes).toHaveLength(10);
});

test('a run with nothing in progress gets a slot, but not each of hundreds at once', async () => {
	const first = new Run('first');
	await first.ask(100);
	const others = Array.from({ length: 300 }, () => new Run('other'));
	for (const other of others) void other.ask(1);
	await settle();
	expect(log.filter((name) => name === 'other').length).toBeGreaterThan(5);
	expect(log.length).toBeLessThanOrEqual(20);
});

/** The results of tries. */
const works: Partial<Try> = { serviceState: 'works', status: 201, delay: 100 };
const lost: Partial<Try> = { serviceState: 'congested', status: undefined };
const busy = (retryAfter: number) =>
	({ serviceState: 'congested', status: 429, retryAfter }) as const;

describe('the first write of a route', () => {
	test('goes alone, and after its success ten go', async () => {
		const run = new Run('', { operation: post });
		await run.ask(30);
		expect(run.passes).toHaveLength(1);
		await run.leave(1, works);
		expect(run.passes).toHaveLength(10);
	});

	test('goes alone among all runs, but does not hold reads or other routes', async () => {
		const writers = [1, 2, 3].map(() => new Run('write', { operation: post }));
		for (const writer of writers) await writer.ask();
		const other = new Run('other', { operation: operationWith({ route: 'POST /files' }) });
		await other.ask(5);
		const reader = new Run('read');
		await reader.ask(5);
		expect(log.sort()).toEqual(['other', ...Array<string>(5).fill('read'), 'write']);
	});

	test('goes alone again after a failure, or if it was not sent', async () => {
		const run = new Run('', { operation: post });
		await run.ask(30);
		limiter.leave(run.passes.shift()!, run.sending, { maxTries: 4, maxWait: 0 });
		await settle();
		expect(run.passes).toHaveLength(1);
		await run.leave(1, lost);
		time.pass(60_000);
		await settle();
		expect(run.passes).toHaveLength(1);
	});

	test('ends the wait even if it fails by what may be its own fault', async () => {
		const run = new Run('', { operation: post });
		await run.ask(30);
		await run.leave(1, { serviceState: 'fails', status: 500 });
		expect(run.passes).toHaveLength(10);
	});
});

describe('requests that hang', () => {
	/** A run whose first write has succeeded, with this number of others in progress. */
	async function writing(count: number, more = {}): Promise<Run> {
		const run = new Run('', { operation: post, ...more });
		await run.ask(1);
		await run.leave(1, works);
		await run.ask(count);
		return run;
	}

	test('take no place in the window, but count among the 48 that may be in doubt', async () => {
		const run = await writing(200);
		expect(run.passes).toHaveLength(10);
		await run.hang(9);
		expect(run.passes).toHaveLength(19);
		for (let round = 0; round < 20; round++) await run.hang(200);
		expect(run.passes).toHaveLength(48);
		const other = new Run('other', { operation: post });
		await other.ask(1);
		expect(other.passes).toHaveLength(0);
		// Reads are never in doubt, but no more than 256 are in progress.
		const reader = new Run('read');
		await reader.ask(400);
		for (let round = 0; round < 25; round++) await reader.hang(400);
		expect(reader.passes).toHaveLength(208);
	});

	test("do not exceed the run's own limit", async () => {
		const run = await writing(10, { maxParallel: 1 });
		await run.hang(1);
		expect(run.passes).toHaveLength(1);
	});

	test('that go alone let ten others go, but only one after a failure', async () => {
		const run = new Run('', { operation: post });
		await run.ask(100);
		await run.hang(1);
		expect(run.passes).toHaveLength(11);
		await run.leave(1, lost);
		await run.hang(100);
		const { length } = run.passes;
		for (let more = 1; more < 5; more++) {
			time.pass(60_000);
			await settle();
			expect(run.passes).toHaveLength(length + more);
			await run.hang(100);
		}
	});

	test('give their places back once, however they end', async () => {
		const run = await writing(200);
		await run.hang(10);
		await run.leave(20, works);
		expect(run.inFlight).toBe(run.passes.length);
		while (run.passes.length > 0) await run.leave(48, works);
		expect(run.inFlight).toBe(0);
		const next = new Run('next', { operation: post });
		await next.ask(30);
		expect(next.passes.length).toBeGreaterThanOrEqual(10);
	});

	test("are those that take three times as long as their route's responses", async () => {
		const run = await writing(10);
		expect(run.passes[0]!.quietAfter).toBe(10_000);
		await run.leave(10, { ...works, delay: 20_000 });
		await run.ask(1);
		expect(run.passes[0]!.quietAfter).toBeGreaterThan(30_000);
		expect(run.passes[0]!.quietAfter).toBeLessThan(70_000);
	});
});

describe('a pause', () => {
	test('ends by itself for all waiting runs, and holds no other route', async () => {
		const [one, two] = [new Run('one'), new Run('two')];
		await one.ask(1);
		await one.leave(1, busy(5000));
		await one.ask(2);
		await two.ask(2);
		const other = new Run('other', { operation: operationWith({ route: 'GET /users' }) });
		await other.ask(1);
		expect(log).toEqual(['one', 'other']);
		time.pass(3000);
		await settle();
		expect(log).toHaveLength(2);
		time.pass(2100);
		await settle();
		expect(log).toEqual(['one', 'other', 'one', 'two', 'one', 'two']);
	});

	test("longer than 'Max Wait' ends that run, and no other", async () => {
		const [one, two] = [new Run('one', { maxWait: 4000 }), new Run('two')];
		await one.ask(1);
		await one.leave(1, busy(5000));
		await one.ask(2);
		await two.ask(1);
		expect(one.failures).toHaveLength(2);
		for (const { message, details } of one.failures) {
			expect(message).toMatch(/another 5 seconds, .* 'Max Wait \(Seconds\)' allows/);
			expect(details.retryAfter).toBe(5000);
		}
		time.pass(5100);
		await settle();
		expect(log).toEqual(['one', 'two']);
	});

	test("of no length, with a 'Max Wait' of 0, ends the run at the next failure", async () => {
		const run = new Run('', { maxWait: 0 });
		await run.ask(3);
		await run.leave(1, lost);
		expect(run.sending.blocker).toBeUndefined();
		time.pass(1);
		await run.leave(1, lost);
		await run.ask(1);
		expect(run.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/'Max Wait \(Seconds\)' allows/),
		]);
	});

	test('is not made for a token that ends during its requests: fewer start, but at once', async () => {
		const run = new Run('');
		await run.ask(30);
		await run.leave(10, { serviceState: 'congested', status: 401, meaningOf401: 'renew' });
		expect(run.passes).toHaveLength(5);
	});

	test.each([
		['paused', async (run: Run) => await run.leave(1, busy(5000))],
		['behind the one that goes alone', async () => {}],
	])('does not keep a run from being stopped that is %s', async (_, hold) => {
		const run = new Run('', { operation: post });
		await run.ask(1);
		await hold(run);
		await run.ask(3);
		run.stop.abort();
		await settle();
		expect(run.failures).toHaveLength(3);
		time.pass(60_000);
		await settle();
		expect(log).toHaveLength(1);
	});
});

test('what was learned is forgotten after a minute without requests', async () => {
	const run = new Run('');
	const seen = { serviceState: 'works', delay: 100 } as const;
	const atOnce = async () => {
		await run.ask(20);
		const { length } = run.passes;
		while (run.passes.length > 0) await run.leave(20, seen);
		return length;
	};
	expect(await atOnce()).toBe(10);
	time.pass(59_000);
	expect(await atOnce()).toBeGreaterThan(15);
	time.pass(61_000);
	expect(await atOnce()).toBe(10);
});

test('a pause ends even if its timer fires a moment early', async () => {
	const run = new Run('');
	await run.ask(1);
	await run.leave(1, busy(5000));
	const ahead = jest.spyOn(performance, 'now');
	await run.ask(1);
	const now = performance.now();
	// The timer is due now, but by the clock a moment is left.
	ahead.mockReturnValue(now + 4000);
	time.pass(5000);
	await settle();
	ahead.mockReturnValue(now + 6000);
	time.pass(6000);
	await settle();
	expect(log).toHaveLength(2);
});
