// Which request may be sent again, and when. Pure: no n8n, no clock, no network.
import type { Method } from '../area';
import type { Outcome } from '../failure';
import type { RetryLimits } from '../request/request';

/** How far one try of a request got. */
export interface TryEvidence {
	/** Whether a byte of the request may have left this machine. */
	sent: boolean;
	/** HTTP status; undefined when no answer came. */
	status?: number;
	/** Milliseconds the service asks to wait, if it does. */
	retryAfter?: number;
	/** Whether an earlier try of the same request may have been processed. */
	inDoubt?: boolean;
}

/** What the service did with the request, as far as that can be told. */
export type Processed = 'no' | 'perhaps' | 'refused' | 'yes';

const isStatusBetween = (low: number, high: number, status = 0) => status >= low && status <= high;

interface RetryRule {
	happened: string;
	is: (evidence: TryEvidence) => boolean;
	processed: Processed;
	/** Whether another try would give the same, so that not even a read is sent again. */
	isFinal?: boolean;
}

/**
 * The first row that fits counts. Statuses: RFC 9110 §15; 429: RFC 6585 §4. Only "no" and "refused" say that
 * nothing was changed, so their rows name what they stand for; the last row, for all else, does not.
 * The table in docs/reliability.md is made of these rows.
 */
export const retryRules: readonly RetryRule[] = [
	{
		happened: 'No connection: name not found, refused, TLS, connecting took too long',
		is: ({ sent }) => !sent,
		processed: 'no',
	},
	{
		happened: 'After the request was sent, the connection broke or no answer came in time',
		is: ({ status }) => status === undefined,
		processed: 'perhaps',
	},
	{
		happened: '2xx, but the answer broke off',
		is: ({ status }) => isStatusBetween(200, 299, status),
		processed: 'yes',
	},
	{ happened: '401: the token was refused', is: ({ status }) => status === 401, processed: 'no' },
	{ happened: '429', is: ({ status }) => status === 429, processed: 'no' },
	{
		happened: '503 with `Retry-After`',
		is: ({ status, retryAfter }) => status === 503 && retryAfter !== undefined,
		processed: 'no',
	},
	{ happened: '408', is: ({ status }) => status === 408, processed: 'perhaps' },
	{
		happened: '500, 502, 504, 503 without `Retry-After`, any other 5xx',
		is: ({ status }) => isStatusBetween(500, 599, status),
		processed: 'perhaps',
	},
	// "See Other" (RFC 9110 §15.4.4) is how a service may answer what it has processed.
	{
		happened: '303',
		is: ({ status }) => status === 303,
		processed: 'perhaps',
		isFinal: true,
	},
	{
		happened: 'Any other 3xx or 4xx',
		is: ({ status }) => isStatusBetween(300, 499, status),
		processed: 'refused',
	},
	{
		happened: 'Any other status: one that HTTP does not have, or 1xx, which does not end a request',
		is: () => true,
		processed: 'perhaps',
		isFinal: true,
	},
];

/** The service has no idempotency key: what may have been processed is repeated only where repeating is harmless. */
const methodsRepeatable: Record<Processed, readonly Method[]> = {
	no: ['GET', 'DELETE', 'POST', 'PATCH'],
	perhaps: ['GET', 'DELETE'],
	yes: ['GET'],
	refused: [],
};

/** The methods whose requests are sent again after what a row says. */
export const methodsSentAgain = ({ processed, isFinal }: RetryRule): readonly Method[] =>
	isFinal ? [] : methodsRepeatable[processed];

const ruleFor = (evidence: TryEvidence): RetryRule => retryRules.find(({ is }) => is(evidence))!;

export const wasProcessed = (evidence: TryEvidence): Processed => ruleFor(evidence).processed;

/** Whether the same request may be sent again without harm, and with a chance. */
export const isRetryable = (method: Method, evidence: TryEvidence): boolean =>
	methodsSentAgain(ruleFor(evidence)).includes(method);

/** What became of an item whose last try got so far. A read changes nothing, whatever happens to it. */
export function outcomeOf(method: Method, evidence: TryEvidence): Outcome {
	if (method === 'GET') return evidence.sent ? 'refused' : 'notSent';
	const processing = wasProcessed(evidence);
	if (processing === 'yes') return 'done';
	if (processing === 'perhaps' || evidence.inDoubt) return 'unknown';
	return evidence.sent ? 'refused' : 'notSent';
}

/** Whether it shows that the service is overwhelmed, so that less should be asked of it at once. */
export const isOverload = ({ status }: TryEvidence): boolean =>
	status === undefined || status === 429 || status === 503;

export const initialBackoff = 500;
export const maxBackoff = 30_000;

/**
 * Exponential back-off with full jitter.
 * @param tries made so far
 * @param random from 0 up to, but without, 1
 * @returns milliseconds
 */
export const backoffDelay = (tries: number, random: number): number =>
	Math.round(random * Math.min(maxBackoff, initialBackoff * 2 ** Math.max(0, tries - 1)));

/**
 * Whether and when a request is sent again: after the time the service asks for, else after a back-off.
 * @param soFar tries made, and milliseconds waited between them
 * @param random from 0 up to, but without, 1
 * @returns milliseconds to wait; undefined when the last try was the last
 */
export function retryDelay(
	method: Method,
	evidence: TryEvidence,
	soFar: { tries: number; waited: number },
	{ maxTries, maxWait }: RetryLimits,
	random: number,
): number | undefined {
	if (!isRetryable(method, evidence) || soFar.tries >= maxTries) return undefined;
	const wait = evidence.retryAfter ?? backoffDelay(soFar.tries, random);
	return soFar.waited + wait <= maxWait ? wait : undefined;
}
