// Why there is no answer: the failure the user reads, and whether the request may have arrived.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import { Failure, laterAgain, mayExist } from '../failure';
import { connectionWords, maybeSent, type TransportError } from '../http/connection';
import type { Attempt } from './attempt';
import { isRetryable, outcomeOf } from './policy';

const notSent = { sent: false };

/** Signing in failed: the request itself was never made. */
export function signInFailure({ message, fault, retryAfter }: SignInError): Attempt {
	const isFinal = fault !== 'unavailable';
	const failure = new Failure(message, 'notSent', {
		advice: isFinal
			? 'Nothing was sent. Correct the credential, then run this item again.'
			: laterAgain,
		retryable: !isFinal,
	});
	return { reached: { ...notSent, retryAfter }, failure, isFinal };
}

/**
 * @param cause what the transport threw; undefined when nothing is known of it
 * @param isCancelled whether the user has ended the execution
 * @param origin of the service, to name it
 */
export function noAnswer(
	cause: TransportError | undefined,
	{ method, origin, isCancelled }: { method: Method; origin: string; isCancelled: boolean },
): Attempt {
	const reached = { sent: maybeSent(cause) };
	const outcome = outcomeOf(method, reached);
	const words = connectionWords(cause ?? {});
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
