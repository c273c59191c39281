// Failures for requests that got no response, and for requests that are not sent because of earlier failures.
import { circuitOf } from '../area';
import { Failure } from '../failure';
import { formatDuration } from '../http/format';
import { quotaText } from '../http/gatewayResponse';
import type { Pause } from './circuitBreaker';
import { isQuotaUsedUp, type Try } from './retryPolicy';

/** The failure of a request whose last try got no response, or only a refused token. */
export function noResponseFailure(last: Try): Failure {
	const { message, details } = last.noResponse!;
	const { outcome } = last.verdict;
	const { retryable = last.verdict.retryable } = details;
	// While the item is in doubt, advice about the cause does not help.
	const advice = outcome === 'inDoubt' ? undefined : details.advice;
	return new Failure(message, outcome, { ...details, retryable, advice, tries: last.tries });
}

/** For items that are not sent because the service would refuse them as it refused another one. */
export const notSentEither = ({ message, details: { code, advice } }: Failure): Failure =>
	new Failure(`Not sent: ${message}`, 'notSent', { code, advice });

/** The fault in the last try, as part of a message. */
const faultOf = (last: Try): string => {
	if (isQuotaUsedUp(last)) return quotaText;
	if (last.status === undefined) return 'the service did not respond';
	return `the service returned status ${last.status} to ${circuitOf(last.operation)}`;
};

/**
 * For items that are not sent because the service fails.
 * @param last the last try; every other request must expect its fault
 * @param then the consequence, as the end of a sentence
 * @param retryAfter milliseconds the service still asks to wait
 */
export function unavailable(last: Try, then: string, retryAfter?: number): Failure {
	const code = isQuotaUsedUp(last) ? 'quotaUsedUp' : 'serviceUnavailable';
	const details = { code, retryAfter, retryable: true } as const;
	return last.signInFailure ?? new Failure(`Not sent: ${faultOf(last)}${then}`, 'notSent', details);
}

/**
 * For items that are not sent because the run would be held up for too long.
 * @param now milliseconds by the pause's clock
 * @param maxWait milliseconds
 */
export function heldUpTooLong({ begunAt, cause }: Pause, now: number, maxWait: number): Failure {
	const left = begunAt + (cause.retryAfter ?? 0) - now;
	const longer = left > maxWait ? `another ${formatDuration(left)}, which is longer` : 'longer';
	const then = `; the run would have to wait ${longer} than 'Max Wait (Seconds)' allows`;
	return unavailable(cause, then, cause.retryAfter === undefined ? undefined : left);
}
