// The API spec's error bodies ("Errors"), thrown by handlers and sent by the server.

export class ErrorResponse extends Error {
	readonly status: number;
	readonly body: object;
	readonly headers: Record<string, string>;

	constructor(status: number, body: object, headers: Record<string, string> = {}) {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
		this.headers = headers;
	}
}

export interface ValidationError {
	field: string;
	message: string;
}

/** 400 on an agency operation. */
export const badRequest = (...validationErrors: ValidationError[]) =>
	new ErrorResponse(400, { errors: { validationErrors } });

/** 401: missing or invalid key or token. */
export const unauthorized = (errors: string) => new ErrorResponse(401, { success: false, errors });

/** 403 */
export const forbidden = (...permissionErrors: string[]) =>
	new ErrorResponse(403, { errors: { permissionErrors } });

/** 400 on an authorization or token operation. Codes: RFC 6749 §5.2. */
export const oauthError = (error: string, error_description: string) =>
	new ErrorResponse(400, { error, error_description });
