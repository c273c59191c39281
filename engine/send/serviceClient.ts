// The only place that talks to the service: one request, one try, whatever comes of it.
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { accountOf } from '../auth/account';
import { redact } from '../auth/redact';
import { settingsOf } from '../auth/accountSettings';
import { credentialsToSign, type RequestSigning } from '../auth/signing';
import { SignInError } from '../auth/signInError';
import type { Token } from '../auth/token';
import { timeBetween, readClock, type ClockReading } from '../http/clock';
import { withDeadline } from '../http/deadline';
import { waitAskedFor } from '../http/retryAfter';
import {
	maxRefusalBytes,
	readBodyText,
	newAnswerBudget,
	type AnswerStream,
} from '../http/bodyText';
import { cancelSignalOf, transportErrorOf, type NodeContext } from '../n8n';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import type { TryResult, SendTry } from './sendTypes';
import { accountQueueOf, type AccountQueue } from './accountQueue';
import { allTokensRefused, abandonedResult, noAnswerResult, signInFailedResult } from './noAnswerResults';
import { credentialType, readCredentials, RunToken } from './runToken';

/** A service, and a user of it. */
export interface ServiceUser {
	baseUrl: string;
	username: string;
}

const tokenReplacedByOtherSignIn = 'Another sign-in of this account ended the token.';

/**
 * Opens the service for one run, or poll, of a node: the credential is read once, and a renewed token reaches all
 * later requests of the run.
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export async function openServiceClient(ctx: NodeContext): Promise<{
	sendTry: SendTry;
	/** Takes the credential's secrets out of a text. */
	redactSecrets: (text: string) => string;
	/** What this process knows of the account. */
	accountQueue: AccountQueue;
	/** Whose records the service gives. */
	user: ServiceUser;
}> {
	const credentials = await readCredentials(ctx);
	const settings = settingsOf(credentials);
	const { baseUrl } = settings;
	const { origin } = new URL(baseUrl);
	const account = accountOf(settings);
	const runToken = new RunToken(ctx, credentials, account);
	const budget = newAnswerBudget();
	const cancelSignal = cancelSignalOf(ctx);
	const redactSecrets = (text: string): string => redact(text, credentials, account.secrets);

	// n8n's helper takes no signal, but asks its context for the execution's cancel signal. The context it is
	// given answers with the request's own signal, which the deadline aborts too.
	const ctxWithSignal = Object.create(ctx, {
		getExecutionCancelSignal: {
			value(this: { signal: AbortSignal }) {
				return this.signal;
			},
		},
	}) as IExecuteFunctions;

	const optionsOf = ({ method, path, query, headers, body }: ServiceRequest) =>
		({
			method,
			url: `${baseUrl}${path}`,
			qs: query,
			headers,
			body: body as IHttpRequestOptions['body'],
			encoding: 'stream',
			disableFollowRedirect: true,
			returnFullResponse: true,
			// Every status is an answer. Left to n8n, a 401 would make each request sign in anew by itself; and to let
			// through only that one is a wish that n8n before 2.11 does not understand.
			ignoreHttpStatusErrors: true,
			// The deadline below is the only one.
			timeout: 0,
		}) satisfies IHttpRequestOptions;

	return {
		redactSecrets,
		accountQueue: accountQueueOf(account),
		user: { baseUrl, username: settings.username },
		async sendTry(request, stop) {
			const { method, body, timeout } = request;
			const ended = [cancelSignal, stop].filter((signal) => signal !== undefined);
			const isEnded = () => ended.some(({ aborted }) => aborted);
			const circumstances = () => ({ method, origin, isCancelled: isEnded() });
			/** Until there is a token to sign it with, nothing was sent. */
			let signing: RequestSigning | undefined;
			let opened: AnswerStream | undefined;

			const waited = (): ClockReading | undefined => {
				const since = (body instanceof Multipart && body.lastRead) || signing?.at;
				return since && timeBetween(since, readClock());
			};

			const read = async (
				{ statusCode: status, headers, body: stream }: IN8nHttpFullResponse,
				token: Token,
				signal: AbortSignal,
			): Promise<TryResult> => {
				const answerStream = stream as unknown as AnswerStream;
				opened = answerStream;
				if (signal.aborted) answerStream.destroy();
				const isSuccess = status >= 200 && status < 300;
				const { text, ...ending } = await readBodyText(
					answerStream,
					isSuccess ? request.maxAnswerBytes : maxRefusalBytes,
					isSuccess ? budget : undefined,
				);
				if (status === 401) account.refused(token);
				const isServed = isSuccess || status === 304;
				if (isServed) account.accepted(token);
				const evidence = { sent: true, status, retryAfter: waitAskedFor(status, headers) };
				const answer = {
					method,
					status,
					evidence,
					...ending,
					text: isSuccess ? text : redactSecrets(text),
					redact: redactSecrets,
				};
				if (status !== 401) return { evidence, answer, ...(isServed && { delay: waited() }) };
				if (account.lastRefusal) return { ...signInFailedResult(account.lastRefusal), evidence };
				return {
					evidence,
					answer: {
						...answer,
						...(runToken.wasReplacedByOtherSignIn && { whyTokenEnded: tokenReplacedByOtherSignIn }),
					},
					...(account.refusesFreshTokens && { obstacle: allTokensRefused() }),
				};
			};

			const call = async (signal: AbortSignal): Promise<TryResult> => {
				const token = await runToken.get();
				if (signal.aborted) return abandonedResult(false, circumstances());
				if (token instanceof SignInError) return signInFailedResult(token);
				signing = { token };
				const data = credentialsToSign(credentials, signing);
				const caller = Object.assign(Object.create(ctxWithSignal) as typeof ctxWithSignal, {
					signal,
				});
				try {
					const response = (await ctx.helpers.httpRequestWithAuthentication.call(
						caller,
						credentialType,
						optionsOf(request),
						{ credentialsDecrypted: { id: '', name: '', type: credentialType, data } },
					)) as IN8nHttpFullResponse;
					return await read(response, token, signal);
				} catch (error) {
					return noAnswerResult(transportErrorOf(error), circumstances());
				}
			};
			const late = (): TryResult => {
				// Where n8n has not ended it.
				opened?.destroy();
				return abandonedResult(signing !== undefined, circumstances());
			};
			const lastActivity = body instanceof Multipart ? () => body.lastRead?.now : undefined;
			return await withDeadline({ timeout, stopSignals: ended, lastActivity }, call, late);
		},
	};
}
