// The only place that talks to the service: one request in, one answer out, whatever its status.
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { redact } from '../../credentials/oauth/redact';
import { settingsOf } from '../../credentials/oauth/settings';
import { SignInError } from '../../credentials/oauth/signInError';
import type { ServiceRequest } from '../request';
import type { Answer } from './answer';
import { connectionFailure } from './connection';
import { mayExist, Failure } from '../failure';

const credentialType = 'agencyRecordsApi';

/** Sends one request; throws Failure when no answer came. */
export type Send = (request: ServiceRequest) => Promise<Answer>;

/** What n8n's helper throws: the transport's error, or a 401 that stayed after a new sign-in. */
interface HelperError {
	cause?: { code?: string; message?: string; response?: { status: number; data?: unknown } };
}

function noAnswer({ cause }: HelperError, baseUrl: string): Failure {
	if (cause instanceof SignInError) return new Failure(cause.message, 'notSent');
	const { words, maybeSent } = connectionFailure(cause);
	const { origin } = new URL(baseUrl);
	return maybeSent
		? new Failure(`No answer from ${origin}: ${words}`, 'unknown', { description: mayExist })
		: new Failure(`No connection to ${origin}: ${words}`, 'notSent', {
				description: "Nothing was sent. Check 'Base URL' in the credential, and the network.",
			});
}

/**
 * Opens the service for one run of a node: the credential is read once, and a renewed token reaches all
 * later requests of the run.
 * @throws what n8n throws when no credential is selected; SignInError when its Base URL is not allowed
 */
export async function openService(ctx: IExecuteFunctions): Promise<Send> {
	const credentials = await ctx.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	const settings = settingsOf(credentials);

	const refused = ({ cause }: HelperError): IN8nHttpFullResponse | undefined =>
		cause?.response && {
			statusCode: cause.response.status,
			headers: {},
			body: cause.response.data as string,
		};

	let signInRefused: Failure | undefined;

	return async ({ method, path, query, headers, body }) => {
		if (signInRefused) throw signInRefused;
		const options: IHttpRequestOptions = {
			method,
			url: `${settings.baseUrl}${path}`,
			qs: query,
			headers,
			body: body as IHttpRequestOptions['body'],
			encoding: 'text',
			disableFollowRedirect: true,
			returnFullResponse: true,
			// Every status is an answer; 401 stays an error for n8n, which then renews the token and sends again.
			ignoreHttpStatusErrors: { ignore: true, except: [401] },
		};
		// A copy for each request: n8n renews the token in it, and must be able to tell which one was refused.
		const own = { ...credentials };
		const tokenBefore = own.accessToken;
		const result = (await ctx.helpers.httpRequestWithAuthentication
			.call(ctx, credentialType, options, {
				credentialsDecrypted: { id: '', name: '', type: credentialType, data: own },
			})
			.catch((error: HelperError) => {
				const failure = noAnswer(error, settings.baseUrl);
				if (!(error.cause instanceof SignInError)) return refused(error) ?? failure;
				if (error.cause.refused) signInRefused = failure;
				return failure;
			})) as IN8nHttpFullResponse | Failure;
		if (own.accessToken && own.accessToken !== tokenBefore)
			credentials.accessToken = own.accessToken;
		if (result instanceof Failure) throw result;
		const text = redactIfRefused(result, own);
		return { method, status: result.statusCode, text };
	};
}

/** Data passes as it is; the words of a refusal end in messages, where no secret may be read. */
const redactIfRefused = (
	{ statusCode, body }: IN8nHttpFullResponse,
	credentials: ICredentialDataDecryptedObject,
): string => {
	const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
	return statusCode < 300 ? text : redact(text, credentials);
};
