// Makes the requests of signing in, and of the credential's test: the only place beside engine/send that sends any.
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { adviceBaseUrl } from '../failure';
import { answerAsStream, readBodyText, type AnswerStream } from '../http/bodyText';
import { withDeadline } from '../http/deadline';
import { isSentThroughProxy } from '../http/proxyProbe';
import { connectionFault, onEach, responseIn, type TransportError } from '../http/transportError';
import type { AccountSettings } from './accountSettings';
import { issuedSecrets } from './issuedSecrets';
import { SignInError } from './signInError';

/** n8n's helper `httpRequest`. */
export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** The context of each step of signing in. */
export interface SignInContext {
	httpRequest: HttpRequest;
	settings: AccountSettings;
	/** The tokens and codes that the responses to this sign-in have carried. */
	issued: string[];
	/** Takes them out of a text, and all other secrets of the account. */
	redact: (text: string) => string;
}

/**
 * Refuses an address with http where a proxy would read what is sent: password, key and records.
 * @throws SignInError where n8n would send requests to it through a proxy
 */
export async function refuseOpenProxy(httpRequest: HttpRequest, url: string): Promise<void> {
	const { protocol, origin, hostname } = new URL(url);
	if (protocol !== 'http:' || !(await isSentThroughProxy(httpRequest, url))) return;
	const what = `n8n would send requests to ${origin} through the proxy of HTTP_PROXY, which could read the password and all else.`;
	const advice = `Add ${hostname} to NO_PROXY in n8n's environment, ${onEach}.`;
	throw new SignInError(`${what} ${advice}`, 'noConnection');
}

/** Milliseconds that each request of a sign-in may take. */
export const signInTimeout = 30_000;

/** Most bytes that are read of a response: a token must fit into a header, and servers read up to 16 kB of these. */
const maxSignInBytes = 16 * 1024;

/** Most values of a response that count as issued: a few are, each in more than one spelling. */
const maxIssued = 20;

/** The advice when what responds at an address may be something else than it should be. */
export function adviceAddress(url: string, { baseUrl, tokenUrl }: AccountSettings): string {
	if (url === tokenUrl) return "Check 'Token URL' and 'Scope' in the credential.";
	const { pathname } = new URL(baseUrl);
	return pathname === '/' ? adviceBaseUrl : `Check the path in 'Base URL': ${pathname}`;
}

/**
 * Makes one request. Only the host of 'Base URL' gets the subscription key.
 * @param options its method, headers, query and body: an object goes as JSON, a text as a form
 * @throws SignInError when no response came
 */
export async function request(
	{ httpRequest, settings, issued }: SignInContext,
	url: string,
	options: Partial<IHttpRequestOptions>,
) {
	const { origin } = new URL(url);
	const failWith = (error: TransportError): never => {
		const { words, advice = adviceAddress(url, settings), isFinal } = connectionFault(error, url);
		const message = `Signing in at ${origin} failed: ${words}. ${advice}`;
		throw new SignInError(message, isFinal ? 'noConnection' : 'signInUnavailable');
	};
	await refuseOpenProxy(httpRequest, url);
	const type = typeof options.body === 'string' ? 'x-www-form-urlencoded' : 'json';
	const isOfService = origin === new URL(settings.baseUrl).origin;
	const send = async (abortSignal: AbortSignal) => {
		const sent = httpRequest({
			...answerAsStream,
			...options,
			url,
			headers: {
				'Content-Type': `application/${type}`,
				...(isOfService && { 'Ocp-Apim-Subscription-Key': settings.apiKey }),
				...options.headers,
			},
			abortSignal,
		}) as Promise<IN8nHttpFullResponse>;
		const { body, statusCode: status, headers } = await sent.catch(responseIn).catch(failWith);
		const { text, cut } = await readBodyText(body as unknown as AnswerStream, maxSignInBytes);
		if (cut === 'brokenOff') return failWith({ code: 'ECONNRESET' });
		issued.push(...[...new Set(issuedSecrets([text, headers.location]))].slice(0, maxIssued));
		return { url, status, headers, text };
	};
	const timedOut = async () => failWith({ code: 'ETIMEDOUT' });
	return await withDeadline({ timeout: signInTimeout }, send, timedOut);
}

/** A response, as far as it is read: the beginning of its body. The names of its headers are in lower case. */
export type SignInAnswer = Awaited<ReturnType<typeof request>>;
