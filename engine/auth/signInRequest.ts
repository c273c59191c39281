// Makes the requests of signing in, and of the credential's test: the only place beside engine/send that sends any.
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { adviceBaseUrl } from '../failure';
import { maxRefusalBytes, readBodyText, type AnswerStream } from '../http/bodyText';
import { withDeadline } from '../http/deadline';
import { connectionWords, type TransportError } from '../http/transportError';
import type { AccountSettings } from './accountSettings';
import { SignInError } from './signInError';

/** n8n's helper `httpRequest`. */
export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** An answer, as far as it is read: the beginning of its body. */
export interface SignInAnswer {
	status: number;
	/** With names in lower case. */
	headers: Record<string, unknown>;
	text: string;
}

function serviceUnreachable(settings: AccountSettings, error: TransportError): SignInError {
	const reason = connectionWords(error);
	return new SignInError(
		`Signing in at ${new URL(settings.baseUrl).origin} failed: ${reason}. ${adviceBaseUrl}`,
		'unavailable',
	);
}

/** Milliseconds that each request of a sign-in may take. */
export const signInTimeout = 30_000;

/**
 * Makes one request with the subscription key.
 * @param options its method, headers, query and body
 * @throws SignInError when no answer came
 */
export async function request(
	httpRequest: HttpRequest,
	settings: AccountSettings,
	path: string,
	{ headers, ...options }: Partial<IHttpRequestOptions>,
): Promise<SignInAnswer> {
	const requestOptions: IHttpRequestOptions = {
		url: `${settings.baseUrl}${path}`,
		headers: {
			'Content-Type': 'application/json',
			'Ocp-Apim-Subscription-Key': settings.apiKey,
			...headers,
		},
		encoding: 'stream',
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		timeout: 0,
		...options,
	};
	const send = async (abortSignal: AbortSignal): Promise<SignInAnswer> => {
		const answer = (await httpRequest({ ...requestOptions, abortSignal }).catch((error: unknown) =>
			serviceUnreachable(settings, error as TransportError),
		)) as IN8nHttpFullResponse | SignInError;
		if (answer instanceof SignInError) throw answer;
		const { text, cut } = await readBodyText(
			answer.body as unknown as AnswerStream,
			maxRefusalBytes,
		);
		if (cut === 'brokenOff') throw serviceUnreachable(settings, { code: 'ECONNRESET' });
		return { status: answer.statusCode, headers: answer.headers, text };
	};
	const timedOut = () => Promise.reject(serviceUnreachable(settings, { code: 'ETIMEDOUT' }));
	return await withDeadline({ timeout: signInTimeout }, send, timedOut);
}
