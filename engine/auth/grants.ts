// Obtains tokens: the requests of the API spec's part "Authorization and token operations", which send JSON over
// HTTPS and need no browser, and the request to an identity provider.
import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { headerProblem } from '../http/headerText';
import { getIgnoringCase, jsonIn } from '../http/json';
import type { GrantType } from './accountSettings';
import { parametersOf } from './additionalParameters';
import { errorIn, errorWithoutToken, parametersIn, redirectQuery } from './signInFailures';
import { SignInError } from './signInError';
import { request, type SignInAnswer, type SignInContext } from './signInRequest';
import type { IssuedToken } from './token';

/** Makes a request of a sign-in: an object goes as JSON, a text as a form. */
const post = (context: SignInContext, url: string, body: IDataObject | string) =>
	request(context, url, { method: 'POST', body });

function issuedToken(answer: SignInAnswer, context: SignInContext): IssuedToken {
	// The names of the response may be in another letter case.
	const json = answer.status < 300 ? jsonIn(answer.text) : undefined;
	const token = getIgnoringCase(json, 'access_token');
	const accessToken = typeof token === 'string' ? token.trim() : '';
	if (accessToken === '') throw errorWithoutToken(answer, context);
	if (headerProblem(accessToken))
		throw new SignInError('The token that was issued has characters that no header can carry.');
	const obtainedAt = Date.now();
	// Seconds, perhaps as text. Anything else, as 0 and less, says nothing of when the token ends.
	const lifetime = Number(getIgnoringCase(json, 'expires_in'));
	const expiresAt = lifetime > 0 ? obtainedAt + lifetime * 1000 : undefined;
	return { accessToken, obtainedAt, expiresAt };
}

/**
 * Reads the one-time code: from wherever a response has it beside the state that was sent. A response with another state
 * belongs to another request (RFC 6749 §10.12).
 * @returns undefined when there is no code, more than one, or an error beside it
 * @throws SignInError when the state is another
 */
export function codeBeside(state: string, answer: SignInAnswer): string | undefined {
	if (answer.status >= 400 || errorIn(answer).isNamed) return undefined;
	const isOurs = (query: URLSearchParams) => query.get('code') && query.get('state') === state;
	const ours = parametersIn(answer).filter(isOurs);
	if (ours.length === 0 && redirectQuery(answer).get('code'))
		throw new SignInError('The sign-in response belongs to another request (its state differs)');
	const [code, ...others] = new Set(ours.map((query) => query.get('code')));
	return others.length > 0 || ours.some((query) => query.get('error')) ? undefined : code!;
}

/** The steps to a token. */
type Grant = (context: SignInContext, user: Record<string, string>) => Promise<IssuedToken>;

const grants: Record<GrantType, Grant> = {
	async password(context, user) {
		const { baseUrl, clientSecret } = context.settings;
		const body = { grant_type: 'password', ...user, client_secret: clientSecret };
		return issuedToken(await post(context, `${baseUrl}/authpass/Token.php`, body), context);
	},

	/** RFC 6749 §4.3.2; a public client has no secret (§2.1). */
	async identityProvider(context, user) {
		const { tokenUrl, clientSecret, scope, additionalParameters } = context.settings;
		const all = { grant_type: 'password', ...user, client_secret: clientSecret, scope };
		const given = Object.entries(all).filter(([, value]) => value !== '');
		const form = new URLSearchParams([...given, ...parametersOf(additionalParameters)!]);
		return issuedToken(await post(context, tokenUrl, form.toString()), context);
	},

	async authorizationCode(context, user) {
		const { baseUrl, clientId, clientSecret, redirectUri } = context.settings;
		const state = randomBytes(16).toString('base64url');
		const codeRequest = { response_type: 'code', ...user, state };
		const answer = await post(context, `${baseUrl}/auth/Authorize.php`, codeRequest);
		const code = codeBeside(state, answer);
		if (code === undefined) throw errorWithoutToken(answer, context);
		const app = { client_id: clientId, client_secret: clientSecret || undefined };
		const body = { grant_type: 'authorization_code', code, ...app, redirect_uri: redirectUri };
		return issuedToken(await post(context, `${baseUrl}/authtoken/Token.php`, body), context);
	},
};

/**
 * Obtains a new token by the grant that the credential names.
 * @throws SignInError with the service's own words, where it gave any
 */
export function requestToken(context: SignInContext): Promise<IssuedToken> {
	const { grantType, clientId, username, password } = context.settings;
	return grants[grantType](context, { client_id: clientId, username, password });
}
