// Signs in: obtains tokens with the requests of the API spec's part "Authorization and token operations", which send
// JSON over HTTPS and need no browser, and with a request to an identity provider. If a response holds no token, it
// reads the reason, whether the service, its gateway or a proxy sent it. Only this file and engine/send send requests.
import { randomBytes } from 'node:crypto';

import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { adviceBaseUrl, signInFailure, type Failure } from '../failure';
import { streamOptions, readBodyText } from '../http/bodyText';
import { withDeadline } from '../http/deadline';
import { adviceSubscriptionKey, gatewayResponseOf, gatewayMessage } from '../http/gatewayResponse';
import { headerProblem } from '../http/invisible';
import { getIgnoringCase, isObject, isWebPage, jsonIn, truncate } from '../http/json';
import { waitSuffix, requestedWait } from '../http/retryAfter';
import { connectionFault, responseIn, type TransportError } from '../http/transportError';
import { htmlDecoded } from '../http/webPage';
import { type AccountSettings, type GrantType, parametersOf } from './accountSettings';
import { issuedSecrets, jsonDecoded } from './secrets';
import type { IssuedToken } from './token';

/** n8n's helper `httpRequest`. */
export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** The context that each step of signing in shares. */
export interface SignInContext {
	httpRequest: HttpRequest;
	settings: AccountSettings;
	/** The tokens and codes from the responses of this sign-in. */
	issued: string[];
	/** Removes these and all other secrets of the account from a text. */
	redact: (text: string) => string;
}

/** The advice when something other than the service may have responded at an address. */
function adviceAddress(url: string, { baseUrl, tokenUrl }: AccountSettings): string {
	if (url === tokenUrl) return "Check 'Token URL' and 'Scope' in the credential.";
	const { pathname } = new URL(baseUrl);
	return pathname === '/' ? adviceBaseUrl : `Check the path in 'Base URL': ${pathname}`;
}

/** OAuth errors that mean a refusal, whatever the status (RFC 6749 §4.1.2.1, §5.2). */
const refusingErrors = /^(?:invalid|unauthorized|unsupported)_|^access_denied$/;

/**
 * The OAuth errors (RFC 6749 §4.1.2.1, RFC 8628 §3.5), statuses (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4) and
 * reasons of the gateway that mean "not now".
 */
const notNow = /^(?:temporarily_unavailable|server_error|slow_down|408|425|429|[5-9]\d\d|quota)$/;

/** Statuses that mean a refusal, whatever the body, unless it is a web page (API spec, Errors). */
const refusingStatuses = [400, 401, 403];

/** The advice if the service may sign in elsewhere. */
const adviceGrant = "Or ask the service owner about the grant 'Password at an Identity Provider'.";

/** The advice if the service may recover soon. */
const adviceTryLater = 'Try again later.';

/**
 * Joins a message: what happened, why, and what to do.
 * @param words why, in the words of whoever responded; '' if there are none
 * @param advice what to do; '' if unknown
 */
export function joinSentences(what: string, words: string, advice = ''): string {
	const sentence = words === '' ? what : `${what}: ${words}`;
	const end = /[.!?…]$/.test(sentence) ? '' : '.';
	return advice === '' ? sentence : `${sentence}${end} ${advice}`;
}

/** The texts in a JSON value, at any depth. */
const textsIn = (part: unknown): string[] =>
	typeof part === 'string' ? [part] : Object.values(part ?? {}).flatMap(textsIn);

/** All name/value pairs in a response: from anything that may be a query, and from its JSON fields. */
function parametersIn({ headers, text }: SignInResponse): URLSearchParams[] {
	const json = jsonIn(text);
	const texts = textsIn([headers.location, json ?? text]);
	// In text, addresses may have the escapes of HTML and JSON.
	const runs = texts.flatMap((each) => jsonDecoded(htmlDecoded(each)).split(/[\s"'<>?#]+/));
	const fields = isObject(json) ? (json as Record<string, string>) : '';
	return [...runs, fields].map((parameters) => new URLSearchParams(parameters));
}

/**
 * The parameters of the address that a response redirects to, in its Location header or as its body, even inside JSON.
 * An interpreter writes its own notices on lines before the address. Empty for anything else.
 */
function redirectQuery({ headers, text }: SignInResponse): URLSearchParams {
	const lastLines = textsIn([headers.location, jsonIn(text) ?? text.trimEnd().split('\n').at(-1)]);
	const queries = lastLines.map((address) => /^[^\s{<]*?[?#]([^\s"]+)/.exec(address.trim())?.[1]);
	return new URLSearchParams(queries.find(Boolean)?.replaceAll('#', '&'));
}

/**
 * Reads why there is no token: an OAuth error (RFC 6749 §4.1.2.1, §5.2), an error of the API spec's part Errors, a
 * problem (RFC 9457), or other common shapes, with names in any case. Nothing else from a response is ever quoted,
 * since it may hold a token or a code.
 * @returns the words, or ''; the code of an OAuth error, or ''; and whether an error is named at all
 */
function errorIn(response: SignInResponse) {
	const query = Object.fromEntries(redirectQuery(response));
	const body: object = Object.assign(query, jsonIn(response.text));
	const wordsOf = (name: string) =>
		textsIn(getIgnoringCase(body, name)).join(': ').trim().replace(/\s+/g, ' ');
	const code = wordsOf('error');
	const named = [wordsOf('error_description'), code, wordsOf('errors')].find(Boolean);
	const words = named ?? ['message', 'detail', 'title'].map(wordsOf).find(Boolean) ?? '';
	const isNamed = named !== undefined || getIgnoringCase(body, 'success') === false;
	return { code, isNamed, words: code && code !== words ? `${words} (${code})` : words };
}

/** Who responded without a token, the reason in their words, whether it may pass, and what to do. */
function explanationOf(response: SignInResponse, { redact, settings }: SignInContext) {
	const { url, status, headers, text } = response;
	const gateway = gatewayResponseOf(status, headers, text);
	const error = errorIn(response);
	const ownWords = error.words || (isWebPage(text) ? 'a web page' : '');
	const words = truncate(redact(gateway ? gatewayMessage(gateway, status) : ownWords));
	const isTemporary = [error.code, status, gateway?.reason].some((sign) => notNow.test(`${sign}`));
	const adviceHere = isTemporary ? adviceTryLater : adviceAddress(url, settings);
	const advice = gateway?.reason === 'key' ? adviceSubscriptionKey : adviceHere;
	return { gateway, error, words, isTemporary, advice };
}

/**
 * The error for a response without a token or code. Only a proven refusal is remembered, since repeating it may lock
 * the account: an error that the service names, or a status that means a refusal, unless the error's code or the status
 * means "not now". Anything else may come from a proxy in front of the service, or from a wrong address.
 */
function errorWithoutToken(response: SignInResponse, context: SignInContext): Failure {
	const { url, status, headers, text } = response;
	const { words, gateway, error, isTemporary, advice } = explanationOf(response, context);
	const { tokenUrl } = context.settings;
	const isRefusal = error.isNamed || (refusingStatuses.includes(status) && !isWebPage(text));
	if (refusingErrors.test(error.code) || (isRefusal && !isTemporary)) {
		const toDo = words && !gateway && status !== 404 ? '' : advice;
		const message = joinSentences('Sign-in was refused', words || `status ${status}`, toDo);
		return signInFailure(message, gateway?.reason === 'key' ? 'keyRefused' : 'signInRefused');
	}
	// The gateway knows which operations exist, and an identity provider's address is given in full.
	if (status === 404 && (gateway || url === tokenUrl)) {
		const toDo = tokenUrl ? advice : `${advice} ${adviceGrant}`;
		return signInFailure(joinSentences('There is no sign-in at this address', words, toDo));
	}
	if (status < 300 && getIgnoringCase(jsonIn(text), 'id_token') !== undefined)
		return signInFailure(
			`The identity provider issued an ID token, but no access token. ${advice} 'Additional Parameters' may need "response_type".`,
		);
	const isQuota = gateway?.reason === 'quota';
	const wait = requestedWait(status, headers, isQuota);
	const what = `The service issued no token (status ${status})${waitSuffix(wait)}`;
	const message = joinSentences(what, words, advice);
	return signInFailure(message, isQuota ? 'quotaUsedUp' : 'signInUnavailable', wait);
}

/** Milliseconds each request of a sign-in may take. */
export const signInTimeout = 30_000;

/** Maximum bytes read from a response: a token must fit into a header, and servers read up to 16 kB of these. */
const maxSignInBytes = 16 * 1024;

/** Maximum values of a response to treat as issued secrets: only a few are, each in more than one spelling. */
const maxIssued = 20;

/**
 * Makes one request. Only the host of 'Base URL' gets the subscription key.
 * @param options its method, headers, query and body: an object is sent as JSON, text as a form
 * @throws Failure if no response came
 */
async function request(
	{ httpRequest, settings, issued }: SignInContext,
	url: string,
	options: Partial<IHttpRequestOptions>,
) {
	const { origin } = new URL(url);
	const failWith = (error: TransportError): never => {
		const { words, advice = adviceAddress(url, settings), isFinal } = connectionFault(error, url);
		const message = `Signing in at ${origin} failed: ${words}. ${advice}`;
		throw signInFailure(message, isFinal ? 'noConnection' : 'signInUnavailable');
	};
	const type = typeof options.body === 'string' ? 'x-www-form-urlencoded' : 'json';
	const isServiceHost = origin === new URL(settings.baseUrl).origin;
	const send = async (abortSignal: AbortSignal) => {
		const sent = httpRequest({
			...streamOptions,
			method: 'POST',
			...options,
			url,
			headers: {
				'Content-Type': `application/${type}`,
				...(isServiceHost && { 'Ocp-Apim-Subscription-Key': settings.apiKey }),
				...options.headers,
			},
			abortSignal,
		}) as Promise<IN8nHttpFullResponse>;
		const { body, statusCode: status, headers } = await sent.catch(responseIn).catch(failWith);
		const { text, cut } = await readBodyText(body, maxSignInBytes);
		if (cut === 'brokenOff') return failWith({ code: 'ECONNRESET' });
		issued.push(...[...new Set(issuedSecrets([text, headers.location]))].slice(0, maxIssued));
		return { url, status, headers, text };
	};
	const timedOut = () => failWith({ code: 'ETIMEDOUT' });
	return await withDeadline({ timeout: signInTimeout }, send, timedOut);
}

/** The part of a response that is read, with the beginning of its body. Names of headers are in lowercase. */
export type SignInResponse = Awaited<ReturnType<typeof request>>;

/**
 * Reads the one-time code from wherever a response has it along with the state that was sent. A response with another
 * state belongs to another request (RFC 6749 §10.12).
 * @returns undefined if there is no code, more than one, or an error along with it
 * @throws Failure if the state differs
 */
export function codeWithState(state: string, response: SignInResponse): string | undefined {
	if (response.status >= 400 || errorIn(response).isNamed) return undefined;
	const isOurs = (query: URLSearchParams) => query.get('code') && query.get('state') === state;
	const ours = parametersIn(response).filter(isOurs);
	if (ours.length === 0 && redirectQuery(response).get('code'))
		throw signInFailure('The sign-in response belongs to another request (its state differs)');
	const [code, ...others] = new Set(ours.map((query) => query.get('code')));
	return others.length > 0 || ours.some((query) => query.get('error')) ? undefined : code!;
}

/** The steps to obtain a token; the last response has it. */
type Grant = (context: SignInContext, user: Record<string, string>) => Promise<SignInResponse>;

const grants: Record<GrantType, Grant> = {
	async password(context, user) {
		const { baseUrl, clientSecret } = context.settings;
		const body = { grant_type: 'password', ...user, client_secret: clientSecret };
		return await request(context, `${baseUrl}/authpass/Token.php`, { body });
	},

	/** RFC 6749 §4.3.2; a public client has no secret (§2.1). */
	async identityProvider(context, user) {
		const { tokenUrl, clientSecret, scope, additionalParameters } = context.settings;
		const all = { grant_type: 'password', ...user, client_secret: clientSecret, scope };
		const given = Object.entries(all).filter(([, value]) => value !== '');
		const form = new URLSearchParams([...given, ...parametersOf(additionalParameters)!]);
		return await request(context, tokenUrl, { body: form.toString() });
	},

	async authorizationCode(context, user) {
		const { baseUrl, clientId, clientSecret, redirectUri } = context.settings;
		const state = randomBytes(16).toString('base64url');
		const codeRequest = { response_type: 'code', ...user, state };
		const response = await request(context, `${baseUrl}/auth/Authorize.php`, { body: codeRequest });
		const code = codeWithState(state, response);
		if (code === undefined) throw errorWithoutToken(response, context);
		const app = { client_id: clientId, client_secret: clientSecret || undefined };
		const body = { grant_type: 'authorization_code', code, ...app, redirect_uri: redirectUri };
		return await request(context, `${baseUrl}/authtoken/Token.php`, { body });
	},
};

/**
 * Obtains a new token by the credential's grant.
 * @throws Failure with the service's own words, if it gave any
 */
export async function requestToken(context: SignInContext): Promise<IssuedToken> {
	const { grantType, clientId, username, password } = context.settings;
	const user = { client_id: clientId, username, password };
	const response = await grants[grantType](context, user);
	// The response's names may be in another case.
	const json = response.status < 300 ? jsonIn(response.text) : undefined;
	const token = getIgnoringCase(json, 'access_token');
	const accessToken = typeof token === 'string' ? token.trim() : '';
	if (accessToken === '') throw errorWithoutToken(response, context);
	if (headerProblem(accessToken))
		throw signInFailure('The token that was issued has characters that no header can carry.');
	const obtainedAt = Date.now();
	// Seconds, possibly as text. Anything else, including 0 and less, does not tell when the token ends.
	const lifetime = Number(getIgnoringCase(json, 'expires_in'));
	const expiresAt = lifetime > 0 ? obtainedAt + lifetime * 1000 : undefined;
	return { accessToken, obtainedAt, expiresAt };
}

/** The request of the Test button: one vendor, since any account with any permission may read it. */
export const testRequest = { url: '/agencyvendors/vendors', qs: { limit: 1 } };

/** The advice for a status, unless the gateway has a reason. */
const adviceOnTest: Record<string, string> = {
	401: "Choose the other value of 'Authorization Header'; if that fails too, ask the service owner what this account may do.",
	403: 'This account may not read them, but other operations may still work.',
};

/**
 * Reads one vendor with a newly issued token.
 * @param authorization the value of the Authorization header
 * @throws Failure that explains the problem, with the words of the refusal
 */
export async function testToken(context: SignInContext, authorization: string): Promise<void> {
	const headers = { Authorization: authorization };
	const url = `${context.settings.baseUrl}${testRequest.url}`;
	const response = await request(context, url, { method: 'GET', qs: testRequest.qs, headers });
	const { status, text } = response;
	if (status < 300 && !isWebPage(text)) return;
	const { gateway, words, advice } = explanationOf(response, context);
	const here = adviceOnTest[gateway?.reason ?? status] ?? advice;
	const what = `Signed in, but the test, which reads vendors, returned status ${status}`;
	throw signInFailure(joinSentences(what, words, here));
}
