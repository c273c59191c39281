// What the user reads when signing in fails; told apart from failures of the request itself by its class.
import { UserError } from 'n8n-workflow';

// Before the class below: an n8n that is too old does not have the other one.
import '../n8n';

/**
 * - `refused`: the service said no; trying again with the same settings would only lock the account
 * - `unavailable`: the service could not be reached, or is too busy; later it may work
 * - `misconfigured`: what answers is not the service, or the settings cannot be used
 */
export type SignInFault = 'refused' | 'unavailable' | 'misconfigured';

export class SignInError extends UserError {
	/** @param retryAfter milliseconds the service asks to wait, if it does */
	constructor(
		message: string,
		readonly fault: SignInFault = 'misconfigured',
		readonly retryAfter?: number,
	) {
		super(message);
	}
}

/**
 * Thrown while signing a request when no stored token will do. To n8n it looks like the 401 the service
 * would answer, so that it signs in at once instead of after a request that cannot succeed.
 */
export class TokenNeeded extends SignInError {
	readonly response = { status: 401 };

	constructor() {
		super('The access token that the service issued has already expired.');
	}
}
