// Judges a try: the item's outcome, and whether the request may be retried. The table in docs/reliability.md is
// generated from `cases`.
import type { Method } from '../area';
import { isServiceError } from '../http/gatewayResponse';
import type { Outcome } from '../outcome';
import { expectedOf, is, type Evidence, type Expected, type ServiceResponse } from './evidence';

/** A condition in a table of rules: the first rule that matches decides. */
export type When<Shown = ServiceResponse> = (shown: Shown) => unknown;

/**
 * The methods that may be retried if processing them twice is harmless (RFC 9110 §9.2.2). That includes PUT there, but
 * the API spec has no PUT, and a service might handle it like a POST.
 */
const idempotent: readonly Method[] = ['GET', 'DELETE'];
const all: readonly Method[] = [...idempotent, 'POST', 'PUT', 'PATCH'];

const in2xx =
	(...conditions: When[]): When =>
	(response) =>
		is.success(response) && conditions.every((when) => when(response));

const expects =
	(...expected: Expected[]): When =>
	(response) =>
		expected.includes(expectedOf(response));

/**
 * Whether something other than the service and its gateway may have sent this 4xx, because it got no response or
 * withheld it: a page of nginx or ModSecurity, a firewall's text, another server that nginx asks instead. Some statuses
 * judge the request itself, or its token. Two do not: a 400 to a DELETE, since Fastify refuses every DELETE with a JSON
 * Content-Type and no body (fastify 5, FST_ERR_CTP_EMPTY_JSON_BODY); and a 401 that asks for a password, which is about
 * no token.
 */
function isForeign(response: ServiceResponse): boolean {
	const { status, method, path, gateway, asksForPassword, text } = response;
	if (!is.between(400, 499)(response) || is.oneOf(407, 408, 413, 429)(response)) return false;
	if (is.page(response)) return status !== 401 || !is.read(response);
	const judged = [409, 412, 422, method !== 'DELETE' && 400, !asksForPassword && 401];
	const isKnown = judged.includes(status) || path !== undefined || gateway || isServiceError(text);
	return !isKnown && !is.read(response);
}

/**
 * Whether the status proves a new record although the data is missing. Only the status that the API spec names for one
 * does: programs return 200 by default, even if they broke off before they did anything. An upload's record may lack its
 * file.
 */
const isNewRecord: When = (response) =>
	response.status === response.operation.successStatus &&
	response.sentBytes === undefined &&
	(response.found?.data ?? response.found?.reportedFailure) === undefined &&
	!is.page(response);

const hasOtherText: When = ({ found }) => found?.data !== undefined && found.otherText;

/**
 * The earlier try may have deleted the record (RFC 9110 §9.2.2), or the record never existed. A proxy in front of the
 * service knows no records, so a 404 counts only in a body that the service itself wrote.
 */
const isGone: When = ({ method, status, inDoubt, text }) =>
	method === 'DELETE' && status === 404 && inDoubt && isServiceError(text);

/** The outcome of a write, and the methods that are retried. A read that is not `sent` changes nothing. */
export type Case = readonly [when: When, outcome: Outcome, again?: readonly Method[]];

const hasNoResponse: When<Evidence> = ({ status }) => status === undefined;

/**
 * The cases of a try; scripts/docs describes each. The first case that matches decides. So a new status is one more
 * case, placed before the cases that it is an exception to.
 *
 * Statuses are those of RFC 9110 §15, and 429 of RFC 6585 §4. Only `notSent` and `refused` mean that nothing was
 * changed, so only specific cases have them, and the last one, which covers everything else, is `inDoubt`. The service
 * has no idempotency key, so a request in doubt is retried only if that is harmless. A success with the status that the
 * API spec names for a new record is `unreadable` at worst. If nothing is expected, the response itself is the proof.
 * In a bulk patch, only the reports on its paths are.
 */
export const cases = {
	noConnection: [(tried) => hasNoResponse(tried) && !tried.maybeSent, 'notSent', all],
	// The cases after this one have a response.
	noResponse: [hasNoResponse, 'inDoubt', idempotent],
	definiteRefusal: [in2xx(({ found }) => found?.reportedFailure === 'definitely'), 'refused'],
	createdWithoutData: [in2xx(expects('record'), isNewRecord), 'unreadable'],
	brokenOff: [in2xx(({ cut }) => cut === 'brokenOff'), 'inDoubt', ['GET']],
	failureReported: [in2xx(({ found }) => found?.reportedFailure === 'maybe'), 'inDoubt'],
	// "Accepted" does not mean that the request was or will be carried out (RFC 9110 §15.3.3).
	accepted: [in2xx(is.oneOf(202), expects('record', 'nothing', 'path')), 'inDoubt'],
	recordBesideText: [in2xx(expects('record'), hasOtherText), 'unreadable'],
	proofBesideText: [in2xx(expects('nothing'), hasOtherText), 'inDoubt'],
	success: [in2xx(({ found }) => found?.data !== undefined), 'sent'],
	unreadable: [is.success, 'inDoubt'],
	// A 304 is the response to a condition (RFC 9110 §15.4.5), and only an ETag is ever sent as one.
	notModified: [({ status, etag, path }) => status === 304 && (etag ?? path) !== undefined, 'sent'],
	notFound: [isGone, 'sent'],
	keyRefused: [({ gateway }) => gateway?.reason === 'key', 'refused'],
	// If it is a 401, the token may have ended even so, and later requests get another one.
	foreign: [isForeign, 'inDoubt', ['DELETE']],
	// A report on a path can have this status, too, but then the token was accepted with the request.
	tokenRefused: [({ status, path }) => status === 401 && path === undefined, 'refused', all],
	tooMany: [({ status, gateway }) => status === 429 || gateway?.reason === 'quota', 'refused', all],
	// This includes a 503 with `Retry-After`: Varnish sends one even after it has passed the request on (vcl_backend_error
	// in https://github.com/varnishcache/varnish-cache/blob/master/bin/varnishd/builtin.vcl).
	serviceFailed: [is.between(500, 599, 408), 'inDoubt', idempotent],
	refused: [is.between(400, 499), 'refused'],
	unknown: [() => true, 'inDoubt'],
} satisfies Record<string, Case>;

/** The name of a case. */
export type CaseName = keyof typeof cases;

const caseEntries = Object.entries(cases) as ReadonlyArray<[CaseName, Case]>;

/**
 * Call this once for each try, and for each path of a bulk patch: everything else reads the verdict.
 * @returns the case; the item's outcome if this is its last try; and whether a retry of the same request is harmless
 * and may succeed
 */
export function judge(evidence: Evidence) {
	const response = evidence as ServiceResponse;
	const [caseName, [, outcomeOfWrite, again]] = caseEntries.find(([, [when]]) => when(response))!;
	let outcome = outcomeOfWrite;
	const isUnchanged = outcome === 'refused' || outcome === 'notSent';
	// A read never changes anything.
	if (is.read(evidence) && !isUnchanged && outcome !== 'sent') outcome = 'refused';
	// If the last try of a write changed nothing, an earlier one still may have.
	if (!is.read(evidence) && isUnchanged && evidence.inDoubt) outcome = 'inDoubt';
	return { caseName, outcome, retryable: again?.includes(evidence.method) ?? false };
}

/** What a try proves. */
export type Verdict = Readonly<ReturnType<typeof judge>>;

/** Evidence, and what it proves. */
export type Judged<Shown = Evidence> = Shown & { readonly verdict: Verdict };

/** The response to the last try of a request. */
export interface FinalResponse extends Judged<ServiceResponse> {
	/** The number of tries, whether or not they were sent. */
	readonly tries: number;
	/** Shortens a text from the response for a message and removes the credential's secrets. Output data is not quoted. */
	readonly quote: (text: string) => string;
}

/** The reports in the response to a bulk patch, by path; each path is judged like a response. */
export type PathReports = ReadonlyMap<string, Judged<ServiceResponse>>;

/**
 * Whether a try leaves a write in doubt, whatever its earlier tries did, for a reason that may affect other requests,
 * too; a 500 may not. A bulk patch is in doubt if each reported path is, or if none is reported.
 */
export function leavesInDoubt(tried: Judged): boolean {
	const data = tried.found?.data;
	const parts: Judged[] = data instanceof Map ? [...(data as PathReports).values()] : [tried];
	const isOpen = ({ status, verdict: { caseName } }: Judged) =>
		status !== 500 && cases[caseName][1] === 'inDoubt';
	return !is.read(tried) && parts.every(isOpen);
}

/** A success without data: the output has the name of its case instead. */
export type StandIn = 'notModified' | 'notFound';

export const isStandIn = (caseName: CaseName): caseName is StandIn =>
	caseName === 'notModified' || caseName === 'notFound';
