// The errors of signing in. Their class tells them from failures of the request itself.
import { UserError } from 'n8n-workflow';

// Imported before the class below is made, because an n8n that is too old has no UserError to extend; n8n.ts then says
// which version is needed.
import '../n8n';

/**
 * Why signing in failed:
 * - `refused`: the service refused it; trying again with the same settings would only lock the account
 * - `key`: the gateway before the service refused the subscription key, which is a refusal just the same
 * - `unavailable`: the service could not be reached, or is too busy; later it may work
 * - `quota`: the calls or bytes that the subscription key allows are used up; when they are replenished it may work
 * - `untrusted`: n8n does not know who issued the certificate
 * - `misconfigured`: what answers is not the service, or the settings cannot be used
 */
export type SignInFault =
	| 'refused'
	| 'key'
	| 'unavailable'
	| 'quota'
	| 'untrusted'
	| 'misconfigured';

/** Whether signing in again with the same settings would be refused again, and might lock the account. */
export const isSignInRefusal = ({ fault }: SignInError): boolean =>
	fault === 'refused' || fault === 'key';

export class SignInError extends UserError {
	/** @param retryAfter milliseconds the service asks to wait; undefined when it asks for no wait */
	constructor(
		message: string,
		readonly fault: SignInFault = 'misconfigured',
		readonly retryAfter?: number,
	) {
		super(message);
	}
}

/**
 * Thrown while a request is signed, when no stored token is usable. To n8n it looks like the 401 that the service
 * would answer, so that n8n signs in at once instead of after a request that cannot succeed.
 */
export class TokenNeeded extends SignInError {
	readonly response = { status: 401 };

	constructor() {
		super('The access token that the service issued has already expired.');
	}
}
