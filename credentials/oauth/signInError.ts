// What the user reads when signing in fails; told apart from failures of the request itself by its class.
import { UserError } from 'n8n-workflow';

export class SignInError extends UserError {
	/**
	 * @param refused whether the service said no: trying again with the same settings would only lock the account
	 */
	constructor(
		message: string,
		readonly refused = false,
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
		super('The access token that the service issued is already past its lifetime.');
	}
}
