// Makes one try of a request. This is the only file that talks to the service.
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { accountOf } from '../auth/account';
import { redact } from '../auth/redact';
import { settingsOf } from '../auth/accountSettings';
import { credentialsForSigning, type RequestSigning } from '../auth/signing';
import { SignInError } from '../auth/signInError';
import type { Token } from '../auth/token';
import { conventionsOf, type ServiceConventions } from '../form/serviceConventions';
import { timeBetween, readClock, type ClockReading } from '../http/clock';
import { withDeadline } from '../http/deadline';
import { gatewayAnswerOf } from '../http/gatewayAnswer';
import { waitAskedFor } from '../http/retryAfter';
import {
	maxRefusalBytes,
	readBodyText,
	newAnswerBudget,
	type AnswerStream,
} from '../http/bodyText';
import { withWordsChanged } from '../failure';
import { cancelSignalOf, transportErrorOf, type NodeContext } from '../n8n';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import type { Answer, TryResult, SendTry } from './sendTypes';
import { accountQueueOf, type AccountQueue } from './accountQueue';
import {
	allTokensRefused,
	keyRefused,
	abandonedResult,
	fileBrokeOffResult,
	noAnswerResult,
	signInFailedResult,
} from './noAnswerResults';
import { credentialType, readCredentials, RunToken } from './runToken';

/** The service and the user who signs in to it: they decide which records are given. */
export interface ServiceUser {
	baseUrl: string;
	username: string;
}

const tokenReplacedByOtherSignIn = 'Another sign-in of this account ended the token.';

/**
 * Opens the service for one run or poll of a node. The credential is read once, and a renewed token is used by all
 * later requests of the run.
 * @param onSignIn called when the run signs in, whatever comes of it
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed; Failure when
 * another of its settings has a value that the form does not offer
 */
export async function openServiceClient(
	ctx: NodeContext,
	onSignIn: () => void,
): Promise<{
	sendTry: SendTry;
	/** Takes the credential's secrets out of a text. */
	redactSecrets: (text: string) => string;
	/** The queue that all runs of this process share which use the account. */
	accountQueue: AccountQueue;
	user: ServiceUser;
	conventions: ServiceConventions;
}> {
	const credentials = await readCredentials(ctx);
	const settings = settingsOf(credentials);
	const { baseUrl } = settings;
	const { origin } = new URL(baseUrl);
	const account = accountOf(settings);
	const runToken = new RunToken(ctx, credentials, account, onSignIn);
	const budget = newAnswerBudget();
	const cancelSignal = cancelSignalOf(ctx);
	const redactSecrets = (text: string): string => redact(text, credentials, account.tokens.secrets);

	// n8n's request helper takes no signal, but asks its context for the cancel signal of the execution. It is given a
	// context that answers with the request's own signal, which the deadline aborts too.
	const ctxWithSignal = Object.create(ctx, {
		getExecutionCancelSignal: {
			value(this: { signal: AbortSignal }) {
				return this.signal;
			},
		},
	}) as IExecuteFunctions;

	const requestOptionsOf = ({ method, path, query, headers, body }: ServiceRequest) =>
		({
			method,
			url: `${baseUrl}${path}`,
			qs: query,
			headers,
			body: body as IHttpRequestOptions['body'],
			encoding: 'stream',
			disableFollowRedirect: true,
			returnFullResponse: true,
			// Every status is an answer. If n8n handled a 401, each request would sign in anew by itself. The option that
			// leaves only a 401 to n8n is not understood by n8n before 2.11.
			ignoreHttpStatusErrors: true,
			// There is no time-out but the deadline below.
			timeout: 0,
		}) satisfies IHttpRequestOptions;

	return {
		redactSecrets,
		accountQueue: accountQueueOf(account),
		user: { baseUrl, username: settings.username },
		conventions: conventionsOf(credentials),
		async sendTry(request, stop) {
			const { method, body, timeout } = request;
			const stopSignals = [cancelSignal, stop].filter((signal) => signal !== undefined);
			const isStopped = () => stopSignals.some(({ aborted }) => aborted);
			const circumstances = () => ({ method, origin, isCancelled: isStopped() });
			/** Set when there is a token to sign the request with; before that nothing was sent. */
			let signing: RequestSigning | undefined;
			let answerStream: AnswerStream | undefined;

			/** Time since all of the request was handed over to be sent. */
			const delay = (): ClockReading | undefined => {
				const sentAt = (body instanceof Multipart && body.lastReadAt) || signing?.signedAt;
				return sentAt && timeBetween(sentAt, readClock());
			};

			const fileError = () => (body instanceof Multipart ? body.fileError : undefined);

			const readAnswer = async (
				{ statusCode: status, headers, body: stream }: IN8nHttpFullResponse,
				token: Token,
				signal: AbortSignal,
			): Promise<TryResult> => {
				const openedStream = stream as unknown as AnswerStream;
				answerStream = openedStream;
				if (signal.aborted) openedStream.destroy();
				const isSuccess = status >= 200 && status < 300;
				const { text, ...cutOff } = await readBodyText(
					openedStream,
					isSuccess ? request.maxAnswerBytes : maxRefusalBytes,
					isSuccess ? budget : undefined,
					headers['content-type'],
				);
				const gateway = gatewayAnswerOf(status, headers, text);
				const isAccepted = isSuccess || status === 304;
				if (isAccepted) account.tokens.noteAccepted(token, signing?.signedAt?.now ?? -Infinity);
				const evidence = {
					maybeSent: true,
					status,
					...(gateway && { gateway: gateway.reason }),
					retryAfter: waitAskedFor(status, headers, gateway),
				};
				const answer = {
					method,
					status,
					headers: headers as Answer['headers'],
					evidence,
					...(gateway && { gateway }),
					...cutOff,
					text: isSuccess ? text : redactSecrets(text),
					redact: redactSecrets,
				};
				// A service that takes a part of a file for the whole has not done what was asked.
				if (isSuccess && fileError()) return fileBrokeOffResult(fileError()!);
				if (status !== 401) return { evidence, answer, ...(isAccepted && { delay: delay() }) };
				if (gateway?.reason === 'key')
					return {
						evidence,
						answer,
						obstacle: withWordsChanged(keyRefused(gateway), redactSecrets),
					};
				const refused = account.noteRefused(token, request);
				if (account.recentRefusal && !refused.isFinal)
					return { ...signInFailedResult(account.recentRefusal), evidence };
				return {
					evidence,
					answer: {
						...answer,
						isOfRequestAlone: refused.isOfRequestAlone,
						...(runToken.wasReplacedByOtherSignIn && { whyTokenEnded: tokenReplacedByOtherSignIn }),
					},
					isFinal: refused.isFinal,
					hasTokenEndedAgain: refused.hasEndedAgain,
					...(account.tokens.refusesFreshTokens && { obstacle: allTokensRefused() }),
				};
			};

			const signAndSend = async (signal: AbortSignal): Promise<TryResult> => {
				const token = await runToken.get();
				if (signal.aborted) return abandonedResult(false, circumstances());
				if (token instanceof SignInError) return signInFailedResult(token);
				signing = { token };
				const data = credentialsForSigning(credentials, signing);
				const requestCtx = Object.assign(Object.create(ctxWithSignal) as typeof ctxWithSignal, {
					signal,
				});
				const isAnswered = account.tokens.noteUnderWay(token);
				try {
					const response = (await ctx.helpers.httpRequestWithAuthentication.call(
						requestCtx,
						credentialType,
						requestOptionsOf(request),
						{ credentialsDecrypted: { id: '', name: '', type: credentialType, data } },
					)) as IN8nHttpFullResponse;
					return await readAnswer(response, token, signal);
				} catch (error) {
					return fileError()
						? fileBrokeOffResult(fileError()!)
						: noAnswerResult(transportErrorOf(error), circumstances());
				} finally {
					isAnswered();
				}
			};
			const abandon = (): TryResult => {
				// n8n's helper may have ignored the signal, and then the answer is still being read.
				answerStream?.destroy();
				return abandonedResult(signing !== undefined, circumstances());
			};
			const lastActivity = body instanceof Multipart ? () => body.lastReadAt?.now : undefined;
			return await withDeadline({ timeout, stopSignals, lastActivity }, signAndSend, abandon);
		},
	};
}
