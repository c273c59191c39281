// Judges what came of a try: what became of the item, and whether the request may be sent again. The table in
// docs/reliability.md is made from `cases`.
import type { Method } from '../area';
import { isServiceError } from '../http/gatewayAnswer';
import type { Outcome } from '../outcome';
import { expectedOf, is, type Evidence, type Expected } from './evidence';

/** The first entry of a list that fits decides. */
export type Fits<Shown = Evidence> = (evidence: Shown) => unknown;

/**
 * The methods that may be sent again where it is harmless to be processed twice (RFC 9110 §9.2.2). By that a PUT is one,
 * but the API spec has none, and what a service does that takes it for a POST is not known.
 */
const idempotent: readonly Method[] = ['GET', 'DELETE'];
const every: readonly Method[] = [...idempotent, 'POST', 'PUT', 'PATCH'];

const in2xx =
	(fits: Fits): Fits =>
	(evidence) =>
		is.success(evidence) && fits(evidence);

/**
 * Whether a 4xx may be that of something else than the service and its gateway, in place of a response that it did not get
 * or does not pass on: a page of nginx or ModSecurity, a firewall's text, a server that nginx asks instead. With some
 * statuses a request itself is judged, or its token. But a DELETE sends nothing, and Fastify says 400 to each that has a
 * Content-Type; and no token is refused by who asks for a password.
 */
function isForeign(evidence: Evidence): boolean {
	const { status, method, path, gateway, asksForPassword, text = '' } = evidence;
	if (!is.between(400, 499)(evidence) || is.oneOf(407, 408, 413, 429)(evidence)) return false;
	if (is.page(evidence)) return status !== 401 || !is.read(evidence);
	const judged = [409, 412, 422, method !== 'DELETE' && 400, !asksForPassword && 401];
	const isKnown = judged.includes(status!) || path !== undefined || gateway || isServiceError(text);
	return !isKnown && !is.read(evidence);
}

/** Any program says 200 if it is told nothing else, also one that has ended before it did anything. */
const isNewRecord: Fits = (evidence) =>
	evidence.status === evidence.operation.successStatus &&
	(evidence.data ?? evidence.reportedFailure) === undefined &&
	!is.page(evidence);

const hasOtherText: Fits = ({ data, otherText }) => data !== undefined && otherText;

/**
 * The earlier try may have deleted the record (RFC 9110 §9.2.2), or there never was one. What stands in front of the
 * service knows nothing of records, so a 404 counts only where the service itself says so.
 */
const isGone: Fits = ({ method, status, inDoubt, text = '' }) =>
	method === 'DELETE' && status === 404 && inDoubt && isServiceError(text);

/**
 * What became of a write, where it makes a difference by what is expected, and the methods whose requests are sent again.
 * A read that is not `sent` changes nothing.
 */
export type Case = readonly [
	fits: Fits,
	outcome: Outcome | Partial<Record<Expected, Outcome>>,
	again?: readonly Method[],
];

const atAll = { record: 'inDoubt', nothing: 'inDoubt', path: 'inDoubt' } as const;

/**
 * What came; scripts/docs has each in words. The first case that fits, and that says something of what is expected,
 * decides: a new status is one more case, in front of those that it is an exception from.
 *
 * Statuses are those of RFC 9110 §15; 429 is defined in RFC 6585 §4. Only `notSent` and `refused` say that nothing was
 * changed. So they are given to named cases alone, and the last one, which takes everything that no other case is,
 * says `inDoubt`. The service has no idempotency key, so a request that is in doubt is only sent again where that is
 * harmless. A success with the status that the API spec names for a new record can show no worse than
 * `unreadable`; where nothing is expected, the response itself is the proof; of a bulk patch, only the reports on its
 * paths are.
 */
const table = {
	noConnection: [({ maybeSent }) => !maybeSent, 'notSent', every],
	noResponse: [({ status }) => status === undefined, 'inDoubt', idempotent],
	definiteRefusal: [in2xx(({ reportedFailure }) => reportedFailure === 'definitely'), 'refused'],
	createdWithoutData: [in2xx(isNewRecord), { record: 'unreadable' }],
	brokenOff: [in2xx(({ cut }) => cut === 'brokenOff'), 'inDoubt', ['GET']],
	failureReported: [in2xx(({ reportedFailure }) => reportedFailure === 'maybe'), 'inDoubt'],
	// "Accepted" does not say that the request was or will be carried out (RFC 9110 §15.3.3).
	accepted: [is.oneOf(202), atAll],
	dataBesideText: [in2xx(hasOtherText), { record: 'unreadable', nothing: 'inDoubt' }],
	success: [in2xx(({ data }) => data !== undefined), 'sent'],
	unreadable: [in2xx(({ reportedFailure }) => !reportedFailure), 'inDoubt'],
	// A 304 answers a condition (RFC 9110 §15.4.5), and an ETag is the only one that is ever sent.
	notModified: [({ status, etag, path }) => status === 304 && (etag ?? path) !== undefined, 'sent'],
	notFound: [isGone, 'sent'],
	keyRefused: [({ gateway }) => gateway?.reason === 'key', 'refused'],
	// Where that is a 401, the token may have ended all the same, so later requests have another one.
	foreign: [isForeign, 'inDoubt', ['DELETE']],
	// Where a report on a path has this status, the token was accepted with the request.
	tokenRefused: [({ status, path }) => status === 401 && path === undefined, 'refused', every],
	tooMany: [
		({ status, gateway }) => status === 429 || gateway?.reason === 'quota',
		'refused',
		every,
	],
	// Also 503 with `Retry-After`: what stands in front of the service answers so after it has passed a request on, as
	// Varnish does.
	serviceFailed: [is.between(500, 599, 408), 'inDoubt', idempotent],
	refused: [is.between(400, 499), 'refused'],
	unknown: [() => true, 'inDoubt'],
} satisfies Record<string, Case>;

/** The name of a case. */
export type Came = keyof typeof table;

export const cases: Readonly<Record<Came, Case>> = table;

const names = Object.keys(cases) as Came[];

/** @returns what came, and what became of an item by it, if it is the item's last try */
export function judge(evidence: Evidence): { came: Came; outcome: Outcome } {
	const expected = expectedOf(evidence);
	const endOf = (name: Came) => {
		const [, outcome] = cases[name];
		return typeof outcome === 'object' ? outcome[expected] : outcome;
	};
	const came = names.find((name) => endOf(name) && cases[name][0](evidence))!;
	const outcome = endOf(came)!;
	const isUnchanged = outcome === 'refused' || outcome === 'notSent';
	// A read never changes anything.
	if (expected === 'read')
		return { came, outcome: isUnchanged || outcome === 'sent' ? outcome : 'refused' };
	// That the last try changed nothing says nothing of the one before it.
	return { came, outcome: isUnchanged && evidence.inDoubt ? 'inDoubt' : outcome };
}

/** Whether sending the same request again is harmless and may succeed. */
export const isRetryable = (evidence: Evidence): boolean =>
	cases[judge(evidence).came][2]?.includes(evidence.method) ?? false;

export const outcomeOf = (evidence: Evidence): Outcome => judge(evidence).outcome;

/** A success without data: the name of the case stands in the output for the data. */
export type StandIn = 'notModified' | 'notFound';

export const isStandIn = (came: Came): came is StandIn =>
	came === 'notModified' || came === 'notFound';
