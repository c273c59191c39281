// The table of responses, row by row, held against what the API spec and HTTP say: the rows here are written by hand,
// none is taken from the table.
import type { Evidence as AnyEvidence } from '../../../engine/answer/evidence';
import { codeOf, isRetryable, outcomeOf } from '../../../engine/answer/judge';
import type { Method, Operation } from '../../../engine/area';
import type { FailureCode } from '../../../engine/failure';
import type { GatewayAnswer } from '../../../engine/http/gatewayAnswer';
import type { Outcome } from '../../../engine/outcome';
import { entries } from '../../contract/tables.cts';

type Evidence = Omit<AnyEvidence, 'method' | 'operation'>;

/** The kinds of operations, by the methods that most of them have: read, remove, create, replace, patch. */
const kinds = {
	GET: 'list',
	DELETE: 'empty',
	POST: 'single',
	PUT: 'empty',
	PATCH: 'bulk',
} as const;
const operationOf = (kind: Operation['kind']) =>
	entries.find(({ operation }) => operation.kind === kind)!.operation;

/** The evidence of a request of the method. */
const of = (method: Method, evidence: Evidence): AnyEvidence => ({
	method,
	operation: operationOf(kinds[method]),
	...evidence,
});

const answered = (status: number, retryAfter?: number) => ({ maybeSent: true, status, retryAfter });
const page = '<html><body>Sorry</body></html>';
const by = (reason?: GatewayAnswer['reason']) => ({ reason, words: '' });
const cut = 'brokenOff';

const none: Method[] = [];
const reads: Method[] = ['GET'];
const removals: Method[] = ['DELETE'];
const again: Method[] = ['GET', 'DELETE'];
const all: Method[] = ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'];

// What happened, which requests are sent again, the outcome of a write, of a create if that differs, and the code.
const no = ['refused', 'refused'] as const;
const doubt = ['inDoubt', 'inDoubt'] as const;
const unread = ['inDoubt', 'unreadable'] as const;
test.each<[string, Evidence, Method[], readonly [Outcome, Outcome], FailureCode?]>([
	['no connection', { maybeSent: false }, all, ['notSent', 'notSent']],
	['no answer', { maybeSent: true }, again, doubt],
	['201', answered(201), none, unread, 'unreadableAnswer'],
	['201, broken off', { ...answered(201), cut }, reads, unread],
	['lost, then so', { ...answered(204), cut, inDoubt: true }, reads, unread],
	['199', answered(199), none, doubt],
	['303', answered(303), none, doubt],
	['304', answered(304), none, doubt, 'unreadableAnswer'],
	['400', answered(400), none, no, 'valuesRefused'],
	['401', answered(401), all, no, 'tokenRefused'],
	['key', { ...answered(401), gateway: by('key') }, none, no, 'keyRefused'],
	['403', answered(403), none, no, 'notPermitted'],
	['403, a page', { ...answered(403), text: page }, removals, doubt, 'unreadableAnswer'],
	['quota', { ...answered(403, 100), gateway: by('quota') }, all, no, 'quotaUsedUp'],
	['IP filter', { ...answered(403), gateway: by() }, none, no],
	['404', answered(404), none, no, 'refused'],
	['404, a page', { ...answered(404), text: page }, removals, doubt, 'unreadableAnswer'],
	['no route', { ...answered(404), gateway: by() }, none, no],
	['407, a page', { ...answered(407), text: page }, none, no],
	['408', answered(408), again, doubt, 'serviceFailed'],
	['413, a page', { ...answered(413), text: page }, none, no],
	['418', answered(418), none, no, 'refused'],
	['422', answered(422), none, no, 'valuesRefused'],
	['429', answered(429), all, no, 'tooBusy'],
	['429, a page', { ...answered(429, 100), text: page }, all, no],
	['rate limit', { ...answered(429, 100), gateway: by() }, all, no],
	['499', answered(499), none, no],
	['500', answered(500), again, doubt],
	['activity', { ...answered(500), gateway: by() }, again, doubt],
	['502', answered(502), again, doubt, 'serviceFailed'],
	['503', answered(503), again, doubt, 'tooBusy'],
	['503 with Retry-After', answered(503, 0), again, doubt],
	['599', answered(599), again, doubt],
	['600', answered(600), none, doubt],
	['no number', answered(NaN), none, doubt],
])('%s', (_, evidence, sentAgain, [write, create], ...codes) => {
	expect(all.filter((method) => isRetryable(of(method, evidence)))).toEqual(sentAgain);
	const read = write === 'inDoubt' ? 'refused' : write;
	const outcomes = all.map((method) => outcomeOf(of(method, evidence)));
	expect(outcomes).toEqual([read, write, create, write, write]);
	for (const code of codes)
		for (const method of all) expect(codeOf(of(method, evidence))).toBe(code);
});

test('whatever happens, a write that may have been processed is not sent again', () => {
	const statuses = [undefined, ...Array.from({ length: 1100 }, (_, status) => status)];
	const tried = statuses.flatMap((status) =>
		[undefined, 0, 5000].flatMap((retryAfter) =>
			(['POST', 'PATCH'] as const).map((method) =>
				of(method, { maybeSent: true, status, retryAfter }),
			),
		),
	);
	const wrong = tried.filter((evidence) => {
		const { status = 0 } = evidence;
		const saysNotProcessed = status === 401 || status === 429;
		// "No" needs a status that says so.
		const saysNo = saysNotProcessed || (status >= 400 && status < 500);
		const isRefused = outcomeOf(evidence) === 'refused';
		return (isRetryable(evidence) && !saysNotProcessed) || (isRefused && !saysNo);
	});
	expect(wrong).toEqual([]);
	expect(tried.length).toBeGreaterThan(statuses.length);
});
