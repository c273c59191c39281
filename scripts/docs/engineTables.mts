// Tables that the engine itself works by, to be read.
import type * as Judging from '../../engine/response/judge.ts';
import type * as Failures from '../../engine/failure.ts';
import type * as Outcomes from '../../engine/outcome.ts';
import { code, table } from './markdown.mts';
import { built } from './package.mts';
import type { Parts } from './pages.mts';

const { cases } = built('engine/response/judge.js') as typeof Judging;
const { failureCodes } = built('engine/failure.js') as typeof Failures;
const { outcomes } = built('engine/outcome.js') as typeof Outcomes;

const methods = ['GET', 'DELETE', 'POST', 'PUT', 'PATCH'] as const;

/** What a write may expect of its response, as a person calls it. */
const expected = {
	record: 'a record or its ID',
	nothing: 'no data',
	reports: 'bulk',
	path: 'a path in bulk',
};

/** What came, in words. */
const wordsOf: Record<Judging.Came, string> = {
	noConnection: 'No connection: name not found, refused, TLS, connecting took too long',
	noResponse: 'After the request was sent, the connection broke or no response came in time',
	definiteRefusal: '2xx with only an error body that the service has for 400 or 403',
	createdWithoutData:
		'2xx without the expected data, but with the status that the API spec names for a new record (201)',
	brokenOff: '2xx, but the response broke off',
	failureReported:
		'2xx with `success` that is not true, `errors`, `error`, `ok` false, a `status` of a failure (of Agency Records Request, `success` false, or a body of nothing but such words); or `false` where no data is expected',
	accepted: '202',
	dataBesideText: '2xx with the expected data, and other text around it',
	success: '2xx with the expected data',
	unreadable:
		'2xx with anything else: no body, text, a web page, incomplete JSON, JSON of another shape, not in UTF-8, or with a number beyond 2^53',
	notModified: '304 to an ETag that was sent, or as a report on a path',
	notFound: 'A DELETE that was in doubt is repeated: 404, from the service itself',
	keyRefused: '401 from the gateway: the subscription key was refused',
	foreign:
		'4xx, but 407, 408, 413 and 429, with a web page, or to a write in a shape of neither the service nor its gateway (400, 401, 409, 412, 422 in any shape, but a 401 that asks for a password and a 400 to a DELETE)',
	tokenRefused: '401: the token was refused',
	tooMany: '429, 403 from the gateway: a quota is used up',
	serviceFailed: '408, any 5xx',
	refused: 'Any other 4xx',
	unknown: 'Any other status: 304 to no ETag, any other 3xx, 1xx, or one that HTTP does not define',
};

/** What became of a write; where that depends on what is expected, of which writes the case says something. */
function wordsOfWrite(outcome: Judging.Case[1]): string {
	if (typeof outcome === 'string') return outcomes[outcome].label;
	const named = Object.entries(outcome).map(([kind, ended]) => [
		outcomes[ended].label,
		expected[kind as keyof typeof expected],
	]);
	return [...new Set(named.map(([label]) => label))]
		.map(
			(one) =>
				`${one} (${named.flatMap(([label, kind]) => (label === one ? kind! : [])).join(', ')})`,
		)
		.join('; ');
}

const wordsOfMethods = (again: Judging.Case[2] = []): string =>
	again.length === methods.length ? 'all' : again.join(', ') || '–';

export const engineTables = (): Parts => ({
	/** What a response means. */
	policy: table(
		['What came', 'A write is', 'Sent again'],
		Object.entries(cases).map(([came, [, outcome, again]]) => [
			wordsOf[came as Judging.Came],
			wordsOfWrite(outcome),
			wordsOfMethods(again),
		]),
	),
	codes: table(
		['`code`', 'What happened', '`fault`'],
		Object.entries(failureCodes).map(([name, [fault, meaning]]) => [
			code(name),
			meaning,
			code(fault),
		]),
	),
});
