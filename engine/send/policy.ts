// Which request may be sent again, and when. Pure: no n8n, no clock, no network.
import type { Method } from '../area';
import type { Outcome } from '../failure';
import type { RetryLimits } from '../request/request';

/** How far one try of a request got. */
export interface Reached {
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
export type Processing = 'no' | 'perhaps' | 'refused' | 'yes';

const between = (low: number, high: number, status = 0) => status >= low && status <= high;

interface Row {
	happened: string;
	is: (reached: Reached) => boolean;
	processing: Processing;
	/** Whether another try would give the same, so that not even a read is sent again. */
	isFinal?: boolean;
}

/**
 * The first row that fits counts. Statuses: RFC 9110 §15; 429: RFC 6585 §4. Only "no" and "refused" say that
 * nothing was changed, so their rows name what they stand for; the last row, for all else, does not.
 * The table in docs/reliability.md is made of these rows.
 */
export const rows: readonly Row[] = [
	{
		happened: 'No connection: name not found, refused, TLS, connecting took too long',
		is: ({ sent }) => !sent,
		processing: 'no',
	},
	{
		happened: 'Connection broke, or no answer in time, after it was sent',
		is: ({ status }) => status === undefined,
		processing: 'perhaps',
	},
	{
		happened: '2xx, but the answer broke off',
		is: ({ status }) => between(200, 299, status),
		processing: 'yes',
	},
	{ happened: '401: the token was refused', is: ({ status }) => status === 401, processing: 'no' },
	{ happened: '429', is: ({ status }) => status === 429, processing: 'no' },
	{
		happened: '503 with `Retry-After`',
		is: ({ status, retryAfter }) => status === 503 && retryAfter !== undefined,
		processing: 'no',
	},
	{ happened: '408', is: ({ status }) => status === 408, processing: 'perhaps' },
	{
		happened: '500, 502, 504, 503 without `Retry-After`, any other 5xx',
		is: ({ status }) => between(500, 599, status),
		processing: 'perhaps',
	},
	// "See Other" (RFC 9110 §15.4.4) is how a service may answer what it has processed.
	{
		happened: '303',
		is: ({ status }) => status === 303,
		processing: 'perhaps',
		isFinal: true,
	},
	{
		happened: 'Any other 3xx or 4xx',
		is: ({ status }) => between(300, 499, status),
		processing: 'refused',
	},
	{
		happened: 'Any other status: none that HTTP knows, or 1xx, which ends no request',
		is: () => true,
		processing: 'perhaps',
		isFinal: true,
	},
];

/** The service has no idempotency key: what may have been processed is repeated only where repeating is harmless. */
const mayRepeat: Record<Processing, readonly Method[]> = {
	no: ['GET', 'DELETE', 'POST', 'PATCH'],
	perhaps: ['GET', 'DELETE'],
	yes: ['GET'],
	refused: [],
};

/** The methods whose requests are sent again after what a row says. */
export const sentAgain = ({ processing, isFinal }: Row): readonly Method[] =>
	isFinal ? [] : mayRepeat[processing];

const rowOf = (reached: Reached): Row => rows.find(({ is }) => is(reached))!;

export const processingOf = (reached: Reached): Processing => rowOf(reached).processing;

/** Whether the same request may be sent again without harm, and with a chance. */
export const isRetryable = (method: Method, reached: Reached): boolean =>
	sentAgain(rowOf(reached)).includes(method);

/** What became of an item whose last try got so far. A read changes nothing, whatever happens to it. */
export function outcomeOf(method: Method, reached: Reached): Outcome {
	if (method === 'GET') return reached.sent ? 'refused' : 'notSent';
	const processing = processingOf(reached);
	if (processing === 'yes') return 'done';
	if (processing === 'perhaps' || reached.inDoubt) return 'unknown';
	return reached.sent ? 'refused' : 'notSent';
}

/** Whether it shows that the service is overwhelmed, so that less should be asked of it at once. */
export const isSetback = ({ status }: Reached): boolean =>
	status === undefined || status === 429 || status === 503;

export const firstBackOff = 500;
export const longestBackOff = 30_000;

/**
 * Exponential back-off with full jitter.
 * @param tries made so far
 * @param random from 0 up to, but without, 1
 * @returns milliseconds
 */
export const backOff = (tries: number, random: number): number =>
	Math.round(random * Math.min(longestBackOff, firstBackOff * 2 ** Math.max(0, tries - 1)));

/**
 * Whether and when a request is sent again: after the time the service asks for, else after a back-off.
 * @param soFar tries made, and milliseconds waited between them
 * @param random from 0 up to, but without, 1
 * @returns milliseconds to wait; undefined when the last try was the last
 */
export function nextTry(
	method: Method,
	reached: Reached,
	soFar: { tries: number; waited: number },
	{ maxTries, maxWait }: RetryLimits,
	random: number,
): number | undefined {
	if (!isRetryable(method, reached) || soFar.tries >= maxTries) return undefined;
	const wait = reached.retryAfter ?? backOff(soFar.tries, random);
	return soFar.waited + wait <= maxWait ? wait : undefined;
}
