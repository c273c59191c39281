// Signing a request, and the token that n8n stores: what the credential's two methods do.
//
// n8n calls both inside its request helper. The nodes ask for a token first, by a request that is never sent,
// and then have their requests signed with it: so a request that waits for a token cannot have been sent, and
// nothing depends on what an n8n's helper takes for a refused token.
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { readClock, type ClockReading } from '../http/clock';
import { accountOf } from './account';
import type { HttpRequest } from './grants';
import { settingsOf } from './settings';
import { SignInError, TokenNeeded } from './signInError';
import { packToken, unpackToken, type Token } from './token';

/** How a request of a node is signed. */
export interface RequestSigning {
	readonly token: Token;
	/** When it was. */
	at?: ClockReading;
}

/** How a node asks for a token. */
export interface TokenRequest {
	/** What there is for it. */
	token?: Token;
	/** Why there is none. What n8n's helper throws may not tell (see n8n.ts). */
	error?: SignInError;
}

/** Not stored by n8n, and still there in a copy of the credentials. */
const signingOf = Symbol('signing');
const tokenRequestOf = Symbol('signing in');
const isTested = Symbol('tested');

type Credentials = ICredentialDataDecryptedObject & {
	[signingOf]?: RequestSigning;
	[tokenRequestOf]?: TokenRequest;
	/** They are those of the Test button, which always signs in. */
	[isTested]?: boolean;
};

/** @returns a copy to hand to n8n, which signs one request with this token and no other */
export const credentialsToSign = (
	credentials: Credentials,
	signing: RequestSigning,
): Credentials => ({
	...credentials,
	// n8n signs in where it is empty.
	accessToken: packToken(signing.token),
	[signingOf]: signing,
});

/**
 * @param credentials freshly read: before 2.34, n8n stores all of them again, with the token
 * @returns a copy to hand to n8n, which signs in and stores the token; what asks for it is not sent
 */
export const credentialsToSignIn = (
	credentials: Credentials,
	signingIn: TokenRequest,
): Credentials => ({
	...credentials,
	accessToken: '',
	[tokenRequestOf]: signingIn,
});

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
	const signingIn = credentials[tokenRequestOf];
	if (credentials[isTested]) return { accessToken: packToken(await account.signIn(http)) };
	if (!signingIn && account.lastRefusal) return {};
	const token = await account
		.renewed(http, unpackToken(credentials.accessToken))
		.catch((error: unknown) => {
			if (signingIn && error instanceof SignInError) signingIn.error = error;
			throw error;
		});
	if (signingIn) signingIn.token = token;
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
export function signatureHeaders(
	credentials: Credentials,
	request: IHttpRequestOptions & { uri?: string },
): Record<string, string> {
	if (credentials[tokenRequestOf]) throw new SignInError('Only a token was asked for.');
	const settings = settingsOf(credentials);
	if (!isForHost(settings.baseUrl, request.uri ?? request.url, request.baseURL)) {
		throw new SignInError(
			"This credential is only sent to the host of its 'Base URL', but the request was for another host.",
		);
	}
	const signing = credentials[signingOf];
	const account = accountOf(settings);
	const token = signing?.token ?? account.tokenToSend(credentials.accessToken);
	if (!token) {
		if (isTest(request)) credentials[isTested] = true;
		else if (account.lastRefusal) throw account.lastRefusal;
		throw new TokenNeeded();
	}
	if (signing) signing.at = readClock();
	const scheme = credentials.authorizationHeader === 'bearer' ? 'Bearer ' : '';
	return {
		'Ocp-Apim-Subscription-Key': settings.apiKey,
		Authorization: `${scheme}${token.accessToken}`,
	};
}
