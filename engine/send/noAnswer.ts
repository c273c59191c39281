// Why there is no answer: the failure the user reads, and whether the request may have arrived.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import { Failure, laterAgain, mayExist } from '../failure';
import { connectionWords, maybeSent, type TransportError } from '../http/connection';
import type { Attempt } from './attempt';
import { isRetryable, outcomeOf } from './policy';

/** Signing in failed: the request itself was never made. */
export function signInFailure(error: SignInError): Attempt {
	const { message, fault, retryAfter } = error;
	const isFinal = fault !== 'unavailable';
	const failure = new Failure(message, 'notSent', {
		advice: isFinal
			? 'Nothing was sent. Correct the credential, then run this item again.'
			: laterAgain,
		retryable: !isFinal,
		endsRun: fault === 'refused',
	});
	const reached = { sent: false, retryAfter };
	return { reached, failure, signIn: error, ...(isFinal && { obstacle: failure }) };
}

/** For the items that are not sent because the service refuses tokens as soon as it has issued them. */
export const acceptsNone = (): Failure =>
	new Failure('Not sent: the service issues tokens, but accepts none of them', 'notSent', {
		advice: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
	});

interface Circumstances {
	method: Method;
	/** Of the service, to name it. */
	origin: string;
	/** Whether the user, or the end of the run, has ended it. */
	isCancelled: boolean;
}

function without(reached: { sent: boolean }, words: string, circumstances: Circumstances): Attempt {
	const { method, origin, isCancelled } = circumstances;
	const outcome = outcomeOf(method, reached);
	const message = isCancelled
		? 'The execution was cancelled'
		: `No ${reached.sent ? 'answer from' : 'connection to'} ${origin}: ${words}`;
	const advice = reached.sent
		? outcome === 'unknown'
			? mayExist
			: laterAgain
		: "Nothing was sent. Check 'Base URL' in the credential, and the network; then run this item again.";
	const retryable = isRetryable(method, reached);
	return { reached, failure: new Failure(message, outcome, { advice, retryable }) };
}

/** @param cause what the transport threw; undefined when nothing is known of it */
export const noAnswer = (
	cause: TransportError | undefined,
	circumstances: Circumstances,
): Attempt => without({ sent: maybeSent(cause) }, connectionWords(cause ?? {}), circumstances);

/**
 * The request was given up.
 * @param wasSigned whether it may have left; while it is not signed, it cannot have been sent
 */
export const givenUp = (wasSigned: boolean, circumstances: Circumstances): Attempt =>
	without(
		{ sent: wasSigned },
		wasSigned ? 'no answer came in time' : 'signing in took too long',
		circumstances,
	);
