// Makes one try of a request. This is the only file that talks to the service.
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { SignInError } from '../auth/signInError';
import { credentialType, toSign, type RequestSigning } from '../auth/signing';
import type { FailureDetails } from '../failure';
import { answerAsStream, maxRefusalBytes, readBodyText, type AnswerStream } from '../http/bodyText';
import type { Deadline } from '../http/deadline';
import { gatewayAnswerOf } from '../http/gatewayAnswer';
import { requestedWait } from '../http/retryAfter';
import { connectionFault, mayHaveBeenSent, type ConnectionFault } from '../http/transportError';
import { cancelSignalOf, transportErrorOf } from '../n8n';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import type { Exchange } from './exchange';
import type { TryEvidence } from './retryPolicy';
import { noAnswerFailure, signInFailure } from './sendFailures';
import type { ServiceAccess } from './serviceAccess';

export class ServiceTry implements Deadline {
	readonly timeout: number;

	readonly stopSignals: AbortSignal[];

	private readonly baseUrl: string;

	private readonly file?: Multipart;

	/** Set when there is a token to sign the request with; before that nothing was sent. */
	private signing?: RequestSigning;

	private stream?: AnswerStream;

	/**
	 * @param started what is known beforehand
	 * @param stop ends the try, as cancelling the execution does
	 */
	constructor(
		private readonly service: ServiceAccess,
		private readonly request: ServiceRequest,
		private readonly started: Exchange,
		stop: AbortSignal | undefined,
	) {
		const signals = [cancelSignalOf(service.ctx), stop];
		this.timeout = request.timeout;
		this.stopSignals = signals.filter((signal) => signal !== undefined);
		this.baseUrl = service.account.settings.baseUrl;
		if (request.body instanceof Multipart) this.file = request.body;
	}

	readonly lastActivity = (): number | undefined => this.file?.lastReadAt;

	/** @param signal is aborted when the time is over, or by a stop signal */
	readonly signAndSend = async (signal: AbortSignal): Promise<Exchange> => {
		const { ctx, credentials, account, runToken } = this.service;
		const token = await runToken.get();
		if (signal.aborted) return this.abandon();
		if (token instanceof SignInError) return this.signInFailed(token);
		await this.request.beforeSending?.();
		if (signal.aborted) return this.abandon();
		const signing: RequestSigning = (this.signing = { account, token });
		// n8n's request helper takes no signal, but asks its context for the cancel signal of the execution. It is given
		// a context that answers with the request's own signal, which the deadline aborts too.
		const ctxWithSignal = Object.create(ctx, {
			getExecutionCancelSignal: { value: () => signal },
		}) as IExecuteFunctions;
		const endTracking = account.tokens.trackRequest(token);
		try {
			const response = (await ctx.helpers.httpRequestWithAuthentication.call(
				ctxWithSignal,
				credentialType,
				this.requestOptions,
				toSign(credentials, signing),
			)) as IN8nHttpFullResponse;
			return await this.readResponse(response, signing, signal);
		} catch (error) {
			const { fileError } = this.file ?? {};
			if (fileError) {
				// The file is not in n8n's storage as n8n noted it.
				const message = `The file was not sent completely: ${fileError.message}`;
				return this.without({ maybeSent: true, endedHere: true }, message);
			}
			const cause = transportErrorOf(error);
			return this.unanswered(mayHaveBeenSent(cause), connectionFault(cause, this.baseUrl));
		} finally {
			endTracking();
		}
	};

	private get requestOptions(): IHttpRequestOptions {
		const { method, path, query, headers, body } = this.request;
		return {
			method,
			url: `${this.baseUrl}${path}`,
			qs: query,
			headers,
			// As text, since n8n's HTTP client leaves out what has a name such as __proto__.
			body: (body && !this.file ? JSON.stringify(body) : body) as IHttpRequestOptions['body'],
			...answerAsStream,
		};
	}

	private async readResponse(
		{ statusCode: status, headers, body }: IN8nHttpFullResponse,
		{ account, token, signedAt = -Infinity }: RequestSigning,
		signal: AbortSignal,
	): Promise<Exchange> {
		const { started, request, file, service } = this;
		const stream = (this.stream = body as unknown as AnswerStream);
		if (signal.aborted) stream.destroy();
		const isSuccess = status >= 200 && status < 300;
		const contentType = headers['content-type'];
		const read = isSuccess
			? await readBodyText(stream, request.maxAnswerBytes, service.budget, contentType)
			: await readBodyText(stream, maxRefusalBytes, undefined, contentType);
		const gateway = gatewayAnswerOf(status, headers, read.text);
		const exchange: Exchange = {
			...started,
			...read,
			status,
			headers: headers as Exchange['headers'],
			gateway,
			maybeSent: true,
			retryAfter: requestedWait(status, headers, gateway),
		};
		if (status === 401 && gateway?.reason !== 'key') {
			const { wasReplacedByOtherSignIn } = service.runToken;
			const whyTokenEnded = 'Another sign-in of this account ended the token.';
			return {
				...exchange,
				refusedToken: token,
				...(wasReplacedByOtherSignIn && { whyTokenEnded }),
			};
		}
		if (!isSuccess && status !== 304) return exchange;
		account.tokens.recordAccepted(token, signedAt);
		// A service that takes a part of a file for the whole has not done what was asked.
		if (isSuccess && file?.fileError) throw file.fileError;
		return { ...exchange, delay: performance.now() - (file?.lastReadAt ?? signedAt) };
	}

	/** The exchange of a try that was abandoned, because its time ran out or a stop signal ended it. */
	readonly abandon = (): Exchange => {
		// n8n's helper may have ignored the signal, and then the response is still being read.
		this.stream?.destroy();
		return this.signing
			? this.unanswered(true, { words: 'no answer came in time' })
			: this.unanswered(false, { words: 'signing in took too long' });
	};

	private signInFailed(error: SignInError): Exchange {
		const { retryAfter, reason } = error;
		const { message, details } = signInFailure(error);
		const isQuota = reason === 'quotaUsedUp';
		const gateway = isQuota ? ({ reason: 'quota', words: '' } as const) : undefined;
		const exchange = this.without({ maybeSent: false, retryAfter, gateway }, message, details);
		return { ...exchange, signInError: error };
	}

	private unanswered(maybeSent: boolean, { words, advice, isFinal }: ConnectionFault): Exchange {
		const evidence = { maybeSent, isFinal };
		if (this.stopSignals.some(({ aborted }) => aborted))
			return this.without(evidence, 'The execution was cancelled', { code: 'cancelled' });
		const { origin } = new URL(this.baseUrl);
		if (maybeSent)
			return this.without(evidence, `No answer from ${origin}: ${words}`, { code: 'noAnswer' });
		const check = advice ?? "Check 'Base URL' in the credential, and the network.";
		return this.without(evidence, `No connection to ${origin}: ${words}`, {
			code: 'noConnection',
			...(isFinal && { retryable: false }),
			advice: `Nothing was sent. ${check} Then run this item again.`,
		});
	}

	/** The exchange of a try without a response. */
	private without(
		evidence: Partial<TryEvidence>,
		message: string,
		details?: FailureDetails,
	): Exchange {
		const exchange = { ...this.started, ...evidence };
		return { ...exchange, noAnswer: noAnswerFailure(exchange, { message, details }) };
	}
}
