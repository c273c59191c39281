// The results of tries that got no answer: the failure that the user reads, and whether the request may have been
// sent.
import { isSignInRefusal, type SignInError } from '../auth/signInError';
import type { Method } from '../area';
import { Failure, adviceRunLater, adviceLookUp, type FailureCode } from '../failure';
import { adviceByGatewayReason, gatewayMessage, type GatewayAnswer } from '../http/gatewayAnswer';
import { connectionWords, mayHaveBeenSent, type TransportError } from '../http/transportError';
import type { TryResult } from './sendTypes';
import { isRetryable, outcomeOf } from './retryPolicy';

const codesByFault: Record<SignInError['fault'], FailureCode> = {
	refused: 'signInRefused',
	key: 'keyRefused',
	unavailable: 'signInUnavailable',
	quota: 'quotaUsedUp',
	misconfigured: 'credentialUnusable',
};

/** Signing in failed, so the request was never made. */
export function signInFailedResult(error: SignInError): TryResult {
	const { message, fault, retryAfter } = error;
	const isFinal = isSignInRefusal(error) || fault === 'misconfigured';
	const failure = new Failure(message, 'notSent', {
		code: codesByFault[fault],
		advice: isFinal
			? 'Nothing was sent. Correct the credential, then run this item again.'
			: adviceRunLater,
		retryable: !isFinal,
		endsRun: isSignInRefusal(error),
	});
	const evidence = {
		maybeSent: false,
		retryAfter,
		...(fault === 'quota' && { gateway: 'quota' as const }),
	};
	return { evidence, failure, signInError: error, ...(isFinal && { obstacle: failure }) };
}

/** For items that are not sent because the gateway before the service refuses the subscription key. */
export const keyRefused = (gateway: GatewayAnswer): Failure =>
	new Failure(`Not sent: ${gatewayMessage(gateway, 401)}`, 'notSent', {
		code: 'keyRefused',
		advice: adviceByGatewayReason.key,
		endsRun: true,
	});

/** For items that are not sent because the service refuses each token that it has just issued. */
export const allTokensRefused = (): Failure =>
	new Failure('Not sent: the service issues tokens, but accepts none of them', 'notSent', {
		code: 'tokenRefused',
		advice: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
	});

interface TryCircumstances {
	method: Method;
	/** Origin of the service's address, to name the service in messages. */
	origin: string;
	/** Whether a stop signal ended the try: the execution was cancelled, or the caller stopped the request. */
	isCancelled: boolean;
}

function resultWithoutAnswer(
	evidence: { maybeSent: boolean },
	reason: string,
	circumstances: TryCircumstances,
): TryResult {
	const { method, origin, isCancelled } = circumstances;
	const outcome = outcomeOf(method, evidence);
	const message = isCancelled
		? 'The execution was cancelled'
		: `No ${evidence.maybeSent ? 'answer from' : 'connection to'} ${origin}: ${reason}`;
	const advice = evidence.maybeSent
		? outcome === 'unknown'
			? adviceLookUp
			: adviceRunLater
		: "Nothing was sent. Check 'Base URL' in the credential, and the network; then run this item again.";
	const retryable = isRetryable(method, evidence);
	const code = isCancelled ? 'cancelled' : evidence.maybeSent ? 'noAnswer' : 'noConnection';
	return { evidence, failure: new Failure(message, outcome, { code, advice, retryable }) };
}

/** @param cause what the HTTP client threw; undefined when nothing is known of it */
export const noAnswerResult = (
	cause: TransportError | undefined,
	circumstances: TryCircumstances,
): TryResult =>
	resultWithoutAnswer(
		{ maybeSent: mayHaveBeenSent(cause) },
		connectionWords(cause ?? {}),
		circumstances,
	);

/** The request broke off, because its file is not in n8n's storage as n8n noted it. */
export const fileBrokeOffResult = ({ message }: Error): TryResult => ({
	evidence: { maybeSent: true, endedHere: true },
	failure: new Failure(`The file was not sent whole: ${message}`, 'unknown', {
		advice: adviceLookUp,
	}),
});

/**
 * The try was abandoned, because its time ran out or a stop signal ended it.
 * @param wasSigned whether the request was signed; before that it cannot have been sent
 */
export const abandonedResult = (wasSigned: boolean, circumstances: TryCircumstances): TryResult =>
	resultWithoutAnswer(
		{ maybeSent: wasSigned },
		wasSigned ? 'no answer came in time' : 'signing in took too long',
		circumstances,
	);
