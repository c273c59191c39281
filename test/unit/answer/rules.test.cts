// The table of responses, row by row, held against what the API spec and HTTP say: the rows here are written by hand,
// none is taken from the table.
import type { Evidence as AnyEvidence } from '../../../engine/answer/evidence';
import { codeOf, isRetryable, outcomeOf } from '../../../engine/answer/judge';
import type { Method, Operation } from '../../../engine/area';
import type { FailureCode } from '../../../engine/failure';
import type { GatewayAnswer } from '../../../engine/http/gatewayAnswer';
import type { Outcome } from '../../../engine/outcome';

type Evidence = Omit<AnyEvidence, 'method' | 'operation'>;

/** What requests of a method do: read, remove, create, replace, patch. */
const kinds = {
	GET: 'list',
	DELETE: 'empty',
	POST: 'single',
	PUT: 'empty',
	PATCH: 'bulk',
} as const;

/** The evidence of a request of the method. */
const of = (method: Method, evidence: Evidence): AnyEvidence => ({
	method,
	operation: { kind: kinds[method] } as Operation,
	...evidence,
});

const answered = (status: number, retryAfter?: number) => ({ maybeSent: true, status, retryAfter });
const page = '<html><body>Sorry</body></html>';
const notSent = { maybeSent: false };
const noAnswer = { maybeSent: true };
const by = (reason?: GatewayAnswer['reason']) => ({ reason, words: '' });

describe('which request is sent again, and what becomes of the item if not', () => {
	const none: Method[] = [];
	const reads: Method[] = ['GET'];
	const idempotent: Method[] = ['GET', 'DELETE'];
	const all: Method[] = ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'];

	// What happened, which requests are sent again, the outcome of a read, of a write, of a create if that differs.
	test.each<[string, Evidence, Method[], Outcome, Outcome, Outcome?]>([
		['no connection', notSent, all, 'notSent', 'notSent'],
		['no answer', noAnswer, idempotent, 'refused', 'inDoubt'],
		['429', answered(429), all, 'refused', 'refused'],
		['429 with Retry-After', answered(429, 100), all, 'refused', 'refused'],
		['503 with Retry-After', answered(503, 0), idempotent, 'refused', 'inDoubt'],
		['503', answered(503), idempotent, 'refused', 'inDoubt'],
		['408', answered(408), idempotent, 'refused', 'inDoubt'],
		['500', answered(500), idempotent, 'refused', 'inDoubt'],
		[
			'201, broken off',
			{ ...answered(201), cut: 'brokenOff' },
			reads,
			'refused',
			'inDoubt',
			'unreadable',
		],
		[
			'lost, then so',
			{ ...answered(204), cut: 'brokenOff', inDoubt: true },
			reads,
			'refused',
			'inDoubt',
			'unreadable',
		],
		['303', answered(303), none, 'refused', 'inDoubt'],
		['499', answered(499), none, 'refused', 'refused'],
		['599', answered(599), idempotent, 'refused', 'inDoubt'],
		['600', answered(600), none, 'refused', 'inDoubt'],
		['199', answered(199), none, 'refused', 'inDoubt'],
		['no number', answered(NaN), none, 'refused', 'inDoubt'],
		['304', answered(304), none, 'refused', 'inDoubt'],
		['400', answered(400), none, 'refused', 'refused'],
		['401', answered(401), all, 'refused', 'refused'],
		['key', { ...answered(401), gateway: by('key') }, none, 'refused', 'refused'],
		['quota', { ...answered(403, 100), gateway: by('quota') }, all, 'refused', 'refused'],
		['IP filter', { ...answered(403), gateway: by() }, none, 'refused', 'refused'],
		['no route', { ...answered(404), gateway: by() }, none, 'refused', 'refused'],
		['rate limit', { ...answered(429, 100), gateway: by() }, all, 'refused', 'refused'],
		['activity', { ...answered(500), gateway: by() }, idempotent, 'refused', 'inDoubt'],
		['403, a page', { ...answered(403), text: page }, none, 'refused', 'inDoubt'],
		['404, a page', { ...answered(404), text: page }, none, 'refused', 'inDoubt'],
		['413, a page', { ...answered(413), text: page }, none, 'refused', 'refused'],
		['407, a page', { ...answered(407), text: page }, none, 'refused', 'refused'],
		['429, a page', { ...answered(429), text: page }, all, 'refused', 'refused'],
	])('%s', (_, evidence, sentAgain, read, write, create = write) => {
		expect(all.filter((method) => isRetryable(of(method, evidence)))).toEqual(sentAgain);
		expect(all.map((method) => outcomeOf(of(method, evidence)))).toEqual([
			read,
			write,
			create,
			write,
			write,
		]);
	});
});

test('whatever happens, a write that may have been processed is not sent again', () => {
	const statuses = [undefined, ...Array.from({ length: 1100 }, (_, status) => status)];
	const all = statuses.flatMap((status) =>
		[undefined, 0, 5000].flatMap((retryAfter) =>
			(['POST', 'PATCH'] as const).map((method) =>
				of(method, { maybeSent: true, status, retryAfter }),
			),
		),
	);
	const wrong = all.filter((evidence) => {
		const { status = 0 } = evidence;
		const saysNotProcessed = status === 401 || status === 429;
		// "No" needs a status that says so.
		const saysNo = saysNotProcessed || (status >= 400 && status < 500);
		const isRefused = outcomeOf(evidence) === 'refused';
		return (isRetryable(evidence) && !saysNotProcessed) || (isRefused && !saysNo);
	});
	expect(wrong).toEqual([]);
	expect(all.length).toBeGreaterThan(statuses.length);
});

test.each<[string, Evidence, FailureCode]>([
	['201', answered(201), 'unreadableAnswer'],
	['304', answered(304), 'unreadableAnswer'],
	['400', answered(400), 'valuesRefused'],
	['401', answered(401), 'tokenRefused'],
	['the key', { ...answered(401), gateway: by('key') }, 'keyRefused'],
	['403', answered(403), 'notPermitted'],
	['the quota', { ...answered(403), gateway: by('quota') }, 'quotaUsedUp'],
	['404', answered(404), 'refused'],
	['404, a page', { ...answered(404), text: page }, 'unreadableAnswer'],
	['403, a page', { ...answered(403), text: page }, 'unreadableAnswer'],
	['408', answered(408), 'serviceFailed'],
	['418', answered(418), 'refused'],
	['422', answered(422), 'valuesRefused'],
	['429', answered(429), 'tooBusy'],
	['502', answered(502), 'serviceFailed'],
	['503', answered(503), 'tooBusy'],
])('the code of %s', (_, evidence, code) => {
	for (const method of ['GET', 'DELETE', 'POST', 'PATCH'] as const)
		expect(codeOf(of(method, evidence))).toBe(code);
});
