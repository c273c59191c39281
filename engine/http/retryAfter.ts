// How long the service asks to wait.
import { DateTime } from 'luxon';

/**
 * Retry-After (RFC 9110 §10.2.3): a number of seconds, or an HTTP date.
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, 0 or more; undefined for anything else
 */
export function retryAfterOf(value: unknown, now: number): number | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now) : undefined;
}
