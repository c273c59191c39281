// How long the service asks to wait.
import { DateTime } from 'luxon';

/**
 * Retry-After (RFC 9110 §10.2.3): a number of seconds, or an HTTP date.
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, 0 or more; undefined for anything else
 */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now) : undefined;
}

/**
 * The wait that an answer asks for. Only "too many requests" and "unavailable" ask for one (RFC 6585 §4, RFC
 * 9110 §15.6.4). The answer's own `Date` header (RFC 9110 §6.6.1) says what time it was: the service's clock
 * and this machine's may differ.
 * @param headers of the answer, names in lower case
 * @returns milliseconds; undefined when it asks for none
 */
export function waitAskedFor(status: number, headers: Record<string, unknown>): number | undefined {
	const { 'retry-after': retryAfter, date } = headers;
	if (retryAfter === undefined || (status !== 429 && status !== 503)) return undefined;
	const answeredAt = typeof date === 'string' ? DateTime.fromHTTP(date) : undefined;
	return parseRetryAfter(retryAfter, answeredAt?.isValid ? answeredAt.toMillis() : Date.now());
}
