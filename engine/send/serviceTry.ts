// Makes one try of a request, signed with a token of the account.
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { SignInError, signInFailure } from '../auth/signInError';
import { credentialType, toSign, type RequestSigning } from '../auth/signing';
import { answerAsStream, maxRefusalBytes, readBodyText, type AnswerStream } from '../http/bodyText';
import { withDeadline } from '../http/deadline';
import { formatDuration } from '../http/format';
import { gatewayAnswerOf } from '../http/gatewayAnswer';
import { requestedWait } from '../http/retryAfter';
import { connectionFault, mayHaveBeenSent, type ConnectionFault } from '../http/transportError';
import { cancelSignalOf, transportErrorOf } from '../n8n';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import type { Exchange } from './exchange';
import type { ServiceAccess } from './serviceAccess';

export const fileOf = ({ body }: ServiceRequest): Multipart | undefined =>
	body instanceof Multipart ? body : undefined;

/**
 * Makes one try of a request, and throws nothing but what its `beforeSending` throws.
 * @param started what is known beforehand
 * @param stop ends the try, as cancelling the execution does
 */
export async function tryOnce(
	service: ServiceAccess,
	request: ServiceRequest,
	started: Exchange,
	stop: AbortSignal | undefined,
): Promise<Exchange> {
	const { ctx, account, runToken } = service;
	const { baseUrl } = account.settings;
	const file = fileOf(request);
	const stopSignals = [cancelSignalOf(ctx), stop].filter((signal) => signal !== undefined);
	// Set when there is a token to sign the request with; before that nothing was sent.
	let signing: RequestSigning | undefined;
	let stream: AnswerStream | undefined;
	const unanswered = (maybeSent: boolean, fault: ConnectionFault): Exchange => {
		const isCancelled = stopSignals.some(({ aborted }) => aborted);
		const noAnswer = isCancelled ? cancelled : noAnswerFrom(baseUrl, maybeSent, fault);
		return { ...started, maybeSent, isFinal: fault.isFinal, noAnswer };
	};
	const late = (): ConnectionFault => ({
		words: `no response came within ${formatDuration(request.timeout)} ('Timeout (Seconds)')`,
	});
	const abandon = (): Exchange => {
		// n8n's helper may have ignored the signal, and then the response is still being read.
		stream?.destroy();
		return unanswered(signing !== undefined, late());
	};
	const signAndSend = async (signal: AbortSignal): Promise<Exchange> => {
		const token = await runToken.get();
		if (signal.aborted) return abandon();
		if (token instanceof SignInError) return { ...started, ...signInFailed(token) };
		await request.beforeSending?.();
		if (signal.aborted) return abandon();
		signing = { account, token };
		const endTracking = account.tokens.trackRequest(token);
		try {
			const response = await send(service, request, signing, signal);
			stream = response.body as unknown as AnswerStream;
			if (signal.aborted) stream.destroy();
			return { ...started, ...(await answered(service, request, signing, response)) };
		} catch (error) {
			if (!file?.fileError) {
				const cause = transportErrorOf(error);
				const fault = signal.aborted ? late() : connectionFault(cause, baseUrl);
				return unanswered(mayHaveBeenSent(cause), fault);
			}
			// The file is not in n8n's storage as n8n noted it.
			const message = `The file was not sent completely: ${file.fileError.message}`;
			return { ...started, maybeSent: true, endedHere: true, noAnswer: { message } };
		} finally {
			endTracking();
		}
	};
	const deadline = { timeout: request.timeout, stopSignals, lastActivity: () => file?.lastReadAt };
	return await withDeadline(deadline, signAndSend, abandon);
}

async function send(
	{ ctx, credentials, account }: ServiceAccess,
	request: ServiceRequest,
	signing: RequestSigning,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const { method, path, query, headers, body } = request;
	const options: IHttpRequestOptions = {
		method,
		url: `${account.settings.baseUrl}${path}`,
		qs: query,
		headers,
		// As text, since n8n's HTTP client leaves out what has a name such as __proto__.
		body: (body && !fileOf(request) ? JSON.stringify(body) : body) as IHttpRequestOptions['body'],
		...answerAsStream,
	};
	// n8n's request helper takes no signal, but asks its context for the cancel signal of the execution. It is given
	// a context that answers with the request's own signal, which the deadline aborts too.
	const ctxWithSignal = Object.create(ctx, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;
	return (await ctx.helpers.httpRequestWithAuthentication.call(
		ctxWithSignal,
		credentialType,
		options,
		toSign(credentials, signing),
	)) as IN8nHttpFullResponse;
}

/** Reads the response, and notes what it shows of the token. */
async function answered(
	{ account: { tokens }, budget, runToken }: ServiceAccess,
	request: ServiceRequest,
	{ token, signedAt }: RequestSigning,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
): Promise<Partial<Exchange>> {
	const isSuccess = status >= 200 && status < 300;
	const contentType = headers['content-type'];
	const maxBytes = isSuccess ? request.maxAnswerBytes : maxRefusalBytes;
	const stream = body as unknown as AnswerStream;
	const read = await readBodyText(stream, maxBytes, isSuccess ? budget : undefined, contentType);
	const gateway = gatewayAnswerOf(status, headers, read.text);
	const exchange: Partial<Exchange> = {
		...read,
		status,
		headers: headers as Exchange['headers'],
		gateway,
		maybeSent: true,
		retryAfter: requestedWait(status, headers, gateway),
	};
	if (status === 401 && gateway?.reason !== 'key')
		return { ...exchange, refusedToken: token, whyTokenEnded: runToken.whyEnded };
	if (!isSuccess && status !== 304) return exchange;
	tokens.recordAccepted(token, signedAt);
	const file = fileOf(request);
	// A service that takes a part of a file for the whole has not done what was asked.
	if (isSuccess && file?.fileError) throw file.fileError;
	const handedOverAt = file?.lastReadAt ?? signedAt;
	return { ...exchange, delay: handedOverAt && performance.now() - handedOverAt };
}

function signInFailed(signInError: SignInError): Partial<Exchange> {
	const { retryAfter, reason } = signInError;
	const gateway = reason === 'quotaUsedUp' ? ({ reason: 'quota', words: '' } as const) : undefined;
	return { retryAfter, gateway, noAnswer: signInFailure(signInError), signInError };
}

const cancelled = {
	message: 'The execution was cancelled',
	details: { code: 'cancelled' },
} as const;

function noAnswerFrom(
	baseUrl: string,
	maybeSent: boolean,
	{ words, advice }: ConnectionFault,
): Exchange['noAnswer'] {
	const { origin } = new URL(baseUrl);
	if (maybeSent)
		return { message: `No response from ${origin}: ${words}`, details: { code: 'noAnswer' } };
	const check = advice ?? "Check 'Base URL' in the credential, and the network.";
	const details = {
		code: 'noConnection' as const,
		advice: `Nothing was sent. ${check} Then run this item again.`,
	};
	return { message: `No connection to ${origin}: ${words}`, details };
}
