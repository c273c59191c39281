// Why there is no answer: the failure the user reads, and whether the request may have arrived.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import { Failure, adviceRunLater, adviceLookUp } from '../failure';
import { connectionWords, mayHaveBeenSent, type TransportError } from '../http/transportError';
import type { TryResult } from './sendTypes';
import { isRetryable, outcomeOf } from './retryPolicy';

/** Signing in failed: the request itself was never made. */
export function signInFailedResult(error: SignInError): TryResult {
	const { message, fault, retryAfter } = error;
	const isFinal = fault !== 'unavailable';
	const failure = new Failure(message, 'notSent', {
		advice: isFinal
			? 'Nothing was sent. Correct the credential, then run this item again.'
			: adviceRunLater,
		retryable: !isFinal,
		endsRun: fault === 'refused',
	});
	const evidence = { sent: false, retryAfter };
	return { evidence, failure, signIn: error, ...(isFinal && { obstacle: failure }) };
}

/** For the items that are not sent because the service refuses tokens as soon as it has issued them. */
export const allTokensRefused = (): Failure =>
	new Failure('Not sent: the service issues tokens, but accepts none of them', 'notSent', {
		advice: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
	});

interface TryCircumstances {
	method: Method;
	/** Of the service, to name it. */
	origin: string;
	/** Whether the user, or the end of the run, has ended it. */
	isCancelled: boolean;
}

function resultWithoutAnswer(
	evidence: { sent: boolean },
	words: string,
	circumstances: TryCircumstances,
): TryResult {
	const { method, origin, isCancelled } = circumstances;
	const outcome = outcomeOf(method, evidence);
	const message = isCancelled
		? 'The execution was cancelled'
		: `No ${evidence.sent ? 'answer from' : 'connection to'} ${origin}: ${words}`;
	const advice = evidence.sent
		? outcome === 'unknown'
			? adviceLookUp
			: adviceRunLater
		: "Nothing was sent. Check 'Base URL' in the credential, and the network; then run this item again.";
	const retryable = isRetryable(method, evidence);
	return { evidence, failure: new Failure(message, outcome, { advice, retryable }) };
}

/** @param cause what the transport threw; undefined when nothing is known of it */
export const noAnswerResult = (
	cause: TransportError | undefined,
	circumstances: TryCircumstances,
): TryResult =>
	resultWithoutAnswer(
		{ sent: mayHaveBeenSent(cause) },
		connectionWords(cause ?? {}),
		circumstances,
	);

/**
 * The request was given up.
 * @param wasSigned whether it may have left; while it is not signed, it cannot have been sent
 */
export const abandonedResult = (wasSigned: boolean, circumstances: TryCircumstances): TryResult =>
	resultWithoutAnswer(
		{ sent: wasSigned },
		wasSigned ? 'no answer came in time' : 'signing in took too long',
		circumstances,
	);
