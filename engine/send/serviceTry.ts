// Makes one try of a request. This is the only file that talks to the service.
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { Account } from '../auth/account';
import { SignInError } from '../auth/signInError';
import { credentialType, toSign, type RequestSigning } from '../auth/signing';
import type { Token } from '../auth/token';
import type { FailureDetails } from '../failure';
import {
	answerAsStream,
	maxRefusalBytes,
	readBodyText,
	type AnswerBudget,
	type AnswerStream,
} from '../http/bodyText';
import { withDeadline } from '../http/deadline';
import { gatewayAnswerOf } from '../http/gatewayAnswer';
import { waitAskedFor } from '../http/retryAfter';
import { connectionFault, mayHaveBeenSent, type ConnectionFault } from '../http/transportError';
import { cancelSignalOf, transportErrorOf, type NodeContext } from '../n8n';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import type { RunToken } from './runToken';
import { allTokensRefused, keyRefused, signInFailure } from './sendFailures';
import type { Answer, TryResult } from './sendTypes';

/** The service, as all tries of a run use it. */
export interface Service {
	ctx: NodeContext;
	/** As it was when the run began. */
	credentials: ICredentialDataDecryptedObject;
	baseUrl: string;
	account: Account;
	runToken: RunToken;
	/** The bytes that all answers of the run may have. */
	budget: AnswerBudget;
	/** Takes the credential's secrets out of a text. */
	redactSecrets: (text: string) => string;
}

/** Signing in failed, so the request was never made. */
function signInFailed(error: SignInError): TryResult {
	const { retryAfter, fault } = error;
	const noAnswer = signInFailure(error);
	return {
		evidence: { maybeSent: false, retryAfter, gateway: fault === 'quota' ? fault : undefined },
		noAnswer,
		signInError: error,
		obstacle: noAnswer.details.retryable ? undefined : noAnswer,
	};
}

const requestOptionsOf = (
	{ method, path, query, headers, body }: ServiceRequest,
	baseUrl: string,
): IHttpRequestOptions => ({
	method,
	url: `${baseUrl}${path}`,
	qs: query,
	headers,
	// As text, since n8n's HTTP client leaves out what has a name such as __proto__.
	body: (body && !(body instanceof Multipart)
		? JSON.stringify(body)
		: body) as IHttpRequestOptions['body'],
	...answerAsStream,
});

export class ServiceTry {
	/** Set when there is a token to sign the request with; before that nothing was sent. */
	private signing?: RequestSigning;

	private answerStream?: AnswerStream;

	private readonly stopSignals: AbortSignal[];

	/** @param stop ends the try, as cancelling the execution does */
	constructor(
		private readonly service: Service,
		private readonly request: ServiceRequest,
		stop: AbortSignal | undefined,
	) {
		const signals = [cancelSignalOf(service.ctx), stop];
		this.stopSignals = signals.filter((signal) => signal !== undefined);
	}

	private get file(): Multipart | undefined {
		const { body } = this.request;
		return body instanceof Multipart ? body : undefined;
	}

	async send(): Promise<TryResult> {
		const { timeout } = this.request;
		const lastActivity = () => this.file?.lastReadAt;
		return await withDeadline(
			{ timeout, stopSignals: this.stopSignals, lastActivity },
			async (signal) => await this.signAndSend(signal),
			() => {
				// n8n's helper may have ignored the signal, and then the answer is still being read.
				this.answerStream?.destroy();
				return this.abandoned();
			},
		);
	}

	private async signAndSend(signal: AbortSignal): Promise<TryResult> {
		const { ctx, credentials, baseUrl, account, runToken } = this.service;
		const token = await runToken.get();
		if (signal.aborted) return this.abandoned();
		if (token instanceof SignInError) return signInFailed(token);
		await this.request.beforeSending?.();
		if (signal.aborted) return this.abandoned();
		this.signing = { account, token };
		// n8n's request helper takes no signal, but asks its context for the cancel signal of the execution. It is given
		// a context that answers with the request's own signal, which the deadline aborts too.
		const ctxWithSignal = Object.create(ctx, {
			getExecutionCancelSignal: { value: () => signal },
		}) as IExecuteFunctions;
		const isAnswered = account.tokens.noteUnderWay(token);
		try {
			const response = (await ctx.helpers.httpRequestWithAuthentication.call(
				ctxWithSignal,
				credentialType,
				requestOptionsOf(this.request, baseUrl),
				toSign(credentials, this.signing),
			)) as IN8nHttpFullResponse;
			return await this.readAnswer(response, token, signal);
		} catch (error) {
			const { fileError } = this.file ?? {};
			if (fileError) {
				// The file is not in n8n's storage as n8n noted it.
				const message = `The file was not sent completely: ${fileError.message}`;
				return {
					evidence: { maybeSent: true, endedHere: true },
					noAnswer: { message, details: {} },
				};
			}
			const cause = transportErrorOf(error);
			return this.noAnswer(mayHaveBeenSent(cause), connectionFault(cause, baseUrl));
		} finally {
			isAnswered();
		}
	}

	private async readAnswer(
		{ statusCode: status, headers, body }: IN8nHttpFullResponse,
		token: Token,
		signal: AbortSignal,
	): Promise<TryResult> {
		const { account, budget, redactSecrets } = this.service;
		const { method, maxAnswerBytes } = this.request;
		const stream = (this.answerStream = body as unknown as AnswerStream);
		if (signal.aborted) stream.destroy();
		const isSuccess = status >= 200 && status < 300;
		const contentType = headers['content-type'];
		const { text, ...cutOff } = isSuccess
			? await readBodyText(stream, maxAnswerBytes, budget, contentType)
			: await readBodyText(stream, maxRefusalBytes, undefined, contentType);
		const gateway = gatewayAnswerOf(status, headers, text);
		const isAccepted = isSuccess || status === 304;
		if (isAccepted) account.tokens.noteAccepted(token, this.signing?.signedAt ?? -Infinity);
		const evidence = {
			maybeSent: true,
			status,
			gateway: gateway?.reason,
			retryAfter: waitAskedFor(status, headers, gateway),
		};
		const answer: Answer = {
			method,
			status,
			headers: headers as Answer['headers'],
			evidence,
			gateway,
			...cutOff,
			text,
			redact: redactSecrets,
		};
		// A service that takes a part of a file for the whole has not done what was asked.
		if (isSuccess && this.file?.fileError) throw this.file.fileError;
		if (isAccepted) {
			const sentAt = this.file?.lastReadAt ?? this.signing?.signedAt;
			return { evidence, answer, delay: sentAt && performance.now() - sentAt };
		}
		if (gateway?.reason === 'key') return { evidence, answer, obstacle: keyRefused(gateway) };
		return status === 401 ? this.tokenRefused(token, answer) : { evidence, answer };
	}

	private tokenRefused(token: Token, answer: Answer): TryResult {
		const { account, runToken } = this.service;
		const { evidence } = answer;
		const { isFinal, isOfRequestAlone, hasEndedAgain } = account.noteRefused(token, this.request);
		if (account.recentRefusal && !isFinal)
			return { ...signInFailed(account.recentRefusal), evidence };
		const whyTokenEnded = runToken.wasReplacedByOtherSignIn
			? 'Another sign-in of this account ended the token.'
			: undefined;
		return {
			evidence: { ...evidence, isFinal },
			answer: { ...answer, isOfRequestAlone, whyTokenEnded },
			hasTokenEndedAgain: hasEndedAgain,
			obstacle: account.tokens.refusesFreshTokens ? allTokensRefused : undefined,
		};
	}

	/** The try was abandoned, because its time ran out or a stop signal ended it. */
	private abandoned(): TryResult {
		return this.signing
			? this.noAnswer(true, { words: 'no answer came in time' })
			: this.noAnswer(false, { words: 'signing in took too long' });
	}

	private noAnswer(maybeSent: boolean, { words, advice, isFinal }: ConnectionFault): TryResult {
		const because = (message: string, details: FailureDetails): TryResult => ({
			evidence: { maybeSent, isFinal },
			noAnswer: { message, details },
		});
		if (this.stopSignals.some(({ aborted }) => aborted))
			return because('The execution was cancelled', { code: 'cancelled' });
		const { origin } = new URL(this.service.baseUrl);
		if (maybeSent) return because(`No answer from ${origin}: ${words}`, { code: 'noAnswer' });
		const check = advice ?? "Check 'Base URL' in the credential, and the network.";
		return because(`No connection to ${origin}: ${words}`, {
			code: 'noConnection',
			...(isFinal && { retryable: false }),
			advice: `Nothing was sent. ${check} Then run this item again.`,
		});
	}
}
