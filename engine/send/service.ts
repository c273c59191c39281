// The only place that talks to the service: one request, one try, whatever comes of it.
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { redact } from '../auth/redact';
import { settingsOf } from '../auth/settings';
import { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import type { TransportError } from '../http/connection';
import { withDeadline } from '../http/deadline';
import { waitAskedBy } from '../http/retryAfter';
import { maxAnswer, maxRefusal, readText, type AnswerStream } from '../http/text';
import { Multipart } from '../request/multipart';
import type { Attempt, SendOnce } from './attempt';
import { noAnswer, signInFailure } from './noAnswer';

const credentialType = 'agencyRecordsApi';

/** What n8n's helper throws: the transport's error, or a 401 that stayed after a new sign-in. */
interface HelperError {
	cause?:
		| SignInError
		| (TransportError & {
				response?: {
					status: number;
					headers: IN8nHttpFullResponse['headers'];
					data: IN8nHttpFullResponse['body'];
				};
		  });
}

/** Data passes as it is; the words of a refusal end in messages, where no secret may be read. */
async function read(
	method: Method,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	credentials: ICredentialDataDecryptedObject,
): Promise<Attempt> {
	const isSuccess = status >= 200 && status < 300;
	const { text, cut } = await readText(
		body as unknown as AnswerStream,
		isSuccess ? maxAnswer : maxRefusal,
	);
	const reached = { sent: true, status, retryAfter: waitAskedBy(headers) };
	return {
		reached,
		answer: { method, status, reached, cut, text: isSuccess ? text : redact(text, credentials) },
	};
}

/**
 * Opens the service for one run of a node: the credential is read once, and a renewed token reaches all
 * later requests of the run.
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export async function openService(ctx: IExecuteFunctions): Promise<SendOnce> {
	const credentials = await ctx.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	const { baseUrl } = settingsOf(credentials);
	const { origin } = new URL(baseUrl);
	const cancelSignal = ctx.getExecutionCancelSignal();

	// n8n's helper takes no signal, but asks its context for the execution's cancel signal. The context it is
	// given answers with the request's own signal, which the deadline aborts too.
	const ctxWithSignal = Object.create(ctx, {
		getExecutionCancelSignal: {
			value(this: { signal: AbortSignal }) {
				return this.signal;
			},
		},
	}) as IExecuteFunctions;

	const failed = async (
		method: Method,
		{ cause }: HelperError,
		own: ICredentialDataDecryptedObject,
	): Promise<Attempt> => {
		if (cause instanceof SignInError) return signInFailure(cause);
		if (cause?.response) {
			const { status, headers, data } = cause.response;
			return await read(method, { statusCode: status, headers, body: data }, own);
		}
		return noAnswer(cause, { method, origin, isCancelled: cancelSignal?.aborted ?? false });
	};

	return async (request) => {
		const { method, path, query, headers, body, timeout } = request;
		const options: IHttpRequestOptions = {
			method,
			url: `${baseUrl}${path}`,
			qs: query,
			headers,
			body: body as IHttpRequestOptions['body'],
			encoding: 'stream',
			disableFollowRedirect: true,
			returnFullResponse: true,
			// Every status is an answer; 401 stays an error for n8n, which then renews the token and sends again.
			ignoreHttpStatusErrors: { ignore: true, except: [401] },
			// The deadline below is the only one.
			timeout: 0,
		};
		// A copy for each request: n8n renews the token in it, and must be able to tell which one was refused.
		const own = { ...credentials };
		const tokenBefore = own.accessToken;
		const call = async (signal: AbortSignal): Promise<Attempt> => {
			const caller = Object.assign(Object.create(ctxWithSignal) as typeof ctxWithSignal, {
				signal,
			});
			try {
				const response = (await ctx.helpers.httpRequestWithAuthentication.call(
					caller,
					credentialType,
					options,
					{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: own } },
				)) as IN8nHttpFullResponse;
				return await read(method, response, own);
			} catch (error) {
				return await failed(method, error as HelperError, own);
			} finally {
				if (own.accessToken && own.accessToken !== tokenBefore) {
					credentials.accessToken = own.accessToken;
				}
			}
		};
		const lastSign = body instanceof Multipart ? () => body.lastRead : undefined;
		return await withDeadline({ limit: timeout, cancelled: cancelSignal, lastSign }, call);
	};
}
