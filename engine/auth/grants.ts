// Obtains tokens: the requests of the API spec's part "Authorization and token operations", which send JSON over
// HTTPS and need no browser.
import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { headerProblem } from '../http/headerText';
import { getIgnoringCase, jsonIn, parseJson } from '../http/json';
import type { GrantType } from './accountSettings';
import {
	errorBody,
	errorWithoutToken,
	safeText,
	signInRefused,
	signInWithoutToken,
} from './signInFailures';
import { SignInError } from './signInError';
import { request, type SignInContext } from './signInRequest';
import type { IssuedToken } from './token';

async function post(context: SignInContext, path: string, body: IDataObject): Promise<string> {
	const answer = await request(context, path, { method: 'POST', body });
	const holdsToken = !!getIgnoringCase(jsonIn(answer.text), 'access_token');
	const isRefusal = !holdsToken && errorBody(answer.text) !== undefined;
	if (answer.status >= 300 || isRefusal) throw errorWithoutToken(answer, context);
	return answer.text;
}

/** The names of the response may be in another letter case. */
function issuedToken(text: string): IssuedToken {
	const body = jsonIn(text);
	const token = getIgnoringCase(body, 'access_token');
	const accessToken = typeof token === 'string' ? token.trim() : '';
	if (accessToken === '') throw signInWithoutToken('The sign-in response holds no access token');
	const problem = headerProblem(accessToken);
	if (problem) throw signInWithoutToken(`The access token that the service issued ${problem}`);
	const obtainedAt = Date.now();
	// Seconds, perhaps as text. Anything else, as 0 and less, says nothing of when the token ends.
	const lifetime = Number(getIgnoringCase(body, 'expires_in'));
	const expiresAt = lifetime > 0 ? obtainedAt + lifetime * 1000 : undefined;
	return { accessToken, obtainedAt, expiresAt };
}

/**
 * Reads the one-time code from the response to the authorization operation, which is a redirect address as plain text
 * or as a JSON string.
 * @param state the value that was sent; a response with another value belongs to another request (RFC 6749 §10.12)
 * @throws SignInError when the address holds no code, or another state
 */
export function codeFromRedirect(answer: string, state: string, context: SignInContext): string {
	// What an interpreter says of its own accord stands on lines before the address.
	const lastLine = answer.trimEnd().split('\n').at(-1)!;
	const parsed = parseJson(lastLine);
	const text = typeof parsed === 'string' ? parsed : lastLine;
	const query = new URLSearchParams(/\?([^#]*)/.exec(text.trim())?.[1]);
	const refusal = query.get('error_description') || query.get('error');
	if (refusal) throw signInRefused(safeText(refusal, context));
	const code = query.get('code');
	if (!code) throw signInWithoutToken('The sign-in response is not a redirect address with a code');
	if (query.get('state') !== state)
		throw new SignInError(
			'The sign-in response belongs to another request (its state differs), so n8n did not sign in.',
		);
	return code;
}

/** How each grant obtains a token. */
const grants: Record<GrantType, (context: SignInContext) => Promise<IssuedToken>> = {
	async password(context) {
		const { clientId, clientSecret, username, password } = context.settings;
		const user = { client_id: clientId, username, password };
		const body = { grant_type: 'password', ...user, client_secret: clientSecret };
		return issuedToken(await post(context, '/authpass/Token.php', body));
	},

	async authorizationCode(context) {
		const { clientId, clientSecret, username, password, redirectUri } = context.settings;
		const state = randomBytes(16).toString('base64url');
		const user = { client_id: clientId, username, password };
		const codeRequest = { response_type: 'code', ...user, state };
		const redirect = await post(context, '/auth/Authorize.php', codeRequest);
		const code = codeFromRedirect(redirect, state, context);
		// A public client has no secret (RFC 6749 §2.1).
		const app = { client_id: clientId, client_secret: clientSecret || undefined };
		const body = { grant_type: 'authorization_code', code, ...app, redirect_uri: redirectUri };
		return issuedToken(await post(context, '/authtoken/Token.php', body));
	},
};

/**
 * Obtains a new token by the grant that the credential names.
 * @throws SignInError with the service's own words, where it gave any
 */
export const requestToken = (context: SignInContext): Promise<IssuedToken> =>
	grants[context.settings.grantType](context);
