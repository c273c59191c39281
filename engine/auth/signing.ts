// Signs requests, and gives n8n the token to store: what the two methods of the credential do.
//
// n8n calls both inside its request helper. A node first asks for a token, by a request that is never sent, and then
// has its requests signed with that token. So a request that still waits for a token cannot have been sent, and it
// does not matter what the helper of an n8n version takes for a refused token.
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { accountOf, refusalError, type Account } from './account';
import { authorizationFormOf, authorizationForms, testRequest, testToken } from './credentialTest';
import type { HttpRequest } from './signInRequest';
import { SignInError, tokenNeeded } from './signInError';
import { packSignIn, unpackSignIn, type Token } from './token';

/** How one request of a node is signed. */
export interface RequestSigning {
	/** That of the credentials, so that they need not be read and hashed for each request. */
	readonly account: Account;
	readonly token: Token;
	/** Set when the request is signed. */
	signedAt?: number;
}

/** How a node asks for a token. */
export interface TokenRequest {
	/** Set when n8n signs in. It stands here because what n8n's helper throws may not tell why that fails (see n8n.ts). */
	answer?: Promise<Token>;
}

/** Keys that are symbols: n8n does not store them, but keeps them when it copies the credentials. */
const signingKey = Symbol('signing');
const tokenRequestKey = Symbol('signing in');
const testedKey = Symbol('tested');
const refusedKey = Symbol('refused');

type Credentials = ICredentialDataDecryptedObject & {
	[signingKey]?: RequestSigning;
	[tokenRequestKey]?: TokenRequest;
	/** Whether these are the credentials of a click on the Test button, which always signs in. */
	[testedKey]?: boolean;
	/** Why n8n has just been given a refusal to store. */
	[refusedKey]?: SignInError;
};

export const credentialType = 'agencyRecordsApi';

/** Options of n8n's request helper, which then uses these credentials and not those that are stored. */
const using = (data: Credentials) => ({
	credentialsDecrypted: { id: '', name: '', type: credentialType, data },
});

/** @returns options with which n8n signs one request, with this token and no other */
export const toSign = (credentials: Credentials, signing: RequestSigning) =>
	// n8n signs in when the field is empty.
	using({ ...credentials, accessToken: packSignIn(signing.token), [signingKey]: signing });

/**
 * @param credentials credentials that were just read, because n8n before 2.34 stores all of them with the token
 * @returns options with which n8n signs in and stores the token; the request itself is not sent
 */
export const toSignIn = (credentials: Credentials, tokenRequest: TokenRequest) =>
	using({ ...credentials, accessToken: '', [tokenRequestKey]: tokenRequest });

/** Signs in for a click on the Test button, and tries the token. */
async function testedToken(
	httpRequest: HttpRequest,
	account: Account,
	{ authorizationHeader }: Credentials,
): Promise<Token> {
	// n8n has already asked for a token, because it knew none; one that was issued for that shows as much as another.
	const known = account.hasJustSignedIn ? account.tokens.newest : undefined;
	const token = known ?? (await account.signIn(httpRequest));
	const { write } = authorizationForms[authorizationFormOf(authorizationHeader)];
	await testToken(account.signInContext(httpRequest), write(token.accessToken));
	return token;
}

/**
 * The value of the hidden field that n8n stores (n8n's hook `preAuthentication`). A refused sign-in is a value too,
 * since n8n stores nothing when this throws; then signatureHeaders() throws why.
 * @returns nothing when signing in was refused before, and it is not known yet what the token is for
 * @throws SignInError when signing in fails without a refusal or is not tried, or the Test finds that the token is not
 * taken
 */
export async function tokenToStore(
	httpRequest: HttpRequest,
	credentials: Credentials,
): Promise<{ accessToken?: string }> {
	const { [tokenRequestKey]: tokenRequest, [testedKey]: isTested } = credentials;
	const account = accountOf(credentials);
	const knownRefusal = account.recentRefusal;
	if (!tokenRequest && !isTested && knownRefusal) return {};
	const obtaining = isTested
		? testedToken(httpRequest, account, credentials)
		: account.renewToken(httpRequest, unpackSignIn(credentials.accessToken));
	if (tokenRequest) tokenRequest.answer = obtaining;
	const signIn = await obtaining.catch((error: SignInError) => {
		const { recentRefusal } = account;
		if (!recentRefusal || recentRefusal === knownRefusal) throw error;
		credentials[refusedKey] = error;
		return recentRefusal;
	});
	return { accessToken: packSignIn(signIn) };
}

/**
 * The headers that sign a request (n8n's hook `authenticate`).
 * @param request the request; its address is in `uri` when it comes from n8n's older helper
 * @throws SignInError when the request is for another host, or signing in was just refused; tokenNeeded(), which
 * n8n takes for a 401, when there is no token to send
 */
export function signatureHeaders(
	credentials: Credentials,
	request: IHttpRequestOptions & { uri?: string },
): Record<string, string> {
	const { [tokenRequestKey]: tokenRequest, [signingKey]: signing } = credentials;
	if (tokenRequest) throw new SignInError('Only a token was asked for.');
	if (credentials[refusedKey]) throw credentials[refusedKey];
	const account = signing?.account ?? accountOf(credentials);
	const { baseUrl, apiKey } = account.settings;
	const { origin } = new URL(request.uri ?? request.url, request.baseURL);
	if (origin !== new URL(baseUrl).origin) {
		throw new SignInError(
			"This credential is only sent to the host of its 'Base URL', but the request was for another host.",
		);
	}
	const token = signing?.token ?? account.tokens.newest;
	// The Test says whether what is typed in is right, so a token that is there already does not count. Only its address
	// has no host.
	if (request.url === testRequest.url && !credentials[testedKey]) {
		credentials[testedKey] = true;
		throw tokenNeeded();
	}
	if (!token) throw account.recentRefusal ? refusalError(account.recentRefusal) : tokenNeeded();
	if (signing) signing.signedAt = performance.now();
	const { write } = authorizationForms[authorizationFormOf(credentials.authorizationHeader)];
	return { 'Ocp-Apim-Subscription-Key': apiKey, Authorization: write(token.accessToken) };
}
