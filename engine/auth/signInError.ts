// The errors of signing in. Their class tells them from failures of the request itself.
import { UserError } from 'n8n-workflow';

import { Failure, type FailureCode } from '../failure';

// Imported before the class below is made, because an n8n that is too old has no UserError to extend; n8n.ts then says
// which version is needed.
import '../n8n';

/** Whether signing in again with the same settings would be refused again, and might lock the account. */
export const isSignInRefusal = (reason: FailureCode): boolean =>
	reason === 'signInRefused' || reason === 'keyRefused';

export class SignInError extends UserError {
	/**
	 * @param reason not called `code`: n8n takes a `code` for that of a failed connection
	 * @param retryAfter milliseconds the service asks to wait; undefined when it asks for no wait
	 */
	constructor(
		message: string,
		readonly reason: FailureCode = 'credentialUnusable',
		readonly retryAfter?: number,
	) {
		super(message);
	}
}

/** The reasons that pass without a change of the credential. */
const passing: readonly FailureCode[] = ['signInUnavailable', 'quotaUsedUp', 'n8nUnavailable'];

/** For an item that is not sent because signing in failed. */
export function signInFailure({ message, reason, retryAfter }: SignInError): Failure {
	const retryable = passing.includes(reason);
	const toDo = reason === 'noConnection' ? 'Do that' : 'Correct the credential';
	return new Failure(message, 'notSent', {
		code: reason,
		retryAfter,
		retryable,
		advice: retryable ? undefined : `Nothing was sent. ${toDo}, then run this item again.`,
	});
}

/**
 * Thrown while a request is signed, when no stored token is usable. To n8n it looks like the 401 that the service
 * would respond, so that n8n signs in at once instead of after a request that cannot succeed.
 */
export const tokenNeeded = (): Error =>
	Object.assign(new Error('There is no access token to send yet.'), { response: { status: 401 } });
