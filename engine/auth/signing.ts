// Signing a request, and the token that n8n stores: what the credential's two methods do.
//
// n8n signs in and signs inside its request helper. Whether a request that was ended had left by then is
// known from here only: until it is signed, it cannot have been sent.
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { moment, type Moment } from '../http/clock';
import { accountOf } from './account';
import type { HttpRequest } from './grants';
import { settingsOf } from './settings';
import { SignInError, TokenNeeded } from './signInError';
import { packToken, unpackToken, type Token } from './token';

/** How far n8n has got with one request of a run. */
export interface Signing {
	/** `signingIn` is the proof that nothing of it was sent; without it, it counts as sent. */
	phase: 'handedOver' | 'signingIn' | 'signed';
	/** The token it was signed with. */
	token?: Token;
	at?: Moment;
	/** It has been given up, and is never to be signed. */
	isAbandoned?: boolean;
}

/** Not stored by n8n, and still there in a copy of the credentials. */
const signingOf = Symbol('signing');
const isTested = Symbol('tested');

type Credentials = ICredentialDataDecryptedObject & {
	[signingOf]?: Signing;
	/** They are those of the Test button, which always signs in. */
	[isTested]?: boolean;
};

/**
 * Watches a request's signing.
 * @param credentials what is handed to n8n for this one request
 */
export const watchSigning = (credentials: Credentials): Signing =>
	(credentials[signingOf] = { phase: 'handedOver' });

/**
 * The hidden field for n8n to store (its hook `preAuthentication`).
 * @returns nothing when signing in was refused a short while ago, and who asks is not known yet
 * @throws SignInError when signing in fails
 */
export async function tokenToStore(
	http: HttpRequest,
	credentials: Credentials,
): Promise<{ accessToken?: string }> {
	const account = accountOf(settingsOf(credentials));
	const signing = credentials[signingOf];
	if (signing && signing.phase !== 'signed') signing.phase = 'signingIn';
	if (credentials[isTested]) return { accessToken: packToken(await account.signIn(http)) };
	if (!signing && account.lastRefusal) return {};
	const token = await account.renewed(http, unpackToken(credentials.accessToken));
	return { accessToken: packToken(token) };
}

/** Addresses below the Base URL, as the nodes ask for, need no parsing. */
const isForHost = (baseUrl: string, address: string, relativeTo?: string): boolean =>
	address.startsWith(`${baseUrl}/`) ||
	new URL(address, relativeTo).origin === new URL(baseUrl).origin;

/** What the Test button asks for: signing in, and reading one vendor. */
export const testRequest = () => ({ url: '/agencyvendors/vendors', qs: { limit: 1 } });

const isTest = ({ url, qs }: IHttpRequestOptions): boolean =>
	url === testRequest().url && JSON.stringify(qs) === JSON.stringify(testRequest().qs);

/**
 * The headers of a signed request (n8n's hook `authenticate`).
 * @param request its address is in `uri` when it comes from n8n's older helper
 * @throws SignInError when the request is for another host, or signing in was just refused; TokenNeeded, which
 * n8n takes for a 401, when there is no token to send
 */
export function signatureOf(
	credentials: Credentials,
	request: IHttpRequestOptions & { uri?: string },
): Record<string, string> {
	const settings = settingsOf(credentials);
	if (!isForHost(settings.baseUrl, request.uri ?? request.url, request.baseURL)) {
		throw new SignInError(
			"This credential is only sent to the host of its 'Base URL'; the request was for another one.",
		);
	}
	const signing = credentials[signingOf];
	if (signing?.isAbandoned) throw new SignInError('The request was given up while signing in.');
	const account = accountOf(settings);
	const token = account.tokenToSend(credentials.accessToken);
	if (!token) {
		if (isTest(request)) credentials[isTested] = true;
		else if (account.lastRefusal) throw account.lastRefusal;
		throw new TokenNeeded();
	}
	if (signing) Object.assign(signing, { phase: 'signed', token, at: moment() } satisfies Signing);
	const scheme = credentials.authorizationHeader === 'bearer' ? 'Bearer ' : '';
	return {
		'Ocp-Apim-Subscription-Key': settings.apiKey,
		Authorization: `${scheme}${token.accessToken}`,
	};
}
