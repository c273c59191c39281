// The policy, row by row, against what the interface and HTTP say: nothing of the policy's own is asked.
import fc from 'fast-check';

import type { Method } from '../../engine/area';
import { parseRetryAfter } from '../../engine/http/retryAfter';
import { retryDelay, outcomeOf, wasProcessed } from '../../engine/send/retryPolicy';

const limits = { maxTries: 4, maxWait: 60_000 };
const first = { tries: 1, waited: 0 };
const again = (method: Method, reached: Parameters<typeof retryDelay>[1]) =>
	retryDelay(method, reached, first, limits, 0.5) !== undefined;

const answered = (status: number, retryAfter?: number) => ({ maybeSent: true, status, retryAfter });
const notSent = { maybeSent: false };
const noAnswer = { maybeSent: true };

describe('which request is sent again, and what becomes of the item if not', () => {
	// happened, GET, DELETE, POST, PATCH; then the outcome of GET, DELETE, POST
	test.each([
		['no connection', notSent, 'yes yes yes yes', 'notSent notSent notSent'],
		['no answer', noAnswer, 'yes yes no no', 'refused unknown unknown'],
		['429', answered(429), 'yes yes yes yes', 'refused refused refused'],
		['429 with Retry-After', answered(429, 100), 'yes yes yes yes', 'refused refused refused'],
		['503 with Retry-After', answered(503, 0), 'yes yes yes yes', 'refused refused refused'],
		['503', answered(503), 'yes yes no no', 'refused unknown unknown'],
		['408', answered(408), 'yes yes no no', 'refused unknown unknown'],
		['500', answered(500), 'yes yes no no', 'refused unknown unknown'],
		['502', answered(502), 'yes yes no no', 'refused unknown unknown'],
		['504', answered(504), 'yes yes no no', 'refused unknown unknown'],
		['201, broken off', answered(201), 'yes no no no', 'refused done done'],
		['302', answered(302), 'no no no no', 'refused refused refused'],
		['303', answered(303), 'no no no no', 'refused unknown unknown'],
		['418', answered(418), 'no no no no', 'refused refused refused'],
		['499', answered(499), 'no no no no', 'refused refused refused'],
		['599', answered(599), 'yes yes no no', 'refused unknown unknown'],
		['600', answered(600), 'no no no no', 'refused unknown unknown'],
		['999', answered(999), 'no no no no', 'refused unknown unknown'],
		['100 for good', answered(100), 'no no no no', 'refused unknown unknown'],
		['199', answered(199), 'no no no no', 'refused unknown unknown'],
		['0', answered(0), 'no no no no', 'refused unknown unknown'],
		['no number', answered(NaN), 'no no no no', 'refused unknown unknown'],
		['304', answered(304), 'no no no no', 'refused refused refused'],
		['400', answered(400), 'no no no no', 'refused refused refused'],
		['401', answered(401), 'yes yes yes yes', 'refused refused refused'],
		['403', answered(403), 'no no no no', 'refused refused refused'],
		['404', answered(404), 'no no no no', 'refused refused refused'],
		['409', answered(409), 'no no no no', 'refused refused refused'],
	])('%s', (_, reached, sentAgain, outcomes) => {
		const methods: Method[] = ['GET', 'DELETE', 'POST', 'PATCH'];
		expect(methods.map((method) => (again(method, reached) ? 'yes' : 'no')).join(' ')).toBe(
			sentAgain,
		);
		const [get, del, post] = methods.map((method) => outcomeOf(method, reached));
		expect([get, del, post].join(' ')).toBe(outcomes);
		expect(outcomeOf('PATCH', reached)).toBe(post);
	});
});

test('whatever happens, a write that may have been processed is not sent again', () => {
	const statuses = [undefined, ...Array.from({ length: 1100 }, (_, status) => status)];
	const all = statuses.flatMap((status) =>
		[undefined, 0, 5000].flatMap((retryAfter) =>
			(['POST', 'PATCH'] as const).map((method) => ({
				method,
				reached: { maybeSent: true, status, retryAfter },
			})),
		),
	);
	const wrong = all.filter(({ method, reached }) => {
		const { status = 0, retryAfter } = reached;
		const saysNotProcessed =
			status === 401 || status === 429 || (status === 503 && retryAfter !== undefined);
		// "No" needs a status that says so.
		const saysNo = saysNotProcessed || (status >= 300 && status < 500 && status !== 303);
		const isRefused = outcomeOf(method, reached) === 'refused';
		return (
			(again(method, reached) && !saysNotProcessed) ||
			(isRefused && (!saysNo || wasProcessed(reached) === 'perhaps'))
		);
	});
	expect(wrong).toEqual([]);
	expect(all).toHaveLength(6606);
});

describe('when', () => {
	const wait = (tries: number, random: number, waited = 0, retryAfter?: number) =>
		retryDelay(
			'GET',
			answered(503, retryAfter),
			{ tries, waited },
			{ ...limits, maxTries: 20 },
			random,
		);

	test('as long as the service asks, whatever the dice say', () => {
		expect(wait(1, 0.9, 0, 7000)).toBe(7000);
		expect(wait(5, 0.1, 0, 0)).toBe(0);
	});

	test('else up to twice as long each time, chosen evenly from nothing up, to a limit', () => {
		const longest = (tries: number) => wait(tries, 0.999999, 0)!;
		expect(longest(2)).toBe(longest(1) * 2);
		expect(longest(4)).toBe(longest(1) * 8);
		expect(longest(15)).toBe(longest(14));
		for (const tries of [1, 3, 15]) {
			expect(wait(tries, 0)).toBe(0);
			expect(wait(tries, 0.5)).toBe(Math.round(longest(tries) / 2));
		}
	});

	test('never more often than Max Tries, never longer than Max Wait altogether', () => {
		const tried = (tries: number) => retryDelay('GET', noAnswer, { tries, waited: 0 }, limits, 0);
		expect([1, 2, 3, 4, 5].map((tries) => tried(tries) !== undefined)).toEqual([
			true,
			true,
			true,
			false,
			false,
		]);
		expect(wait(1, 0, 50_000, 10_000)).toBe(10_000);
		expect(wait(1, 0, 50_001, 10_000)).toBeUndefined();
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 10, 21, 8, 0, 0);

	test.each([
		['120', 120_000],
		[' 0 ', 0],
		// The three formats of RFC 9110 §5.6.7.
		['Sat, 21 Nov 2026 08:00:30 GMT', 30_000],
		['Saturday, 21-Nov-26 08:00:30 GMT', 30_000],
		['Sat Nov 21 08:00:30 2026', 30_000],
		['Sat, 21 Nov 2026 07:00:00 GMT', 0],
		['', undefined],
		['-5', undefined],
		['1.5', undefined],
		['soon', undefined],
		['2026-11-21T08:00:30Z', undefined],
		[undefined, undefined],
		[['5', '6'], undefined],
	])('%j', (header, expected) => {
		expect(parseRetryAfter(header, now)).toBe(expected);
	});

	test('is nothing or a time not negative, whatever comes', () => {
		const given = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.integer().map(String));
		fc.assert(
			fc.property(given, (header) => {
				const wait = parseRetryAfter(header, now);
				expect(wait === undefined || wait >= 0).toBe(true);
			}),
		);
		fc.assert(
			fc.property(fc.nat(), (seconds) => {
				expect(parseRetryAfter(String(seconds), now)).toBe(seconds * 1000);
				// A date has whole seconds, up to the year 9999.
				const date = new Date(now + seconds * 1000).toUTCString();
				expect(parseRetryAfter(date, now)).toBe(seconds * 1000);
			}),
		);
	});
});
