// What the user reads of requests that got no response, and of those that are not sent because of what others met.
import type { TryEvidence } from '../answer/evidence';
import { isRetryable, outcomeOf } from '../answer/judge';
import { signInFailure } from '../auth/signInError';
import { Failure, type FailureCode } from '../failure';
import {
	adviceSubscriptionKey,
	gatewayMessage,
	quotaUsedUp,
	type GatewayAnswer,
} from '../http/gatewayAnswer';
import { formatDuration } from '../http/format';
import type { Pause } from './circuitBreaker';
import { isPostponed, isQuotaUsedUp } from './retryPolicy';
import type { ShownTry } from './try';

/** The failure of a request whose last try got no response, or only the refusal of a token. */
export function noAnswerFailure(last: ShownTry): Failure {
	const { message, details = {} } = last.noAnswer!;
	const outcome = outcomeOf(last);
	const retryable = details.retryable ?? isRetryable(last);
	// What to do about the cause is of no use before it is known what became of the item.
	const advice = outcome === 'inDoubt' ? undefined : details.advice;
	return new Failure(message, outcome, { ...details, retryable, advice, tries: last.tries });
}

/** For items that are not sent because the service's gateway refuses the subscription key. */
export const keyRefused = (gateway: GatewayAnswer): Failure =>
	new Failure(`Not sent: ${gatewayMessage(gateway, 401)}`, 'notSent', {
		code: 'keyRefused',
		advice: adviceSubscriptionKey,
	});

/** For items that are not sent because the service refuses each token that it has just issued. */
export const allTokensRefused = new Failure(
	'Not sent: the service refuses the tokens it issues',
	'notSent',
	{
		code: 'tokenRefused',
		advice: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
	},
);

const notSent = (code: FailureCode, why: string, retryAfter?: number): Failure =>
	new Failure(`Not sent: ${why}`, 'notSent', { code, retryAfter, retryable: true });

const maxWaitAllows = "'Max Wait (Seconds)' allows";

/**
 * For items that are not sent because the service fails.
 * @param since for how long, as a part of a message
 */
function serviceUnavailable(since: string, evidence: TryEvidence): Failure {
	const { status = 0 } = evidence;
	const what = status < 400 ? 'did not respond' : `failed (status ${status})`;
	return notSent('serviceUnavailable', `the service ${what} ${since}`);
}

/**
 * For items that are not sent because nothing can be sent.
 * @param last that of the last try
 * @param count how many tries in a row failed
 */
export const notSentInRow = (last: ShownTry, count: number): Failure =>
	last.signInError
		? signInFailure(last.signInError)
		: serviceUnavailable(`in ${count} tries in a row`, last);

/**
 * For items that are not sent because the run would be held up for too long.
 * @param now milliseconds by the clock of the pause
 * @param maxWait milliseconds
 */
export function heldUpTooLong({ begunAt, because }: Pause, now: number, maxWait: number): Failure {
	const { signInError, retryAfter = Infinity } = because;
	if (signInError) return signInFailure(signInError);
	const left = begunAt + retryAfter - now;
	const isTooLong = left > maxWait;
	if (isQuotaUsedUp(because)) {
		const tooLong = isTooLong && left < Infinity ? `, which is longer than ${maxWaitAllows}` : '';
		return notSent('quotaUsedUp', `${quotaUsedUp(isTooLong ? left : undefined)}${tooLong}`, left);
	}
	if (!isPostponed(because)) return serviceUnavailable(`for as long as ${maxWaitAllows}`, because);
	const wait = isTooLong
		? `asks to wait another ${formatDuration(left)} (its response to ${because.operation.route}), which is`
		: 'has asked to wait again and again, for';
	return notSent('serviceUnavailable', `the service ${wait} longer than ${maxWaitAllows}`, left);
}
