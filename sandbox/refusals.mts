// The interface's error bodies ("Errors"), thrown by handlers and sent by the server.

export class Refusal extends Error {
	readonly status: number;
	readonly body: object;

	constructor(status: number, body: object) {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
	}
}

export interface ValidationError {
	field: string;
	message: string;
}

/** 400 on an agency operation. */
export const invalid = (...validationErrors: ValidationError[]) =>
	new Refusal(400, { errors: { validationErrors } });

/** 401: missing or invalid key or token. */
export const notSignedIn = (errors: string) => new Refusal(401, { success: false, errors });

/** 403 */
export const notPermitted = (...permissionErrors: string[]) =>
	new Refusal(403, { errors: { permissionErrors } });

/** 400 on an authorization or token operation. Codes: RFC 6749 §5.2. */
export const oauthError = (error: string, error_description: string) =>
	new Refusal(400, { error, error_description });
