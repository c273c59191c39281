// Checks the table of responses, row by row, against the API spec and HTTP: the rows here are written by hand, none is
// taken from the table.
import type { Evidence, ServiceResponse } from '../../../engine/response/evidence';
import { judge, type FinalResponse } from '../../../engine/response/judge';
import { failureOf } from '../../../engine/response/responseFailure';
import type { Method, Operation } from '../../../engine/area';
import type { FailureCode } from '../../../engine/failure';
import type { GatewayResponse } from '../../../engine/http/gatewayResponse';
import type { Outcome } from '../../../engine/outcome';
import { entries } from '../../contract/tables.cts';
import { contentOf } from '../operation.cts';

/** A row's description of a try; without a status, there was no response. */
type Shown = Partial<Omit<ServiceResponse, 'method' | 'operation' | 'content'>>;

/** The kinds of operations by their usual methods: read, remove, create, replace, patch. */
const kind = { GET: 'list', DELETE: 'empty', POST: 'single', PUT: 'empty', PATCH: 'bulk' } as const;
const operationOf = (wanted: Operation['kind']) =>
	entries.find(({ operation }) => operation.kind === wanted)!.operation;

/** The evidence for a request with the method. */
const of = (method: Method, shown: Shown): Evidence => {
	const operation = operationOf(kind[method]);
	const text = shown.status === undefined ? undefined : '';
	return { method, operation, content: contentOf(operation), text, ...shown } as Evidence;
};

const outcomeOf = (evidence: Evidence) => judge(evidence).outcome;
const isRetryable = (evidence: Evidence) => judge(evidence).retryable;

const codeOf = (evidence: Evidence) =>
	failureOf({ tries: 1, quote: String, ...evidence, verdict: judge(evidence) } as FinalResponse)
		.code;

const returned = (status: number, retryAfter?: number) => ({ maybeSent: true, status, retryAfter });
const page = '<html><body>Sorry</body></html>';
// As sent by lighttpd and tinyproxy.
const xhtml = '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">';
const own = { text: '{"success":false,"errors":"No"}' };
const typed = { text: '{"errors":[{"type":"Duplicate","message":"is there"}]}' };
const foreign = { text: '{"message":"Route POST:/things not found","error":"Not Found"}' };
const asksForPassword = true;
const by = (reason?: GatewayResponse['reason']) => ({ reason, words: '' });
const cut = 'brokenOff';

const none: Method[] = [];
const reads: Method[] = ['GET'];
const removals: Method[] = ['DELETE'];
const again: Method[] = ['GET', 'DELETE'];
const all: Method[] = ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'];

// The event, the retried methods, the outcomes of a write and of a create, and the code.
const no = ['refused', 'refused'] as const;
const doubt = ['inDoubt', 'inDoubt'] as const;
const unread = ['inDoubt', 'unreadable'] as const;
test.each<[string, Shown, Method[], readonly [Outcome, Outcome], FailureCode?]>([
	['no connection', { maybeSent: false }, all, ['notSent', 'notSent']],
	['no response', { maybeSent: true }, again, doubt],
	// PHP returns 200 if its program exits before it has done anything.
	['200 without the data', returned(200), none, doubt, 'unreadableResponse'],
	['200, broken off', { ...returned(200), cut }, reads, doubt],
	['200, too large', { ...returned(200), cut: 'tooLarge' }, none, doubt],
	['200 with the data', { ...returned(200), found: { data: { id: 7 } } }, none, ['sent', 'sent']],
	['200, a refusal', { ...returned(200), found: { reportedFailure: 'definitely' } }, none, no],
	['204', returned(204), none, doubt],
	['201', returned(201), none, unread, 'unreadableResponse'],
	['201, broken off', { ...returned(201), cut }, reads, unread],
	['lost, then so', { ...returned(201), cut, inDoubt: true }, reads, unread],
	['199', returned(199), none, doubt],
	['303', returned(303), none, doubt],
	['304', returned(304), none, doubt, 'unreadableResponse'],
	['400', { ...returned(400), ...own }, none, no, 'valuesRefused'],
	['400, a page', { ...returned(400), text: xhtml }, removals, doubt, 'unreadableResponse'],
	['401', returned(401), all, no, 'tokenRefused'],
	['401 in any shape', { ...returned(401), ...foreign }, all, no, 'tokenRefused'],
	["401 in the service's own shape", { ...returned(401), ...own, asksForPassword }, all, no],
	['key', { ...returned(401), gateway: by('key') }, none, no, 'keyRefused'],
	['402', returned(402), removals, doubt],
	['403', { ...returned(403), ...own }, none, no, 'notPermitted'],
	['403 without a word', returned(403), removals, doubt],
	['403, a text', { ...returned(403), text: 'Forbidden' }, removals, doubt],
	['403, a page', { ...returned(403), text: page }, removals, doubt, 'unreadableResponse'],
	['quota', { ...returned(403, 100), gateway: by('quota') }, all, no, 'quotaUsedUp'],
	['IP filter', { ...returned(403), gateway: by() }, none, no],
	['404', { ...returned(404), ...own }, none, no, 'refused'],
	['404, errors with a type', { ...returned(404), ...typed }, none, no, 'refused'],
	['404 in a shape of others', { ...returned(404), ...foreign }, removals, doubt],
	['404, XHTML', { ...returned(404), text: xhtml }, removals, doubt, 'unreadableResponse'],
	['404, a page', { ...returned(404), text: page }, removals, doubt, 'unreadableResponse'],
	['no route', { ...returned(404), gateway: by() }, none, no],
	['409', { ...returned(409), ...foreign }, none, no, 'refused'],
	['410', { ...returned(410), ...foreign }, removals, doubt],
	['412', returned(412), none, no, 'refused'],
	['412, a page', { ...returned(412), text: page }, removals, doubt],
	['415', { ...returned(415), ...foreign }, removals, doubt],
	['407, a page', { ...returned(407), text: page }, none, no],
	['408', returned(408), again, doubt, 'serviceFailed'],
	['413, a page', { ...returned(413), text: page }, none, no],
	['418', { ...returned(418), ...typed }, none, no, 'refused'],
	['422', returned(422), none, no, 'valuesRefused'],
	['429', returned(429), all, no, 'tooBusy'],
	['429, a page', { ...returned(429, 100), text: page }, all, no],
	['rate limit', { ...returned(429, 100), gateway: by() }, all, no],
	['499', returned(499), removals, doubt],
	['500', returned(500), again, doubt],
	['activity', { ...returned(500), gateway: by() }, again, doubt],
	['502', returned(502), again, doubt, 'serviceFailed'],
	['503', returned(503), again, doubt, 'tooBusy'],
	['503 with Retry-After', returned(503, 0), again, doubt],
	['599', returned(599), again, doubt],
	['600', returned(600), none, doubt],
	['no number', returned(NaN), none, doubt],
])('%s', (_, evidence, sentAgain, [write, create], ...codes) => {
	expect(all.filter((method) => isRetryable(of(method, evidence)))).toEqual(sentAgain);
	const read = write === 'inDoubt' ? 'refused' : write;
	const outcomes = all.map((method) => outcomeOf(of(method, evidence)));
	expect(outcomes).toEqual([read, write, create, write, write]);
	for (const code of codes)
		for (const method of all) expect(codeOf(of(method, evidence))).toBe(code);
});

test('a 400 in any shape is about the values, except for a DELETE, which sends none', () => {
	const evidence = { ...returned(400), ...foreign };
	const outcomes = all.map((method) => outcomeOf(of(method, evidence)));
	expect(outcomes).toEqual(['refused', 'inDoubt', 'refused', 'refused', 'refused']);
	expect(all.filter((method) => isRetryable(of(method, evidence)))).toEqual(removals);
});

// A read changes nothing, so the token may be renewed for it.
test.each<[string, Shown]>([
	['a web page', { ...returned(401), text: page }],
	['a question for a password', { ...returned(401), ...foreign, asksForPassword }],
])('a 401 with %s leaves a write in doubt', (_, evidence) => {
	expect(all.filter((method) => isRetryable(of(method, evidence)))).toEqual(again);
	expect(all.map((method) => outcomeOf(of(method, evidence)))).toEqual([
		'refused',
		...Array<Outcome>(4).fill('inDoubt'),
	]);
});

test('a write that may have been processed is never resent', () => {
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
		// A refusal needs a status that means one, or the service's words.
		const saysNo = saysNotProcessed || [400, 407, 409, 412, 413, 422].includes(status);
		const isRefused = outcomeOf(evidence) === 'refused';
		return (isRetryable(evidence) && !saysNotProcessed) || (isRefused && !saysNo);
	});
	expect(wrong).toEqual([]);
	expect(tried.length).toBeGreaterThan(statuses.length);
});
