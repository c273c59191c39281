import { Failure } from '../../../engine/failure';
import { CircuitBreaker } from '../../../engine/send/circuitBreaker';
import type { Evidence } from '../../../engine/response/evidence';
import { serviceStateOf, type Try } from '../../../engine/send/retryPolicy';
import { operationWith, tryOf } from '../operation.cts';

const hour = 3_600_000;
const route = 'POST /files';
const other = 'GET /vendors';

let breaker: CircuitBreaker;
beforeEach(() => (breaker = new CircuitBreaker()));

const quota = { reason: 'quota', words: '' } as const;

const operation = operationWith({ route });

/** A try that fails at a moment, and by default was sent then. */
function fail(at: number, more: Partial<Try> = {}, { sentAt = at, maxWait = hour } = {}) {
	const tried = tryOf(operation, { status: 429, ...more, startedAt: sentAt });
	const serviceState = serviceStateOf(tried, false);
	return breaker.fail(at, { ...tried, serviceState }, maxWait, 0.5)!;
}
const until = (ofRoute: string) => breaker.pauseOf(ofRoute, -1)?.until;

test('a wait requested by the service holds only the route it was returned to', () => {
	fail(0, { retryAfter: 5000 });
	expect([until(route), until(other)]).toEqual([5000, undefined]);
	fail(100, { retryAfter: 1000 });
	expect(until(route)).toBe(5000);
});

test.each<[string, Partial<Evidence>, number]>([
	['a quota', { status: 403, gateway: quota, retryAfter: 5000 }, 5000],
	['a service to which there is no connection', { maybeSent: false, retryAfter: 5000 }, 5000],
	['a quota of hours', { status: 403, gateway: quota, retryAfter: 5 * hour }, hour],
	['a quota without a time', { status: 403, gateway: quota }, hour],
])('%s holds all routes, for at most an hour', (_, more, milliseconds) => {
	fail(0, more);
	expect([until(route), until(other)]).toEqual([milliseconds, milliseconds]);
});

describe.each<[string, Partial<Evidence>]>([
	['no time', {}],
	['0 seconds', { retryAfter: 0 }],
	['nothing, since it did not respond', { status: undefined }],
	['a second after which a write may not be sent again', { status: 503, retryAfter: 100 }],
])('if the service asks for %s', (_, more) => {
	/** The lengths of the pauses. Each begins when the previous one is over. */
	const waits = (count: number, maxWait?: number) => {
		let now = until(route) ?? 1000;
		return Array.from({ length: count }, () => {
			const begunAt = now;
			now = fail(begunAt, more, { sentAt: begunAt + 1, maxWait }).until;
			return now - begunAt;
		});
	};

	test('pauses grow with each failure, up to a bound', () => {
		const [first, ...others] = waits(12);
		expect(first).toBeGreaterThan(0);
		expect(first).toBeLessThan(1000);
		expect(others.slice(0, 4)).toEqual([2, 4, 8, 16].map((times) => times * first!));
		expect(others.at(-1)).toBe(others.at(-2));
	});

	test('requests in progress when the pause began are not further failures', () => {
		const first = fail(1000, more, { sentAt: 500 });
		for (const sentAt of [400, 900, 1000]) expect(fail(1001, more, { sentAt })).toBe(first);
	});

	test('a success ends the pause, and the next pause is as short as the first', () => {
		const [first] = waits(4);
		breaker.succeed(other, Infinity);
		expect(until(route)).toBeDefined();
		breaker.succeed(route, Infinity);
		expect([until(route), waits(1)]).toEqual([undefined, [first]]);
	});

	test("no pause is longer than 'Max Wait'", () => {
		const asked = more.retryAfter ?? 0;
		expect(Math.max(...waits(12, 2000))).toBe(2000);
		expect(waits(2, 0)).toEqual([asked, asked]);
	});

	test('a failure much later starts with the shortest pause', () => {
		const [first] = waits(4);
		const at = until(route)! + hour;
		expect(fail(at, more).until - at).toBe(first);
	});
});

test("any response shows that the service responds, but only a later request's shows that it is no longer busy", () => {
	fail(1000, { status: 429 });
	breaker.succeed(route, 1000);
	expect(until(route)).toBeDefined();
	breaker.succeed(route, 1001);
	fail(2000, { status: undefined });
	breaker.succeed(route, 1);
	expect(until(route)).toBeUndefined();
});

test('a read waits as long as the service asks, each time, and so do requests in progress', () => {
	const asked = (retryAfter: number) => ({ method: 'GET', status: 503, retryAfter }) as const;
	const starts = Array.from({ length: 9 }, (_, n) => n * 5000);
	for (const at of starts) expect(fail(at, asked(1000)).until - at).toBe(1000);
	expect(fail(40_001, asked(9000), { sentAt: 39_000 }).until).toBe(49_001);
	// These waits do not count as growing ones.
	expect(fail(50_000, { method: 'GET', status: 503 }).until).toBeLessThan(51_000);
});

test("a response that leaves a write in doubt opens the circuit at once, but not a 500, which may be the request's own fault", () => {
	const page = { status: 403, text: '<html>Forbidden</html>' };
	const opens = (more: Partial<Evidence>) => {
		breaker = new CircuitBreaker();
		return fail(0, more) !== undefined && breaker.halfOpenSince(route) === 0;
	};
	const maintenance = { status: 200, text: '{"message":"Back soon"}' };
	const doubtful = [page, maintenance, ...[302, 408, 502, 504].map((status) => ({ status }))];
	expect(doubtful.map(opens)).toEqual(doubtful.map(() => true));
	const others: Array<Partial<Evidence>> = [
		{ status: 500 },
		{ ...page, method: 'GET' },
		{ ...maintenance, method: 'GET' },
		{ status: 200, text: '{"id":"7"}', found: { data: { id: '7' } } },
	];
	expect(others.map(opens)).toEqual(others.map(() => false));
});

describe('failures that may be the fault of their requests', () => {
	const fails = (times: number, sentAt?: number) =>
		Array.from({ length: times }, () => fail(1000, { status: 500 }, { sentAt }));

	test("open their route's circuit after ten in a row", () => {
		expect(fails(9)).toEqual(Array(9).fill(undefined));
		breaker.succeed(route, 0);
		expect(fails(9)).toEqual(Array(9).fill(undefined));
		breaker.succeed(other, 0);
		expect(fails(1)).toMatchObject([{ failures: 1 }]);
		expect(until(other)).toBeUndefined();
	});

	test('open it again with each further one, until a success', () => {
		const [opened] = fails(10).slice(-1);
		expect(fails(30, 999)).toEqual(Array(30).fill(opened));
		expect(fails(1, 1001)).toMatchObject([{ failures: 2 }]);
		expect(breaker.halfOpenSince(route)).toBe(1000);
		breaker.succeed(route, 1001);
		expect(breaker.halfOpenSince(route)).toBeUndefined();
		expect(fails(1, 1002)).toEqual([undefined]);
	});
});

test('requests go one at a time only after a failure that may put a record in doubt', () => {
	const failures: Array<Partial<Evidence>> = [
		{ status: 503, retryAfter: 5000 },
		{ status: undefined },
		{ status: 201, cut: 'brokenOff' },
		{ status: 429, retryAfter: 5000 },
		{ status: 403, gateway: quota },
		{ maybeSent: false, status: undefined },
	];
	const halfOpenSince = failures.map((more) => {
		breaker = new CircuitBreaker();
		fail(7, more);
		return breaker.halfOpenSince(route);
	});
	expect(halfOpenSince).toEqual([7, 7, 7, undefined, undefined, undefined]);
});

test('a failed sign-in holds all routes, until any of them succeeds', () => {
	const signInFailure = new Failure('It is down', 'notSent', { code: 'signInUnavailable' });
	fail(0, { maybeSent: false, status: undefined, signInFailure });
	expect(until(other)).toBeGreaterThan(0);
	breaker.succeed(other, 1);
	expect(until(route)).toBeUndefined();
});
