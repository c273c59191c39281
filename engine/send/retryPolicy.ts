// Decides whether and when a request may be sent again. Pure: no n8n, no clock, no network.
import type { Method } from '../area';
import type { Outcome } from '../failure';
import type { GatewayReason } from '../http/gatewayAnswer';
import type { RetryLimits } from '../request/request';

/** What is known of how far one try of a request got. */
export interface TryEvidence {
	/** Whether a byte of the request may have left this machine. */
	maybeSent: boolean;
	/** HTTP status of the answer; undefined when none came. */
	status?: number;
	/** Why the gateway before the service did not pass the request on; undefined when it is not the gateway's answer. */
	gateway?: GatewayReason;
	/** Milliseconds the service asks to wait; undefined when it asks for no wait. */
	retryAfter?: number;
	/** Whether this side ended the request, which shows nothing of the service. */
	endedHere?: boolean;
	/** Whether an earlier try of the same request may have been processed. */
	inDoubt?: boolean;
}

/**
 * Whether the service processed the request, as far as the evidence tells. It is `refused` when the service answered
 * that it will not do it.
 */
export type Processed = 'no' | 'perhaps' | 'refused' | 'yes';

const isStatusBetween = (low: number, high: number, status = 0) => status >= low && status <= high;

interface RetryRule {
	/** What happened, in the words of the table in docs/reliability.md. */
	happened: string;
	appliesTo: (evidence: TryEvidence) => boolean;
	processed: Processed;
	/** Whether another try would end in the same way, so that not even a read is sent again. */
	isFinal?: boolean;
}

/**
 * The first rule that applies counts. Statuses are those of RFC 9110 §15; 429 is defined in RFC 6585 §4. Only "no"
 * and "refused" say that nothing was changed. So they are given to named cases alone, and the last rule, which takes
 * everything that no other rule names, says "perhaps". The table in docs/reliability.md is made from these rules.
 */
export const retryRules: readonly RetryRule[] = [
	{
		happened: 'No connection: name not found, refused, TLS, connecting took too long',
		appliesTo: ({ maybeSent }) => !maybeSent,
		processed: 'no',
	},
	{
		happened: 'After the request was sent, the connection broke or no answer came in time',
		appliesTo: ({ status }) => status === undefined,
		processed: 'perhaps',
	},
	{
		happened: '2xx, but the answer broke off',
		appliesTo: ({ status }) => isStatusBetween(200, 299, status),
		processed: 'yes',
	},
	{
		happened: '401 of the gateway: the subscription key was refused',
		appliesTo: ({ gateway }) => gateway === 'key',
		processed: 'no',
		isFinal: true,
	},
	{
		happened: '403 of the gateway: a quota is used up',
		appliesTo: ({ gateway }) => gateway === 'quota',
		processed: 'no',
	},
	{
		happened: '401: the token was refused',
		appliesTo: ({ status }) => status === 401,
		processed: 'no',
	},
	{ happened: '429', appliesTo: ({ status }) => status === 429, processed: 'no' },
	{
		happened: '503 with `Retry-After`',
		appliesTo: ({ status, retryAfter }) => status === 503 && retryAfter !== undefined,
		processed: 'no',
	},
	{ happened: '408', appliesTo: ({ status }) => status === 408, processed: 'perhaps' },
	{
		happened: '500, 502, 504, 503 without `Retry-After`, any other 5xx',
		appliesTo: ({ status }) => isStatusBetween(500, 599, status),
		processed: 'perhaps',
	},
	// Whoever processes a form often answers with the address of the next page: "See Other" is made for it (RFC 9110
	// §15.4.4), and 301, 302, 307 and 308 are used for it.
	{
		happened: 'Any 3xx but 304',
		appliesTo: ({ status }) => status !== 304 && isStatusBetween(300, 399, status),
		processed: 'perhaps',
		isFinal: true,
	},
	{
		happened: '304, any other 4xx',
		appliesTo: ({ status }) => status === 304 || isStatusBetween(400, 499, status),
		processed: 'refused',
	},
	{
		happened: 'Any other status: one that HTTP does not have, or 1xx, which does not end a request',
		appliesTo: () => true,
		processed: 'perhaps',
		isFinal: true,
	},
];

/**
 * The methods that may be repeated. The service has no idempotency key, so a request that may have been processed is
 * only repeated where a repetition is harmless.
 */
const methodsRepeatable: Record<Processed, readonly Method[]> = {
	no: ['GET', 'DELETE', 'POST', 'PATCH'],
	perhaps: ['GET', 'DELETE'],
	yes: ['GET'],
	refused: [],
};

/** The methods whose requests are sent again where this rule applies. */
export const methodsSentAgain = ({ processed, isFinal }: RetryRule): readonly Method[] =>
	isFinal ? [] : methodsRepeatable[processed];

const ruleFor = (evidence: TryEvidence): RetryRule =>
	retryRules.find(({ appliesTo }) => appliesTo(evidence))!;

export const wasProcessed = (evidence: TryEvidence): Processed => ruleFor(evidence).processed;

/** Whether sending the same request again is harmless and may succeed. */
export const isRetryable = (method: Method, evidence: TryEvidence): boolean =>
	methodsSentAgain(ruleFor(evidence)).includes(method);

/**
 * What became of an item, by the evidence of its last try. A read changes nothing, so its outcome is never in doubt.
 */
export function outcomeOf(method: Method, evidence: TryEvidence): Outcome {
	if (method === 'GET') return evidence.maybeSent ? 'refused' : 'notSent';
	const processed = wasProcessed(evidence);
	if (processed === 'yes') return 'done';
	if (processed === 'perhaps' || evidence.inDoubt) return 'unknown';
	return evidence.maybeSent ? 'refused' : 'notSent';
}

/** Whether a try shows that the service is overloaded, so that fewer requests should be under way at once. */
export const isOverload = ({ status, endedHere }: TryEvidence): boolean =>
	!endedHere && (status === undefined || status === 429 || status === 503);

/** Milliseconds. */
export const initialBackoff = 500;
/** Milliseconds. */
export const maxBackoff = 30_000;

/**
 * The wait before the next try, as exponential back-off with full jitter.
 * @param tries how many tries were made so far
 * @param random a random number from 0 up to but not including 1
 * @returns milliseconds
 */
export const backoffDelay = (tries: number, random: number): number =>
	Math.round(random * Math.min(maxBackoff, initialBackoff * 2 ** Math.max(0, tries - 1)));

/**
 * Whether and when a request is sent again: after the wait that the service asks for, else after a back-off.
 * @param soFar how many tries were made, and how many milliseconds were waited between them
 * @param random a random number from 0 up to but not including 1
 * @returns milliseconds to wait; undefined when the request is not sent again
 */
export function retryDelay(
	method: Method,
	evidence: TryEvidence,
	soFar: { tries: number; waited: number },
	{ maxTries, maxWait }: RetryLimits,
	random: number,
): number | undefined {
	if (!isRetryable(method, evidence) || soFar.tries >= maxTries) return undefined;
	const delay = evidence.retryAfter ?? backoffDelay(soFar.tries, random);
	return soFar.waited + delay <= maxWait ? delay : undefined;
}
