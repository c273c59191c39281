// The policy, row by row, held against what the API spec and HTTP say: the rows here are written by hand, none is
// taken from the policy.
import type { Method } from '../../../engine/area';
import type { Outcome } from '../../../engine/failure';
import type { GatewayReason } from '../../../engine/http/gatewayAnswer';
import {
	backoffDelay,
	hasAnotherTry,
	outcomeOf,
	type TryEvidence,
} from '../../../engine/send/retryPolicy';

const limits = { maxTries: 4, maxWait: 60_000 };
type Evidence = Omit<TryEvidence, 'method'>;

const again = (evidence: TryEvidence) => hasAnotherTry(evidence, 1, limits);

const answered = (status: number, retryAfter?: number) => ({ maybeSent: true, status, retryAfter });
const page = '<html><body>Sorry</body></html>';
const notSent = { maybeSent: false };
const noAnswer = { maybeSent: true };
const by = (reason: GatewayReason) => ({ reason, words: '' });

describe('which request is sent again, and what becomes of the item if not', () => {
	const none: Method[] = [];
	const reads: Method[] = ['GET'];
	const idempotent: Method[] = ['GET', 'DELETE'];
	const all: Method[] = ['GET', 'DELETE', 'POST', 'PATCH'];

	// What happened, which requests are sent again, the outcome of a read, the outcome of a write.
	test.each<[string, Evidence, Method[], Outcome, Outcome]>([
		['no connection', notSent, all, 'notSent', 'notSent'],
		['no answer', noAnswer, idempotent, 'refused', 'unknown'],
		['429', answered(429), all, 'refused', 'refused'],
		['429 with Retry-After', answered(429, 100), all, 'refused', 'refused'],
		['503 with Retry-After', answered(503, 0), idempotent, 'refused', 'unknown'],
		['503', answered(503), idempotent, 'refused', 'unknown'],
		['408', answered(408), idempotent, 'refused', 'unknown'],
		['500', answered(500), idempotent, 'refused', 'unknown'],
		['201, broken off', { ...answered(201), cut: 'brokenOff' }, reads, 'refused', 'done'],
		[
			'lost, then so',
			{ ...answered(204), cut: 'brokenOff', inDoubt: true },
			reads,
			'refused',
			'done',
		],
		['303', answered(303), none, 'refused', 'unknown'],
		['499', answered(499), none, 'refused', 'refused'],
		['599', answered(599), idempotent, 'refused', 'unknown'],
		['600', answered(600), none, 'refused', 'unknown'],
		['199', answered(199), none, 'refused', 'unknown'],
		['no number', answered(NaN), none, 'refused', 'unknown'],
		['304', answered(304), none, 'refused', 'refused'],
		['400', answered(400), none, 'refused', 'refused'],
		['401', answered(401), all, 'refused', 'refused'],
		['key', { ...answered(401), gateway: by('key') }, none, 'refused', 'refused'],
		['quota', { ...answered(403, 100), gateway: by('quota') }, all, 'refused', 'refused'],
		['IP filter', { ...answered(403), gateway: by('address') }, none, 'refused', 'refused'],
		['no route', { ...answered(404), gateway: by('route') }, none, 'refused', 'refused'],
		['rate limit', { ...answered(429, 100), gateway: by('other') }, all, 'refused', 'refused'],
		['activity', { ...answered(500), gateway: by('other') }, idempotent, 'refused', 'unknown'],
		['409', answered(409), none, 'refused', 'refused'],
		['403, a page', { ...answered(403), text: page }, none, 'refused', 'unknown'],
		['404, a page', { ...answered(404), text: page }, none, 'refused', 'unknown'],
		['413, a page', { ...answered(413), text: page }, none, 'refused', 'refused'],
		['407, a page', { ...answered(407), text: page }, none, 'refused', 'refused'],
		['429, a page', { ...answered(429), text: page }, all, 'refused', 'refused'],
	])('%s', (_, evidence, sentAgain, read, write) => {
		expect(all.filter((method) => again({ method, ...evidence }))).toEqual(sentAgain);
		expect(all.map((method) => outcomeOf({ method, ...evidence }))).toEqual([
			read,
			write,
			write,
			write,
		]);
	});
});

test('whatever happens, a write that may have been processed is not sent again', () => {
	const statuses = [undefined, ...Array.from({ length: 1100 }, (_, status) => status)];
	const all = statuses.flatMap((status) =>
		[undefined, 0, 5000].flatMap((retryAfter) =>
			(['POST', 'PATCH'] as const).map((method) => ({
				method,
				maybeSent: true,
				status,
				retryAfter,
			})),
		),
	);
	const wrong = all.filter((evidence) => {
		const { status = 0 } = evidence;
		const saysNotProcessed = status === 401 || status === 429;
		// "No" needs a status that says so.
		const saysNo = saysNotProcessed || status === 304 || (status >= 400 && status < 500);
		const isRefused = outcomeOf(evidence) === 'refused';
		return (again(evidence) && !saysNotProcessed) || (isRefused && !saysNo);
	});
	expect(wrong).toEqual([]);
	expect(all.length).toBeGreaterThan(statuses.length);
});

test("not after 'Max Tries', and not at all where 'Max Wait' is 0", () => {
	const after = (tries: number, maxWait = limits.maxWait) =>
		hasAnotherTry({ method: 'GET', ...answered(503) }, tries, { maxTries: 4, maxWait });
	expect([after(3), after(4), after(1, 0)]).toEqual([true, false, false]);
});

test('after a refused token whatever these say, but never after a refusal that is final', () => {
	const after = (more: Partial<TryEvidence> = {}) =>
		hasAnotherTry({ method: 'POST', ...answered(401), ...more }, 9, { maxTries: 1, maxWait: 0 });
	expect([after(), after({ isFinal: true })]).toEqual([true, false]);
});

test('waits double with each failure, up to a limit; up to half as much is added by chance', () => {
	const shortest = (failures: number) => backoffDelay(failures, 0);
	expect([1, 2, 4].map(shortest)).toEqual([500, 1000, 4000]);
	expect(shortest(15)).toBe(shortest(14));
	for (const failures of [1, 3, 15])
		expect(backoffDelay(failures, 0.999999)).toBe(1.5 * shortest(failures));
});
