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

/** Most bytes that are read of a response: a token must fit into a header, and servers read up to 16 kB of these. */
const maxSignInBytes = 16 * 1024;

/** Most values of a response that count as issued: a few are, each in more than one spelling. */
const maxIssued = 20;

/**
 * Makes one request with the subscription key.
 * @param options its method, headers, query and body
 * @throws SignInError when no response came
 */
export async function request(
	{ httpRequest, settings: { baseUrl, apiKey }, issued }: SignInContext,
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
		const { text, cut } = await readBodyText(body as unknown as AnswerStream, maxSignInBytes);
		if (cut === 'brokenOff') return failWith({ code: 'ECONNRESET' });
		issued.push(...issuedSecrets([text, headers.location]).slice(0, maxIssued));
		return { status, headers, text };
	};
	const timedOut = async () => failWith({ code: 'ETIMEDOUT' });
	return await withDeadline({ timeout: signInTimeout }, send, timedOut);
}

/** A response, as far as it is read: the beginning of its body. The names of its headers are in lower case. */
export type SignInAnswer = Awaited<ReturnType<typeof request>>;
