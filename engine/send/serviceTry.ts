// Makes one try of a request, signed with a token of the account.
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { credentialType, type RequestSigning, toSign } from '../auth/signing';
import { Failure, type FailureDetails } from '../failure';
import { maxRefusalBytes, maxResponseBytes, readBodyText, streamOptions } from '../http/bodyText';
import { withDeadline } from '../http/deadline';
import { formatDuration } from '../http/format';
import { asksForPassword, gatewayResponseOf } from '../http/gatewayResponse';
import { requestedWait } from '../http/retryAfter';
import { connectionFault, mayHaveBeenSent, responseIn } from '../http/transportError';
import { cancelSignalOf, statusesAsResponses, transportErrorOf } from '../n8n';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import { is } from '../response/evidence';
import type { SeenTry, Try } from './retryPolicy';
import type { Session } from './session';

const adviceNoConnection = "Check 'Base URL' in the credential, and the network.";

export class ServiceTry {
	private readonly file = this.request.body instanceof Multipart ? this.request.body : undefined;

	private readonly stopSignals = [cancelSignalOf(this.session.ctx) ?? [], this.stop ?? []].flat();

	/** Set once there is a token to sign the request with; nothing is sent before that. */
	private signing?: RequestSigning;

	private stream?: { destroy(): unknown };

	/** What is known before it is made. */
	private readonly known: SeenTry = {
		method: this.request.method,
		operation: this.request.operation,
		content: this.request.content,
		etag: this.request.headers.ETag,
		startedAt: performance.now(),
		tries: (this.last?.tries ?? 0) + 1,
		maybeSent: false,
		inDoubt: this.last?.verdict.outcome === 'inDoubt',
	};

	/**
	 * @param last the try of the same request before this one
	 * @param stop ends the try, as cancelling the execution does
	 */
	constructor(
		private readonly session: Session,
		private readonly request: ServiceRequest,
		private readonly last?: Try,
		private readonly stop?: AbortSignal,
	) {}

	/**
	 * @param maxQuiet milliseconds without a response after which the request counts as hanging
	 * @param onQuiet called when it does
	 * @throws Failure from the request's `beforeSending`, or for a file that was not sent completely
	 */
	make(maxQuiet: number, onQuiet: () => void): Promise<SeenTry> {
		const { request, stopSignals } = this;
		const { timeout } = request;
		// A user who sets a short timeout expects responses soon.
		const quietAfter = Math.min(maxQuiet, timeout / 4);
		return withDeadline(
			{ timeout, stopSignals, lastActivity: () => this.lastActivity, quietAfter, onQuiet },
			(signal) => this.signAndSend(signal),
			() => this.abandon(),
		);
	}

	/**
	 * When the request was handed over for sending, or its file was last read; undefined before that, when nothing can
	 * hang.
	 */
	private get lastActivity(): number | undefined {
		const { signedAt } = this.signing ?? {};
		return signedAt && Math.max(signedAt, this.file?.lastReadAt ?? 0);
	}

	private async signAndSend(signal: AbortSignal): Promise<SeenTry> {
		const { request } = this;
		const { account } = this.session;
		const token = account.tokens.newest ?? (await this.session.token());
		if (signal.aborted) return this.abandon();
		if (token instanceof Failure) {
			const { retryAfter } = token.details;
			return { ...this.known, retryAfter, noResponse: token, signInFailure: token };
		}
		if (request.beforeSending) await request.beforeSending();
		if (signal.aborted) return this.abandon();
		this.signing = { account, token };
		return await account.tokens.trackRequest(token, this.sendSigned(this.signing, signal));
	}

	private async sendSigned(signing: RequestSigning, signal: AbortSignal): Promise<SeenTry> {
		try {
			const response = await this.send(signing, signal);
			this.stream = response.body as unknown as typeof this.stream;
			if (signal.aborted) this.stream?.destroy();
			return await this.readResponse(signing, response);
		} catch (error) {
			if (this.file?.fileError) throw incompleteFile(this.file.fileError);
			const { baseUrl } = signing.account.settings;
			const fault = signal.aborted ? undefined : connectionFault(error, baseUrl);
			return this.failWithoutResponse(mayHaveBeenSent(error), fault);
		}
	}

	private send(signing: RequestSigning, signal: AbortSignal): Promise<IN8nHttpFullResponse> {
		const { ctx, credentials, account } = this.session;
		const { method, path, query, headers, body } = this.request;
		const options: IHttpRequestOptions = {
			method,
			url: `${account.settings.baseUrl}${path}`,
			qs: query,
			headers,
			// As text, since axios drops fields named __proto__, constructor or prototype (axios 1.21, lib/utils.js, merge).
			body: (body && !this.file ? JSON.stringify(body) : body) as IHttpRequestOptions['body'],
			...streamOptions,
			ignoreHttpStatusErrors: statusesAsResponses,
		};
		// n8n's request helper takes no signal, but asks its context for the execution's cancel signal (n8n-core 2.41,
		// authentication.ts). This context returns the request's own signal instead, which the deadline aborts, too.
		const ctxWithSignal = Object.create(ctx) as IExecuteFunctions;
		ctxWithSignal.getExecutionCancelSignal = () => signal;
		// n8n's plain helper takes a signal, and would show a proxy's refusal before n8n 2.34, too. But
		// community nodes must have n8n sign their requests (no-http-request-with-manual-auth, in n8n's lint for them).
		const sent = ctx.helpers.httpRequestWithAuthentication.call(
			ctxWithSignal,
			credentialType,
			options,
			toSign(credentials, signing),
		) as Promise<IN8nHttpFullResponse>;
		return sent.catch((error) => responseIn(transportErrorOf(error)));
	}

	/** Reads the response, and records that its token was accepted. */
	private async readResponse(
		{ token, signedAt }: RequestSigning,
		{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	): Promise<SeenTry> {
		const { file } = this;
		const { account, budget } = this.session;
		const is2xx = is.success({ status });
		const read = is2xx
			? await readBodyText(body, maxResponseBytes, budget)
			: await readBodyText(body, maxRefusalBytes);
		const gateway = gatewayResponseOf(status, headers, read.text);
		const retryAfter = requestedWait(status, headers, gateway?.reason === 'quota');
		const sent = { maybeSent: true, sentBytes: file?.file.size };
		const shown = { status, gateway, retryAfter, asksForPassword: asksForPassword(headers) };
		const evidence: SeenTry = { ...this.known, ...sent, ...read, ...shown };
		if (status === 401 && gateway?.reason !== 'key') return { ...evidence, refusedToken: token };
		if (!is2xx && status !== 304) return evidence;
		account.tokens.recordAccepted(token, signedAt);
		// A service that accepts part of a file as the whole has not done what was asked.
		if (is2xx) file?.assertReadWhole();
		const { lastActivity } = this;
		return { ...evidence, delay: lastActivity && performance.now() - lastActivity };
	}

	private abandon(): SeenTry {
		// n8n's helper may have ignored the signal, so the response may still be arriving.
		this.stream?.destroy();
		return this.failWithoutResponse(this.signing !== undefined);
	}

	/** @param fault undefined if no response came in time */
	private failWithoutResponse(maybeSent: boolean, fault?: ReturnType<typeof connectionFault>) {
		const fail = (message: string, details: FailureDetails = {}): SeenTry => {
			return { ...this.known, maybeSent, noResponse: { message, details } };
		};
		if (this.stopSignals.some(({ aborted }) => aborted)) return fail('The execution was cancelled');
		const late = `no response came within ${formatDuration(this.request.timeout)} ('Timeout (Seconds)')`;
		const { words = late, advice = adviceNoConnection, isFinal } = fault ?? {};
		const what = maybeSent ? 'No response from' : 'No connection to';
		const message = `${what} ${new URL(this.session.account.settings.baseUrl).origin}: ${words}`;
		if (maybeSent) return fail(message, { code: 'noResponse' });
		const toDo = `Nothing was sent. ${advice} Then run this item again.`;
		const retryable = isFinal ? false : undefined;
		return fail(message, { code: 'noConnection', advice: toDo, retryable });
	}
}

/** The failure if the file in n8n's storage differs from what n8n recorded. */
const incompleteFile = ({ message }: Error): Failure =>
	new Failure(`The file was not sent completely: ${message}`, 'inDoubt');
