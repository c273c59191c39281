// Obtains tokens: the requests of the interface's part "Authorization and token operations", which send JSON over
// HTTPS and need no browser.
import { randomBytes } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { maxRefusalBytes, readBodyText, type AnswerStream } from '../http/bodyText';
import { connectionWords, type TransportError } from '../http/transportError';
import { withDeadline } from '../http/deadline';
import {
	adviceByGatewayReason,
	gatewayAnswerOf,
	gatewayMessage,
	quotaUsedUp,
} from '../http/gatewayAnswer';
import { headerProblem } from '../http/headerText';
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import { waitAskedFor } from '../http/retryAfter';
import { redact } from './redact';
import type { AccountSettings } from './accountSettings';
import { SignInError } from './signInError';

/** n8n's helper `httpRequest`. */
export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** The part of the interface's token response that is used here. */
export interface TokenResponse {
	accessToken: string;
	/** Seconds; absent when the service does not say how long the token lives. */
	lifetime?: number;
}

const checkBaseUrl = "Check 'Base URL' in the credential.";

function serviceUnreachable(settings: AccountSettings, error: TransportError): SignInError {
	const reason = connectionWords(error);
	return new SignInError(
		`Signing in at ${new URL(settings.baseUrl).origin} failed: ${reason}. ${checkBaseUrl}`,
		'unavailable',
	);
}

/** OAuth errors that are no refusal, because signing in may work later (RFC 6749 §4.1.2.1, RFC 8628 §3.5). */
const temporaryErrors = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** Statuses that say "not now" (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporaryStatuses = [408, 425, 429];

/** What each step of signing in needs. */
interface SignInContext {
	httpRequest: HttpRequest;
	settings: AccountSettings;
	/** Texts that no error may show, besides the settings' own secrets. */
	secrets: string[];
}

/** What may be said of an answer: without the secrets, and not longer than a message. */
const sayable = (
	words: string,
	{ settings, secrets }: Omit<SignInContext, 'httpRequest'>,
): string => shortened(redact(words, settings, secrets));

/**
 * @param words why it was refused, in the words of who refused it; secrets are taken out of them
 * @param advice what to do, where it is known
 */
const signInRefused = (
	words: string,
	context: Omit<SignInContext, 'httpRequest'>,
	advice?: string,
): SignInError => {
	const reason = sayable(words, context);
	const sentence = advice && !/[.!?…]$/.test(reason) ? `${reason}.` : reason;
	return new SignInError(
		[`Sign-in was refused: ${sentence}`, ...(advice ? [advice] : [])].join(' '),
		'refused',
	);
};

/** An answer that holds no token and does not say why. It may have counted as an attempt, so it is not repeated. */
const signInUnanswered = (what: string): SignInError =>
	new SignInError(`${what}. ${checkBaseUrl}`, 'refused');

interface ErrorBody {
	/** The `error` of an OAuth error. */
	code?: string;
	words: string;
}

const isSaid = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/**
 * Reads why there is no token: an OAuth error (RFC 6749 §5.2), an error of the interface's part Errors, a problem (RFC
 * 9457), or what else is usual.
 * @returns undefined for a body that names no error
 */
function errorBody(text: string): ErrorBody | undefined {
	const body = parseJson(text);
	if (!isObject(body)) return undefined;
	const { error, errors, error_description: description, message, detail, title } = body;
	if (isSaid(error))
		return { code: error, words: isSaid(description) ? `${description} (${error})` : error };
	const named = isObject(error) ? error.message : undefined;
	const words = [description, named, errors, message, detail, title].find(isSaid);
	if (words !== undefined) return { words };
	const isListed =
		isObject(errors) || isObject(error) || (Array.isArray(errors) && errors.length > 0);
	return isListed || body.success === false ? { words: text.trim() } : undefined;
}

/**
 * What the user reads when the answer to a sign-in holds no token. Whatever refuses a sign-in may lock the account when
 * it is asked again, so only what says "not now" is no refusal. An OAuth error says so by its name, whatever its status.
 */
function errorWithoutToken(
	{ statusCode: status, headers }: IN8nHttpFullResponse,
	text: string,
	context: SignInContext,
): SignInError {
	const gateway = gatewayAnswerOf(status, headers, text);
	const retryAfter = waitAskedFor(status, headers, gateway);
	if (gateway?.reason === 'quota')
		return new SignInError(
			`Signing in was not possible: ${quotaUsedUp(retryAfter)}`,
			'quota',
			retryAfter,
		);
	const error = gateway ? undefined : errorBody(text);
	const isNamed = error?.code !== undefined;
	const isTemporary = isNamed
		? temporaryErrors.includes(error.code ?? '')
		: temporaryStatuses.includes(status) || status >= 500;
	if (isTemporary) {
		const words = gateway
			? `: ${sayable(gatewayMessage(gateway, status), context)}`
			: '. Try again later.';
		return new SignInError(
			`The service could not process the sign-in (status ${status})${words}`,
			'unavailable',
			retryAfter,
		);
	}
	if (gateway)
		return signInRefused(
			gatewayMessage(gateway, status),
			context,
			adviceByGatewayReason[gateway.reason],
		);
	if (error) return signInRefused(error.words, context);
	const webPage = isWebPage(text) ? ' and a web page' : '';
	const words = webPage || status < 400 || !text.trim() ? '' : `: ${sayable(text.trim(), context)}`;
	return signInUnanswered(
		`The service answered the sign-in with status ${status}${webPage}${words}`,
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
		const isSuccess = answer.statusCode >= 200 && answer.statusCode < 300;
		if (!isSuccess || errorBody(text)) throw errorWithoutToken(answer, text, context);
		return text;
	};
	const timedOut = () => Promise.reject(serviceUnreachable(settings, { code: 'ETIMEDOUT' }));
	return await withDeadline({ timeout: signInTimeout }, send, timedOut);
}

/** A lifetime as the service gives it: a number, or its digits as text; 0 and less say nothing of when it ends. */
function lifetimeOf(expiresIn: unknown): number | undefined {
	const isDigits = typeof expiresIn === 'string' && /^\d{1,15}$/.test(expiresIn.trim());
	const seconds = isDigits ? Number(expiresIn) : expiresIn;
	return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0
		? seconds
		: undefined;
}

function tokenResponse(text: string): TokenResponse {
	const body = parseJson(text);
	const accessToken = isObject(body) && isSaid(body.access_token) ? body.access_token.trim() : '';
	if (!isObject(body) || accessToken === '') {
		const fault = isWebPage(text) ? 'is a web page' : 'holds no access token';
		throw signInUnanswered(`The answer to the sign-in ${fault}`);
	}
	const problem = headerProblem(accessToken);
	if (problem) throw signInUnanswered(`The access token that the service issued ${problem}`);
	const lifetime = lifetimeOf(body.expires_in);
	return { accessToken, ...(lifetime !== undefined && { lifetime }) };
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
