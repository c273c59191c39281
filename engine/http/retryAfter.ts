// Reads from a response how long the service asks to wait.
import { DateTime } from 'luxon';

import { formatDuration } from './format';

/**
 * The wait that a response asks for in its Retry-After header (RFC 9110 §10.2.3): a number of seconds or an HTTP date.
 * Some services send a fraction of a second, which is unambiguous. Only 429 "Too Many Requests" (RFC 6585 §4), 503
 * "Service Unavailable" (RFC 9110 §15.6.4) and the gateway's quota ask for a wait. It counts from the response's own
 * `Date` header (RFC 9110 §6.6.1), because the clocks of the service and of this machine may differ.
 * @param headers headers of the response, with names in lowercase
 * @param isQuota whether the gateway responded that the quota is used up
 * @returns milliseconds, 0 or more; undefined if the response asks for no wait
 */
export function requestedWait(status: number, headers: Record<string, unknown>, isQuota = false) {
	if (status !== 429 && status !== 503 && !isQuota) return undefined;
	const text = String(headers['retry-after']).trim();
	if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
	const until = DateTime.fromHTTP(text);
	if (!until.isValid) return undefined;
	const from = DateTime.fromHTTP(String(headers.date));
	return Math.max(0, until.toMillis() - (from.isValid ? from.toMillis() : Date.now()));
}

/**
 * The end of a message about a response that asks for a wait.
 * @param wait milliseconds
 */
export const waitSuffix = (wait = 0): string =>
	wait > 0 ? `, and asks to wait ${formatDuration(wait)}` : '';
