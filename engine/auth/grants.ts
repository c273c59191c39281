// The interface's "Authorization and token operations": JSON over HTTPS, no browser.
import { randomBytes } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { maxRefusalBytes, readBodyText, type AnswerStream } from '../http/bodyText';
import { connectionWords, type TransportError } from '../http/connection';
import { withDeadline } from '../http/deadline';
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import { waitAskedFor } from '../http/retryAfter';
import { redact } from './redact';
import type { AccountSettings } from './settings';
import { SignInError } from './signInError';

export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** The token response of the interface, as far as this package uses it. */
export interface TokenResponse {
	access_token: string;
	/** Seconds. */
	expires_in?: number;
}

function unreachable(settings: AccountSettings, error: TransportError): SignInError {
	const words = connectionWords(error);
	return new SignInError(
		`Signing in at ${new URL(settings.baseUrl).origin} failed: ${words}. Check 'Base URL' in the credential.`,
		'unavailable',
	);
}

/** Errors of OAuth (RFC 6749 §4.1.2.1, RFC 8628 §3.5) that do not say no: later it may work. */
const notNow = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** Signing in with one account: its settings, and the texts that no error may show. */
interface Signer {
	http: HttpRequest;
	settings: AccountSettings;
	secrets: string[];
}

/** The service's own words for a no, without secrets. */
const refusedWith = (words: string, { settings, secrets }: Omit<Signer, 'http'>): SignInError =>
	new SignInError(`Sign-in was refused: ${shortened(redact(words, settings, secrets))}`, 'refused');

const unavailable = (status: number, retryAfter: number | undefined): SignInError =>
	new SignInError(
		`The service could not process the sign-in (status ${status}). Try again later.`,
		'unavailable',
		retryAfter,
	);

/** Words of an OAuth error body, if the text is one (RFC 6749 §5.2; the interface's Errors part). */
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
 * An answer without a token → what the user reads. An OAuth error body is the service's own no, whatever the
 * status.
 */
function noToken(
	{ statusCode: status, headers }: IN8nHttpFullResponse,
	text: string,
	signer: Signer,
): SignInError {
	const said = oauthError(text);
	if (said && !notNow.includes(said.code ?? '')) return refusedWith(said.words, signer);
	if (said || status === 429 || status >= 500) {
		return unavailable(status, waitAskedFor(status, headers));
	}
	const what = isWebPage(text) ? ' and a web page' : '';
	return new SignInError(
		`The service answered the sign-in with status ${status}${what}. Check 'Base URL' in the credential.`,
	);
}

/** Milliseconds. */
export const signInTimeout = 30_000;

async function post(signer: Signer, path: string, body: IDataObject): Promise<string> {
	const { http, settings } = signer;
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
	const ask = async (abortSignal: AbortSignal): Promise<string> => {
		const answer = (await http({ ...request, abortSignal }).catch((error: unknown) =>
			unreachable(settings, error as TransportError),
		)) as IN8nHttpFullResponse | SignInError;
		if (answer instanceof SignInError) throw answer;
		const { text, cut } = await readBodyText(
			answer.body as unknown as AnswerStream,
			maxRefusalBytes,
		);
		if (cut === 'brokenOff') throw unreachable(settings, { code: 'ECONNRESET' });
		if (answer.statusCode !== 200 || oauthError(text)) throw noToken(answer, text, signer);
		return text;
	};
	const late = () => Promise.reject(unreachable(settings, { code: 'ETIMEDOUT' }));
	return await withDeadline({ limit: signInTimeout }, ask, late);
}

function tokenResponse(text: string): TokenResponse {
	const body = parseJson(text);
	if (isObject(body) && typeof body.access_token === 'string' && body.access_token !== '') {
		return body as unknown as TokenResponse;
	}
	const what = isWebPage(text) ? 'is a web page' : 'holds no access token';
	throw new SignInError(`The answer to the sign-in ${what}. Check 'Base URL' in the credential.`);
}

/**
 * The one-time code from the authorization operation's answer: a redirect address, as plain text or as a
 * JSON string.
 * @param state the value sent; an answer that echoes another one belongs to another request (RFC 6749 §10.12)
 * @param settings whose secrets, beside the others, must not be read in an error
 * @throws SignInError when the address carries no code or another state
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
	const failure = query?.get('error_description') || query?.get('error');
	if (failure) throw refusedWith(failure, { settings, secrets });
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

async function passwordGrant(signer: Signer): Promise<TokenResponse> {
	const { settings } = signer;
	const answer = await post(signer, '/authpass/Token.php', {
		grant_type: 'password',
		client_id: settings.clientId,
		client_secret: settings.clientSecret,
		username: settings.username,
		password: settings.password,
	});
	return tokenResponse(answer);
}

async function codeGrant(signer: Signer): Promise<TokenResponse> {
	const { settings, secrets } = signer;
	const state = randomBytes(16).toString('base64url');
	const redirect = await post(signer, '/auth/Authorize.php', {
		response_type: 'code',
		client_id: settings.clientId,
		username: settings.username,
		password: settings.password,
		state,
	});
	const code = codeFromRedirect(redirect, state, settings, secrets);
	const withCode = { ...signer, secrets: [...secrets, code] };
	const answer = await post(withCode, '/authtoken/Token.php', {
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
 * Obtains a new token by the grant the credential names.
 * @param secrets what no error may show besides the settings' own, such as earlier tokens
 * @throws SignInError with the service's own words where it gave some
 */
export const requestToken = async (
	http: HttpRequest,
	settings: AccountSettings,
	secrets: string[],
): Promise<TokenResponse> => {
	const signer = { http, settings, secrets };
	return settings.grantType === 'password' ? await passwordGrant(signer) : await codeGrant(signer);
};
