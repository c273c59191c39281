// The only place that talks to the service: one request, one try, whatever comes of it.
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { accountOf } from '../auth/account';
import { redact } from '../auth/redact';
import { settingsOf } from '../auth/settings';
import { toBeSigned, type Signing } from '../auth/signing';
import { SignInError } from '../auth/signInError';
import type { Token } from '../auth/token';
import { between, moment, type Moment } from '../http/clock';
import { withDeadline } from '../http/deadline';
import { waitAskedBy } from '../http/retryAfter';
import { maxRefusal, readText, runBudget, type AnswerStream } from '../http/text';
import { cancelSignalOf, thrownBy, type Context } from '../n8n';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import type { Attempt, SendOnce } from './attempt';
import { lineOf, type Line } from './line';
import { acceptsNone, givenUp, noAnswer, signInFailure } from './noAnswer';
import { credentialType, readCredentials, RunToken } from './runToken';

/** A service, and a user of it. */
export interface Owner {
	baseUrl: string;
	username: string;
}

const endedByOther = 'Another sign-in of this account ended the token.';

/**
 * Opens the service for one run, or poll, of a node: the credential is read once, and a renewed token reaches all
 * later requests of the run.
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export async function openService(ctx: Context): Promise<{
	sendOnce: SendOnce;
	/** Takes the credential's secrets out of a text. */
	safe: (text: string) => string;
	/** What this process knows of the account. */
	line: Line;
	/** Whose records the service gives. */
	owner: Owner;
}> {
	const credentials = await readCredentials(ctx);
	const settings = settingsOf(credentials);
	const { baseUrl } = settings;
	const { origin } = new URL(baseUrl);
	const account = accountOf(settings);
	const runToken = new RunToken(ctx, credentials, account);
	const budget = runBudget();
	const cancelSignal = cancelSignalOf(ctx);
	const safe = (text: string): string => redact(text, credentials, account.secrets);

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
		safe,
		line: lineOf(account),
		owner: { baseUrl, username: settings.username },
		async sendOnce(request, stop) {
			const { method, body, timeout } = request;
			const ended = [cancelSignal, stop].filter((signal) => signal !== undefined);
			const isEnded = () => ended.some(({ aborted }) => aborted);
			const circumstances = () => ({ method, origin, isCancelled: isEnded() });
			/** Until there is a token to sign it with, nothing was sent. */
			let signing: Signing | undefined;
			let opened: AnswerStream | undefined;

			const waited = (): Moment | undefined => {
				const since = (body instanceof Multipart && body.lastRead) || signing?.at;
				return since && between(since, moment());
			};

			const read = async (
				{ statusCode: status, headers, body: stream }: IN8nHttpFullResponse,
				token: Token,
				signal: AbortSignal,
			): Promise<Attempt> => {
				const answerStream = stream as unknown as AnswerStream;
				opened = answerStream;
				if (signal.aborted) answerStream.destroy();
				const isSuccess = status >= 200 && status < 300;
				const { text, ...ending } = await readText(
					answerStream,
					isSuccess ? request.maxAnswer : maxRefusal,
					isSuccess ? budget : undefined,
				);
				if (status === 401) account.refused(token);
				const isServed = isSuccess || status === 304;
				if (isServed) account.accepted(token);
				const reached = { sent: true, status, retryAfter: waitAskedBy(status, headers) };
				const answer = {
					method,
					status,
					reached,
					...ending,
					text: isSuccess ? text : safe(text),
					redact: safe,
				};
				if (status !== 401) return { reached, answer, ...(isServed && { delay: waited() }) };
				if (account.lastRefusal) return { ...signInFailure(account.lastRefusal), reached };
				return {
					reached,
					answer: { ...answer, ...(runToken.isEndedByOther && { tokenEnded: endedByOther }) },
					...(account.acceptsNone && { obstacle: acceptsNone() }),
				};
			};

			const call = async (signal: AbortSignal): Promise<Attempt> => {
				const token = await runToken.get();
				if (signal.aborted) return givenUp(false, circumstances());
				if (token instanceof SignInError) return signInFailure(token);
				signing = { token };
				const data = toBeSigned(credentials, signing);
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
					return noAnswer(thrownBy(error), circumstances());
				}
			};
			const late = (): Attempt => {
				// Where n8n has not ended it.
				opened?.destroy();
				return givenUp(signing !== undefined, circumstances());
			};
			const lastSign = body instanceof Multipart ? () => body.lastRead?.now : undefined;
			return await withDeadline({ limit: timeout, ended, lastSign }, call, late);
		},
	};
}
