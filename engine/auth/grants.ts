// Obtains tokens: the requests of the interface's part "Authorization and token operations", which send JSON over
// HTTPS and need no browser.
import { randomBytes } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { maxRefusalBytes, readBodyText, type AnswerStream } from '../http/bodyText';
import { connectionWords, type TransportError } from '../http/transportError';
import { withDeadline } from '../http/deadline';
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import { waitAskedFor } from '../http/retryAfter';
import { redact } from './redact';
import type { AccountSettings } from './accountSettings';
import { SignInError } from './signInError';

/** n8n's helper `httpRequest`. */
export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** The part of the interface's token response that is used here. */
export interface TokenResponse {
	access_token: string;
	/** Seconds. */
	expires_in?: number;
}

function serviceUnreachable(settings: AccountSettings, error: TransportError): SignInError {
	const reason = connectionWords(error);
	return new SignInError(
		`Signing in at ${new URL(settings.baseUrl).origin} failed: ${reason}. Check 'Base URL' in the credential.`,
		'unavailable',
	);
}

/** OAuth errors that are no refusal, because signing in may work later (RFC 6749 §4.1.2.1, RFC 8628 §3.5). */
const temporaryErrors = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** What each step of signing in needs. */
interface SignInContext {
	httpRequest: HttpRequest;
	settings: AccountSettings;
	/** Texts that no error may show, besides the settings' own secrets. */
	secrets: string[];
}

/** @param words the service's own words for the refusal; secrets are taken out of them */
const signInRefused = (
	words: string,
	{ settings, secrets }: Omit<SignInContext, 'httpRequest'>,
): SignInError =>
	new SignInError(`Sign-in was refused: ${shortened(redact(words, settings, secrets))}`, 'refused');

const signInUnavailable = (status: number, retryAfter: number | undefined): SignInError =>
	new SignInError(
		`The service could not process the sign-in (status ${status}). Try again later.`,
		'unavailable',
		retryAfter,
	);

/**
 * Reads the body of an OAuth error (RFC 6749 §5.2, and the interface's part Errors).
 * @returns undefined for a text that is no such body
 */
function oauthError(text: string): { code?: string; words: string } | undefined {
	const body = parseJson(text);
	const { error, error_description: description } = isObject(body) ? body : {};
	if (typeof error !== 'string') {
		return typeof description === 'string' ? { words: description } : undefined;
	}
	return {
		code: error,
		words: typeof description === 'string' ? `${description} (${error})` : error,
	};
}

/**
 * What the user reads when the answer to a sign-in holds no token. An OAuth error body is the service's refusal,
 * whatever its status, unless its error is a temporary one.
 */
function errorWithoutToken(
	{ statusCode: status, headers }: IN8nHttpFullResponse,
	text: string,
	context: SignInContext,
): SignInError {
	const error = oauthError(text);
	if (error && !temporaryErrors.includes(error.code ?? ''))
		return signInRefused(error.words, context);
	if (error || status === 429 || status >= 500) {
		return signInUnavailable(status, waitAskedFor(status, headers));
	}
	const webPage = isWebPage(text) ? ' and a web page' : '';
	return new SignInError(
		`The service answered the sign-in with status ${status}${webPage}. Check 'Base URL' in the credential.`,
	);
}

/** Milliseconds that each request of a sign-in may take. */
export const signInTimeout = 30_000;

async function post(context: SignInContext, path: string, body: IDataObject): Promise<string> {
	const { httpRequest, settings } = context;
	const request: IHttpRequestOptions = {
		method: 'POST',
		url: `${settings.baseUrl}${path}`,
		headers: {
			'Content-Type': 'application/json',
			'Ocp-Apim-Subscription-Key': settings.apiKey,
		},
		body,
		encoding: 'stream',
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		timeout: 0,
	};
	const send = async (abortSignal: AbortSignal): Promise<string> => {
		const answer = (await httpRequest({ ...request, abortSignal }).catch((error: unknown) =>
			serviceUnreachable(settings, error as TransportError),
		)) as IN8nHttpFullResponse | SignInError;
		if (answer instanceof SignInError) throw answer;
		const { text, cut } = await readBodyText(
			answer.body as unknown as AnswerStream,
			maxRefusalBytes,
		);
		if (cut === 'brokenOff') throw serviceUnreachable(settings, { code: 'ECONNRESET' });
		if (answer.statusCode !== 200 || oauthError(text))
			throw errorWithoutToken(answer, text, context);
		return text;
	};
	const timedOut = () => Promise.reject(serviceUnreachable(settings, { code: 'ETIMEDOUT' }));
	return await withDeadline({ timeout: signInTimeout }, send, timedOut);
}

function tokenResponse(text: string): TokenResponse {
	const body = parseJson(text);
	if (isObject(body) && typeof body.access_token === 'string' && body.access_token !== '') {
		return body as unknown as TokenResponse;
	}
	const fault = isWebPage(text) ? 'is a web page' : 'holds no access token';
	throw new SignInError(`The answer to the sign-in ${fault}. Check 'Base URL' in the credential.`);
}

/**
 * Reads the one-time code from the answer to the authorization operation, which is a redirect address as plain text
 * or as a JSON string.
 * @param state the value that was sent; an answer with another value belongs to another request (RFC 6749 §10.12)
 * @param settings settings whose secrets no error may show
 * @param secrets other texts that no error may show
 * @throws SignInError when the address holds no code, or another state
 */
export function codeFromRedirect(
	answer: string,
	state: string,
	settings: AccountSettings,
	secrets: string[] = [],
): string {
	const parsed = parseJson(answer);
	const address = (typeof parsed === 'string' ? parsed : answer).trim();
	const query = URL.canParse(address) ? new URL(address).searchParams : undefined;
	const refusal = query?.get('error_description') || query?.get('error');
	if (refusal) throw signInRefused(refusal, { settings, secrets });
	const code = query?.get('code');
	if (!code) {
		throw new SignInError(
			"The answer to the sign-in is not a redirect address with a code. Check 'Base URL' in the credential.",
		);
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
	const code = codeFromRedirect(redirect, state, settings, secrets);
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
 * @param secrets texts that no error may show besides the settings' own secrets, such as earlier tokens
 * @throws SignInError with the service's own words, where it gave any
 */
export const requestToken = async (
	httpRequest: HttpRequest,
	settings: AccountSettings,
	secrets: string[],
): Promise<TokenResponse> => {
	const context = { httpRequest, settings, secrets };
	return settings.grantType === 'password'
		? await passwordGrant(context)
		: await codeGrant(context);
};
