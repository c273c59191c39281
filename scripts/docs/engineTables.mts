// The engine's own rule tables, rendered for readers.
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

/**
 * The responses in words: one row per text, each with one condition. A superscript number refers to a note below the
 * table.
 */
const wordsOf: Record<Judging.CaseName, string | string[]> = {
	noConnection:
		'No connection: host not found, connection refused, TLS failed, or too slow to connect',
	noResponse: 'The connection broke after sending, or no response came in time',
	definiteRefusal: '2xx with only an error that is documented for 400 or 403',
	createdWithoutData: '201, where documented, but without the record or its ID ¹',
	brokenOff: '2xx whose response broke off',
	failureReported: '2xx that reports a failure ²',
	accepted: '202: accepted, but not carried out yet ³',
	recordBesideText: '2xx with the new record or its ID within other text',
	proofBesideText: '2xx with the proof within other text, where no data is expected',
	success: '2xx with the expected data',
	unreadable: 'Any other 2xx ⁴',
	notModified: ['304 to an ETag that was sent', '304 as a report on a path of a bulk patch'],
	notFound: "The service's own 404 to a repeated DELETE that was in doubt",
	keyRefused: '401 from the gateway: the subscription key',
	foreign: [
		'Any 4xx with a web page ⁵',
		"A 4xx to a write, in neither the service's nor the gateway's format ⁵ ⁶",
	],
	tokenRefused: '401: the token',
	tooMany: ['429', '403 from the gateway: a used-up quota'],
	serviceFailed: '408 or any 5xx',
	refused: 'Any other 4xx',
	unknown: 'Any other status: 1xx, 3xx, or not defined by HTTP',
};

/** The notes below the table; a row refers to them by these numbers. */
const raised = '¹²³⁴⁵⁶';
const notes = [
	'Also if the response broke off; not with a web page, nor for a file, since its record may lack it.',
	'`success` is false, 0 or null; there is an `error` or `errors`; `ok` is false; `status` means failure; or, where no data is expected, the body is a bare `false`.',
	"For a bulk patch, its paths' reports decide.",
	'Such as no body, text, a web page, incomplete JSON, or a number beyond 2<sup>53</sup>.',
	'Except 407, 408, 413 and 429, and a 401 to a read.',
	'Also except 409, 412 and 422; 400, unless to a DELETE; and 401, unless it asks for a password.',
];

const wordsOfMethods = (again: Judging.Case[2] = []): string =>
	again.length === methods.length ? 'all' : again.join(', ') || '–';

export const engineTables = (): Parts => ({
	/** What a response means. */
	policy: table(
		['What came', 'A write is', 'Retried'],
		Object.entries(cases).flatMap(([came, [, outcome, again]]) =>
			[wordsOf[came as Judging.CaseName]]
				.flat()
				.map((text) => [text, outcomes[outcome].label, wordsOfMethods(again)]),
		),
	).concat('\n\n', notes.map((note, at) => `${raised[at]} ${note}`).join('<br>\n')),
	codes: table(
		['`code`', 'What happened', '`fault`'],
		Object.entries(failureCodes).map(([name, [fault, meaning]]) => [
			code(name),
			meaning,
			code(fault),
		]),
	),
});
