// Makes the requests of signing in, and of the credential's test: the only place beside engine/send that sends any.
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { adviceBaseUrl } from '../failure';
import { answerAsStream, maxRefusalBytes, readBodyText, type AnswerStream } from '../http/bodyText';
import { withDeadline } from '../http/deadline';
import { isSentThroughProxy } from '../http/proxyProbe';
import { connectionFault, onEach, responseIn, type TransportError } from '../http/transportError';
import type { AccountSettings } from './accountSettings';
import { SignInError } from './signInError';

/** n8n's helper `httpRequest`. */
export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** What each step of signing in needs. */
export interface SignInContext {
	httpRequest: HttpRequest;
	settings: AccountSettings;
	/** What no error may show besides the settings' own secrets, such as earlier tokens. */
	secrets: string[];
}

/**
 * Refuses a Base URL with http where a proxy would read what is sent: password, key and records.
 * @throws SignInError where n8n would send requests to it through a proxy
 */
export async function refuseOpenProxy(httpRequest: HttpRequest, baseUrl: string): Promise<void> {
	const { protocol, origin, hostname } = new URL(baseUrl);
	if (protocol !== 'http:' || !(await isSentThroughProxy(httpRequest, baseUrl))) return;
	const what = `n8n would send requests to ${origin} through the proxy of HTTP_PROXY, which could read the password and all else.`;
	const advice = `Add ${hostname} to NO_PROXY in n8n's environment, ${onEach}.`;
	throw new SignInError(`${what} ${advice}`, 'noConnection');
}

/** Milliseconds that each request of a sign-in may take. */
export const signInTimeout = 30_000;

/**
 * Makes one request with the subscription key.
 * @param options its method, headers, query and body
 * @throws SignInError when no response came
 */
export async function request(
	{ httpRequest, settings: { baseUrl, apiKey } }: SignInContext,
	path: string,
	options: Partial<IHttpRequestOptions>,
) {
	const failWith = (error: TransportError): never => {
		const { words, advice = adviceBaseUrl, isFinal } = connectionFault(error, baseUrl);
		const message = `Signing in at ${new URL(baseUrl).origin} failed: ${words}. ${advice}`;
		throw new SignInError(message, isFinal ? 'noConnection' : 'signInUnavailable');
	};
	await refuseOpenProxy(httpRequest, baseUrl);
	const send = async (abortSignal: AbortSignal) => {
		const sent = httpRequest({
			...answerAsStream,
			...options,
			url: `${baseUrl}${path}`,
			headers: {
				'Content-Type': 'application/json',
				'Ocp-Apim-Subscription-Key': apiKey,
				...options.headers,
			},
			abortSignal,
		}) as Promise<IN8nHttpFullResponse>;
		const { body, statusCode: status, headers } = await sent.catch(responseIn).catch(failWith);
		const { text, cut } = await readBodyText(body as unknown as AnswerStream, maxRefusalBytes);
		return cut === 'brokenOff' ? failWith({ code: 'ECONNRESET' }) : { status, headers, text };
	};
	const timedOut = async () => failWith({ code: 'ETIMEDOUT' });
	return await withDeadline({ timeout: signInTimeout }, send, timedOut);
}

/** A response, as far as it is read: the beginning of its body. The names of its headers are in lower case. */
export type SignInAnswer = Awaited<ReturnType<typeof request>>;
