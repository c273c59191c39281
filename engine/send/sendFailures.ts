// What the user reads of requests that got no answer, and of those that are not sent because of what others met.
import type { Method } from '../area';
import { isSignInRefusal, type SignInError } from '../auth/signInError';
import { Failure, type FailureCode } from '../failure';
import {
	adviceByGatewayReason,
	gatewayMessage,
	quotaUsedUp,
	type GatewayAnswer,
} from '../http/gatewayAnswer';
import { duration } from '../http/inWords';
import type { Pause } from './pauses';
import { isRetryable, outcomeOf, type TryEvidence } from './retryPolicy';
import type { NoAnswer } from './sendTypes';

/** The failure of a request that got no answer, by the evidence of its last try. */
export function noAnswerFailure(
	method: Method,
	evidence: TryEvidence,
	{ message, details }: NoAnswer,
	tries: number,
): Failure {
	const outcome = outcomeOf(method, evidence);
	const retryable = details.retryable ?? isRetryable(method, evidence);
	// What to do about the cause is of no use before it is known what became of the item.
	const advice = outcome === 'unknown' ? undefined : details.advice;
	return new Failure(message, outcome, { ...details, retryable, advice, tries });
}

const codesByFault: Record<SignInError['fault'], FailureCode> = {
	refused: 'signInRefused',
	key: 'keyRefused',
	unavailable: 'signInUnavailable',
	quota: 'quotaUsedUp',
	untrusted: 'noConnection',
	misconfigured: 'credentialUnusable',
};

/** For an item that is not sent because signing in failed. */
export function signInFailure(error: SignInError): Failure {
	const { message, fault } = error;
	const retryable = fault === 'unavailable' || fault === 'quota';
	return new Failure(message, 'notSent', {
		code: codesByFault[fault],
		retryable,
		endsRun: isSignInRefusal(error),
		...(!retryable && {
			advice: `Nothing was sent. ${fault === 'untrusted' ? 'Do that' : 'Correct the credential'}, then run this item again.`,
		}),
	});
}

/** For items that are not sent because the gateway before the service refuses the subscription key. */
export const keyRefused = (gateway: GatewayAnswer): Failure =>
	new Failure(`Not sent: ${gatewayMessage(gateway, 401)}`, 'notSent', {
		code: 'keyRefused',
		advice: adviceByGatewayReason.key,
		endsRun: true,
	});

/** For items that are not sent because the service refuses each token that it has just issued. */
export const allTokensRefused = new Failure(
	'Not sent: the service refuses the tokens that it issues itself',
	'notSent',
	{
		code: 'tokenRefused',
		advice: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
	},
);

const notSent = (code: FailureCode, why: string): Failure =>
	new Failure(`Not sent: ${why}`, 'notSent', { code, retryable: true });

/** For items that are not sent because the service has failed for the last ones in all their tries. */
export const serviceUnavailable = (requests: number, { status, gateway }: TryEvidence): Failure => {
	if (gateway === 'quota') return quotaFailure(undefined);
	return notSent(
		'serviceUnavailable',
		status === undefined || status < 400
			? `the service did not answer the last ${requests} requests of this run`
			: `the service was too busy (status ${status}) for the last ${requests} requests of this run`,
	);
};

const tooLong = "which is longer than 'Max Wait (Seconds)' allows";

/** For items that are not sent because the service has only asked to wait, again and again. */
export const postponedTooLong = (): Failure =>
	notSent(
		'waitTooLong',
		"the service has asked to wait again and again, for longer than 'Max Wait (Seconds)' allows",
	);

/**
 * For items that are not sent because a quota is used up.
 * @param wait milliseconds until it is replenished; undefined when the gateway does not say when
 */
export const quotaFailure = (wait: number | undefined): Failure =>
	notSent('quotaUsedUp', `${quotaUsedUp(wait)}${wait === undefined ? '' : `, ${tooLong}`}`);

/**
 * For items that are not sent because the service asks to wait too long.
 * @param now milliseconds by the clock of the pause
 */
export function pauseTooLong({ until, askedOf, quotaEndsAt }: Pause, now: number): Failure {
	if (quotaEndsAt !== undefined) return quotaFailure(quotaEndsAt - now);
	const answer = askedOf === undefined ? '' : ` (its answer to ${askedOf})`;
	const wait = `the service asks to wait another ${duration(until - now)}${answer}`;
	return notSent('waitTooLong', `${wait}, ${tooLong}`);
}
