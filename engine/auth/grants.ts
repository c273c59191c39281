// Obtains tokens: the requests of the API spec's part "Authorization and token operations", which send JSON over
// HTTPS and need no browser.
import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { headerProblem } from '../http/headerText';
import { getIgnoringCase, jsonIn } from '../http/json';
import type { GrantType } from './accountSettings';
import { errorWithoutToken, redirectQuery } from './signInFailures';
import { SignInError } from './signInError';
import { request, type SignInContext } from './signInRequest';
import type { IssuedToken } from './token';

/**
 * Makes one request of a sign-in.
 * @param read gives what a success has issued; undefined where there is none
 */
async function ask<Issued>(
	context: SignInContext,
	path: string,
	body: IDataObject,
	read: (text: string) => Issued | undefined,
): Promise<Issued> {
	const answer = await request(context, path, { method: 'POST', body });
	const issued = answer.status < 300 ? read(answer.text) : undefined;
	if (issued === undefined) throw errorWithoutToken(answer, context);
	return issued;
}

/** The names of the response may be in another letter case. */
function issuedToken(text: string): IssuedToken | undefined {
	const body = jsonIn(text);
	const token = getIgnoringCase(body, 'access_token');
	const accessToken = typeof token === 'string' ? token.trim() : '';
	if (accessToken === '') return undefined;
	const problem = headerProblem(accessToken);
	if (problem) throw new SignInError(`The access token that the service issued ${problem}.`);
	const obtainedAt = Date.now();
	// Seconds, perhaps as text. Anything else, as 0 and less, says nothing of when the token ends.
	const lifetime = Number(getIgnoringCase(body, 'expires_in'));
	const expiresAt = lifetime > 0 ? obtainedAt + lifetime * 1000 : undefined;
	return { accessToken, obtainedAt, expiresAt };
}

/**
 * Reads the one-time code from the response to the authorization operation.
 * @param state the value that was sent; a response with another value belongs to another request (RFC 6749 §10.12)
 * @returns undefined when there is no code, or an error beside it
 * @throws SignInError when the state is another
 */
export function codeFromRedirect(text: string, state: string): string | undefined {
	const query = redirectQuery(text);
	const code = query.get('code');
	if (!code || query.get('error') || query.get('error_description')) return undefined;
	if (query.get('state') !== state)
		throw new SignInError(
			'The sign-in response belongs to another request (its state differs), so n8n did not sign in.',
		);
	return code;
}

/** The steps of each grant to a token. */
const grants: Record<GrantType, (context: SignInContext) => Promise<IssuedToken>> = {
	async password(context) {
		const { clientId, clientSecret, username, password } = context.settings;
		const user = { client_id: clientId, username, password };
		const body = { grant_type: 'password', ...user, client_secret: clientSecret };
		return await ask(context, '/authpass/Token.php', body, issuedToken);
	},

	async authorizationCode(context) {
		const { clientId, clientSecret, username, password, redirectUri } = context.settings;
		const state = randomBytes(16).toString('base64url');
		const user = { client_id: clientId, username, password };
		const codeRequest = { response_type: 'code', ...user, state };
		const code = await ask(context, '/auth/Authorize.php', codeRequest, (text) =>
			codeFromRedirect(text, state),
		);
		// A public client has no secret (RFC 6749 §2.1).
		const app = { client_id: clientId, client_secret: clientSecret || undefined };
		const body = { grant_type: 'authorization_code', code, ...app, redirect_uri: redirectUri };
		return await ask(context, '/authtoken/Token.php', body, issuedToken);
	},
};

/**
 * Obtains a new token by the grant that the credential names.
 * @throws SignInError with the service's own words, where it gave any
 */
export const requestToken = (context: SignInContext): Promise<IssuedToken> =>
	grants[context.settings.grantType](context);
