// Judges what came of a try: what became of the item, and whether the request may be sent again. The table in
// docs/reliability.md is made from `cases`.
import type { Method } from '../area';
import { isServiceError } from '../http/gatewayResponse';
import type { Outcome } from '../outcome';
import { expectedOf, is, type Evidence, type Expected, type ServiceResponse } from './evidence';

/** The first entry of a list that fits decides. */
export type Fits<Shown = ServiceResponse> = (shown: Shown) => unknown;

/**
 * The methods that may be sent again where it is harmless to be processed twice (RFC 9110 §9.2.2). By that a PUT is one,
 * but the API spec has none, and what a service does that takes it for a POST is not known.
 */
const idempotent: readonly Method[] = ['GET', 'DELETE'];
const every: readonly Method[] = [...idempotent, 'POST', 'PUT', 'PATCH'];

const in2xx =
	(fits: Fits): Fits =>
	(response) =>
		is.success(response) && fits(response);

/**
 * Whether a 4xx may be that of something else than the service and its gateway, in place of a response that it did not get
 * or does not pass on: a page of nginx or ModSecurity, a firewall's text, a server that nginx asks instead. With some
 * statuses a request itself is judged, or its token. But a DELETE sends nothing, and Fastify says 400 to each that has a
 * Content-Type; and no token is refused by who asks for a password.
 */
function isForeign(response: ServiceResponse): boolean {
	const { status, method, path, gateway, asksForPassword, text } = response;
	if (!is.between(400, 499)(response) || is.oneOf(407, 408, 413, 429)(response)) return false;
	if (is.page(response)) return status !== 401 || !is.read(response);
	const judged = [409, 412, 422, method !== 'DELETE' && 400, !asksForPassword && 401];
	const isKnown = judged.includes(status) || path !== undefined || gateway || isServiceError(text);
	return !isKnown && !is.read(response);
}

/** Any program says 200 if it is told nothing else, also one that has ended before it did anything. */
const isNewRecord: Fits = (response) =>
	response.status === response.operation.successStatus &&
	(response.found?.data ?? response.found?.reportedFailure) === undefined &&
	!is.page(response);

const hasOtherText: Fits = ({ found }) => found?.data !== undefined && found.otherText;

/**
 * The earlier try may have deleted the record (RFC 9110 §9.2.2), or there never was one. What stands in front of the
 * service knows nothing of records, so a 404 counts only where the service itself says so.
 */
const isGone: Fits = ({ method, status, inDoubt, text }) =>
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

const hasNoResponse: Fits<Evidence> = ({ status }) => status === undefined;

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
export const cases = {
	noConnection: [(tried) => hasNoResponse(tried) && !tried.maybeSent, 'notSent', every],
	// The cases after this one are those of a response.
	noResponse: [hasNoResponse, 'inDoubt', idempotent],
	definiteRefusal: [in2xx(({ found }) => found?.reportedFailure === 'definitely'), 'refused'],
	createdWithoutData: [in2xx(isNewRecord), { record: 'unreadable' }],
	brokenOff: [in2xx(({ cut }) => cut === 'brokenOff'), 'inDoubt', ['GET']],
	failureReported: [in2xx(({ found }) => found?.reportedFailure === 'maybe'), 'inDoubt'],
	// "Accepted" does not say that the request was or will be carried out (RFC 9110 §15.3.3).
	accepted: [is.oneOf(202), atAll],
	dataBesideText: [in2xx(hasOtherText), { record: 'unreadable', nothing: 'inDoubt' }],
	success: [in2xx(({ found }) => found?.data !== undefined), 'sent'],
	unreadable: [in2xx(() => true), 'inDoubt'],
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
export type Came = keyof typeof cases;

const inOrder = Object.entries<Case>(cases);

/**
 * @returns what came, what became of an item by it if it is the item's last try, and whether sending the same request
 * again is harmless and may succeed
 */
export function judge(evidence: Evidence) {
	const expected = expectedOf(evidence);
	const endOf = ([, outcome]: Case) => (typeof outcome === 'object' ? outcome[expected] : outcome);
	const response = evidence as ServiceResponse;
	const [came, first] = inOrder.find(([, one]) => endOf(one) && one[0](response))!;
	let outcome = endOf(first)!;
	const isUnchanged = outcome === 'refused' || outcome === 'notSent';
	// A read never changes anything.
	if (expected === 'read' && !isUnchanged && outcome !== 'sent') outcome = 'refused';
	// That the last try of a write changed nothing says nothing of the one before it.
	if (expected !== 'read' && isUnchanged && evidence.inDoubt) outcome = 'inDoubt';
	return { came: came as Came, outcome, retryable: first[2]?.includes(evidence.method) ?? false };
}

/** A success without data: the name of the case stands in the output for the data. */
export type StandIn = 'notModified' | 'notFound';

export const isStandIn = (came: Came): came is StandIn =>
	came === 'notModified' || came === 'notFound';
