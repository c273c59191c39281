// Obtains tokens: the requests of the interface's part "Authorization and token operations", which send JSON over
// HTTPS and need no browser.
import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { headerProblem } from '../http/headerText';
import { isWebPage, jsonIn, parseJson, partWithin, wrappedIn } from '../http/json';
import {
	errorBody,
	errorWithoutToken,
	sayable,
	signInRefused,
	signInUnanswered,
} from './signInFailures';
import { SignInError } from './signInError';
import { request, type SignInContext } from './signInRequest';

/** The part of the interface's token response that is used here. */
export interface TokenResponse {
	accessToken: string;
	/** Seconds; absent when the service does not say how long the token lives. */
	lifetime?: number;
}

async function post(context: SignInContext, path: string, body: IDataObject): Promise<string> {
	const answer = await request(context, path, { method: 'POST', body });
	const isSuccess = answer.status >= 200 && answer.status < 300;
	if (!isSuccess || errorBody(answer.text)) throw errorWithoutToken(answer, context);
	return answer.text;
}

/** A lifetime as the service gives it: a number, or its digits as text; 0 and less say nothing of when it ends. */
function lifetimeOf(expiresIn: unknown): number | undefined {
	const isDigits = typeof expiresIn === 'string' && /^\d{1,15}$/.test(expiresIn.trim());
	const seconds = isDigits ? Number(expiresIn) : expiresIn;
	return Number.isFinite(seconds) && Number(seconds) > 0 ? Number(seconds) : undefined;
}

/** The names of the response may be in another letter case, or one level deeper. */
function tokenResponse(text: string): TokenResponse {
	const body = jsonIn(text);
	const token = partWithin(body, 'access_token');
	const accessToken = typeof token === 'string' ? token.trim() : '';
	if (accessToken === '') {
		const fault = isWebPage(text) ? 'is a web page' : 'holds no access token';
		throw signInUnanswered(`The answer to the sign-in ${fault}`);
	}
	const problem = headerProblem(accessToken);
	if (problem) throw signInUnanswered(`The access token that the service issued ${problem}`);
	return { accessToken, lifetime: lifetimeOf(partWithin(body, 'expires_in')) };
}

/**
 * Reads the one-time code from the answer to the authorization operation, which is a redirect address as plain text
 * or as a JSON string.
 * @param state the value that was sent; an answer with another value belongs to another request (RFC 6749 §10.12)
 * @throws SignInError when the address holds no code, or another state
 */
export function codeFromRedirect(answer: string, state: string, context: SignInContext): string {
	// What an interpreter says of its own accord stands on lines before the address.
	const lastLine = answer.slice(answer.trimEnd().lastIndexOf('\n') + 1);
	const parsed = jsonIn(answer) ?? parseJson(lastLine);
	const texts = [parsed, ...wrappedIn(parsed)].filter((part) => typeof part === 'string');
	const address = (texts[0] ?? lastLine).trim();
	const query = URL.canParse(address) ? new URL(address).searchParams : undefined;
	const refusal = query?.get('error_description') || query?.get('error');
	if (refusal) throw signInRefused(sayable(refusal, context));
	const code = query?.get('code');
	if (!code) {
		throw signInUnanswered('The answer to the sign-in is not a redirect address with a code');
	}
	if (query?.get('state') !== state) {
		throw new SignInError(
			'The answer to the sign-in belongs to another request (its state differs). Nothing was signed in.',
		);
	}
	return code;
}

async function passwordGrant(context: SignInContext): Promise<TokenResponse> {
	const { settings } = context;
	const answer = await post(context, '/authpass/Token.php', {
		grant_type: 'password',
		client_id: settings.clientId,
		client_secret: settings.clientSecret,
		username: settings.username,
		password: settings.password,
	});
	return tokenResponse(answer);
}

async function codeGrant(context: SignInContext): Promise<TokenResponse> {
	const { settings, secrets } = context;
	const state = randomBytes(16).toString('base64url');
	const redirect = await post(context, '/auth/Authorize.php', {
		response_type: 'code',
		client_id: settings.clientId,
		username: settings.username,
		password: settings.password,
		state,
	});
	const code = codeFromRedirect(redirect, state, context);
	const contextWithCode = { ...context, secrets: [...secrets, code] };
	const answer = await post(contextWithCode, '/authtoken/Token.php', {
		grant_type: 'authorization_code',
		code,
		client_id: settings.clientId,
		// A public client has no secret (RFC 6749 §2.1).
		...(settings.clientSecret && { client_secret: settings.clientSecret }),
		redirect_uri: settings.redirectUri,
	});
	return tokenResponse(answer);
}

/**
 * Obtains a new token by the grant that the credential names.
 * @throws SignInError with the service's own words, where it gave any
 */
export const requestToken = (context: SignInContext): Promise<TokenResponse> =>
	context.settings.grantType === 'password' ? passwordGrant(context) : codeGrant(context);
