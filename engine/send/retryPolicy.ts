// Decides whether and when a request may be sent again. Pure: no n8n, no clock, no network.
import type { Method } from '../area';
import type { Outcome } from '../failure';
import type { BodyText } from '../http/bodyText';
import type { GatewayAnswer } from '../http/gatewayAnswer';
import { isWebPage } from '../http/json';
import type { RetryLimits } from '../request/request';

/** What is known of how far one try of a request got. */
export interface TryEvidence extends Partial<Pick<BodyText, 'cut' | 'text'>> {
	method: Method;
	/** Whether a byte of the request may have left this machine. */
	maybeSent: boolean;
	/** HTTP status of the response; undefined when none came. */
	status?: number;
	/** Set when the gateway in front of the service responded in its place. */
	gateway?: GatewayAnswer;
	/** Milliseconds the service asks to wait; undefined when it asks for no wait. */
	retryAfter?: number;
	/** Whether this side ended the request, which shows nothing of the service. */
	endedHere?: boolean;
	/** Whether an earlier try of the same request may have been processed. */
	inDoubt?: boolean;
	/** Whether another connection would fail in the same way. */
	isFinal?: boolean;
}

/** The methods that may be sent again where it is harmless to be processed twice (RFC 9110 §9.2.2). */
const idempotent: readonly Method[] = ['GET', 'DELETE'];
const every: readonly Method[] = [...idempotent, 'POST', 'PATCH'];
const none: readonly Method[] = [];

export const isQuotaUsedUp = ({ gateway }: Pick<TryEvidence, 'gateway'>): boolean =>
	gateway?.reason === 'quota';

const isStatusBetween = (low: number, high: number, status = 0) => status >= low && status <= high;

interface RetryRule {
	/** In the words of the table in docs/reliability.md. */
	when: string;
	matches: (evidence: TryEvidence) => boolean;
	/** The outcome of a write. */
	verdict: Outcome;
	/** The methods whose requests are retried. */
	retried: readonly Method[];
}

/**
 * The first rule that applies counts. Statuses are those of RFC 9110 §15; 429 is defined in RFC 6585 §4. Only
 * `notSent` and `refused` say that nothing was changed. So they are given to named cases alone, and the last rule,
 * which takes everything that no other rule names, says `unknown`. The service has no idempotency key, so a request
 * whose outcome is unknown is only sent again where that is harmless. The table in docs/reliability.md is made from
 * these rules.
 */
export const retryRules: readonly RetryRule[] = [
	{
		when: 'No connection: name not found, refused, TLS, connecting took too long',
		matches: ({ maybeSent }) => !maybeSent,
		verdict: 'notSent',
		retried: every,
	},
	{
		when: 'After the request was sent, the connection broke or no response came in time',
		matches: ({ status }) => status === undefined,
		verdict: 'unknown',
		retried: idempotent,
	},
	{
		when: '2xx, but the response broke off',
		matches: ({ status }) => isStatusBetween(200, 299, status),
		verdict: 'done',
		retried: ['GET'],
	},
	{
		when: '401 from the gateway: the subscription key was refused',
		matches: ({ gateway }) => gateway?.reason === 'key',
		verdict: 'refused',
		retried: none,
	},
	{
		when: '401: the token was refused',
		matches: ({ status }) => status === 401,
		verdict: 'refused',
		retried: every,
	},
	{
		when: '429, 403 from the gateway: a quota is used up',
		matches: ({ status, gateway }) => status === 429 || isQuotaUsedUp({ gateway }),
		verdict: 'refused',
		retried: every,
	},
	// Also 503 with `Retry-After`: what stands in front of the service answers so after it has passed a request on, as
	// Varnish does.
	{
		when: '408, any 5xx',
		matches: ({ status }) => status === 408 || isStatusBetween(500, 599, status),
		verdict: 'unknown',
		retried: idempotent,
	},
	// A proxy gives such a page for a response of the service that it did not get, or does not pass on: nginx 404 or 405
	// for an error page of its own, ModSecurity 403. What is too large (413), or is not let into the proxy (407), was not
	// passed on.
	{
		when: 'Any other 4xx with a web page, but 407 and 413',
		matches: ({ status = 0, text = '' }) =>
			isStatusBetween(400, 499, status) && ![407, 413].includes(status) && isWebPage(text),
		verdict: 'unknown',
		retried: none,
	},
	{
		when: '304, any other 4xx',
		matches: ({ status }) => status === 304 || isStatusBetween(400, 499, status),
		verdict: 'refused',
		retried: none,
	},
	// Also 3xx: whoever processes a form often answers with the address of the next page. "See Other" is made for it
	// (RFC 9110 §15.4.4), and 301, 302, 307 and 308 are used for it.
	{
		when: 'Any other status: 3xx, 1xx, or one that HTTP does not define',
		matches: () => true,
		verdict: 'unknown',
		retried: none,
	},
];

const ruleFor = (evidence: TryEvidence): RetryRule =>
	retryRules.find(({ matches }) => matches(evidence))!;

/** Whether sending the same request again is harmless and may succeed. */
export const isRetryable = (evidence: TryEvidence): boolean =>
	ruleFor(evidence).retried.includes(evidence.method);

/**
 * What became of an item, by the evidence of its last try. A read changes nothing, so its outcome is never in doubt.
 */
export function outcomeOf(evidence: TryEvidence): Outcome {
	const outcome = ruleFor(evidence).verdict;
	if (evidence.method === 'GET') return evidence.maybeSent ? 'refused' : 'notSent';
	return evidence.inDoubt && outcome !== 'done' ? 'unknown' : outcome;
}

/** Whether the service did not respond in full, or says that it is too busy. */
export const isOverload = ({ status, gateway, endedHere, cut }: TryEvidence): boolean =>
	!endedHere &&
	(status === undefined ||
		[429, 503].includes(status) ||
		isQuotaUsedUp({ gateway }) ||
		cut === 'brokenOff');

/** What a try shows of the service. What fails may be the fault of the request alone. */
export type ServiceState = 'works' | 'fails' | 'overloaded';

/** @returns undefined where this side ended the request, which shows nothing of the service */
export function serviceStateOf(evidence: TryEvidence): ServiceState | undefined {
	const { status, endedHere } = evidence;
	if (endedHere) return undefined;
	if (isOverload(evidence)) return 'overloaded';
	return status !== 408 && isStatusBetween(100, 499, status) ? 'works' : 'fails';
}

/**
 * Whether the service asks to come again after a time that it names. It would take the request then, unless another
 * process comes first: such a try counts against 'Max Wait' alone.
 */
export const isPostponed = ({ retryAfter = 0 }: TryEvidence): boolean => retryAfter > 0;

/** Milliseconds. */
export const initialBackoff = 500;
/** Milliseconds. */
export const maxBackoff = 30_000;

/**
 * The wait after failures in a row, as exponential back-off. Up to half as much is added as jitter, so that processes do
 * not come back at once.
 * @param failures how many there were so far
 * @param random a random number from 0 up to but not including 1
 * @returns milliseconds
 */
export const backoffDelay = (failures: number, random: number): number =>
	Math.round(
		(1 + random / 2) * Math.min(maxBackoff, initialBackoff * 2 ** Math.max(0, failures - 1)),
	);

/**
 * Whether a request may have another try. A token that has ended is renewed at once, whatever 'Max Wait' says; after
 * everything else there is a wait.
 * @param tries how many were made that count against 'Max Tries': with a refused token, nothing was processed
 */
export function hasAnotherTry(
	evidence: TryEvidence,
	tries: number,
	{ maxTries, maxWait }: RetryLimits,
): boolean {
	const { status, cut, isFinal } = evidence;
	const isSuccess = isStatusBetween(200, 299, status) && cut !== 'brokenOff';
	if (isSuccess || isFinal || !isRetryable(evidence)) return false;
	return status === 401 || (tries < maxTries && maxWait > 0);
}
