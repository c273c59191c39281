// Signs requests, and gives n8n the token to store: what the two methods of the credential do.
//
// n8n calls both inside its request helper. A node first asks for a token, by a request that is never sent, and then
// has its requests signed with that token. So a request that still waits for a token cannot have been sent, and it
// does not matter what the helper of an n8n version takes for a refused token.
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { Failure, signInFailure } from '../failure';
import { type Account, accountOf, refusalError } from './account';
import { testRequest, testToken, type HttpRequest } from './signIn';
import { packSignIn, type Token, unpackSignIn } from './token';

/** The value of the Authorization header, as the credential's setting of that name says; by default, the token alone. */
const authorizationOf = (
	{ accessToken }: Token,
	{ authorizationHeader }: ICredentialDataDecryptedObject,
): string => (authorizationHeader === 'bearer' ? `Bearer ${accessToken}` : accessToken);

/**
 * Thrown while a request is signed, when no stored token is usable. To n8n it looks like the 401 that the service
 * would respond, so that n8n signs in at once instead of after a request that cannot succeed.
 */
const tokenNeeded = (): Error =>
	Object.assign(new Error('There is no access token to send yet.'), { response: { status: 401 } });

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
	token?: Promise<Token>;
}

/** Keys that are symbols: n8n does not store them, but keeps them when it copies the credentials. */
const signingKey = Symbol('signing');
const tokenRequestKey = Symbol('signing in');
const signedKey = Symbol('signed');

type Credentials = ICredentialDataDecryptedObject & {
	[signingKey]?: RequestSigning;
	[tokenRequestKey]?: TokenRequest;
	/** Set when n8n has signed a request that is none of our nodes', or wanted to. */
	[signedKey]?: {
		/** Whether it is the Test button's, which always signs in. */
		isTest: boolean;
		/** Missing when there was none. */
		token?: Token;
	};
};

export const credentialType = 'agencyRecordsApi';

/** Options of n8n's request helper, which then uses these credentials and not those that are stored. */
const using = (data: Credentials) => ({
	credentialsDecrypted: { id: '', name: '', type: credentialType, data },
});

/** @returns options with which n8n signs one request, with this token and no other */
export const toSign = (credentials: Credentials, signing: RequestSigning) =>
	// n8n signs in when the field is empty.
	using({ ...credentials, accessToken: signing.token.accessToken, [signingKey]: signing });

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
	credentials: Credentials,
): Promise<Token> {
	const token = await account.signIn(httpRequest);
	await testToken(account.signInContext(httpRequest), authorizationOf(token, credentials));
	return token;
}

/**
 * The value of the hidden field that n8n stores (n8n's hook `preAuthentication`). A refused sign-in is a value too,
 * since n8n stores nothing when this throws; then signatureHeaders() throws why.
 * @returns nothing when it is not known yet what the token is for, or when nothing is to be stored
 * @throws Failure when signing in fails without a refusal or is not tried, or the Test finds that the token is not
 * taken
 */
export async function tokenToStore(
	httpRequest: HttpRequest,
	credentials: Credentials,
): Promise<{ accessToken?: string }> {
	const { [tokenRequestKey]: tokenRequest, [signedKey]: signed } = credentials;
	// n8n asks again when the request could not be signed.
	if (!tokenRequest && !signed) return {};
	const account = accountOf(credentials);
	const knownRefusal = account.recentRefusal;
	const obtaining = signed?.isTest
		? testedToken(httpRequest, account, credentials)
		: account.renewToken(httpRequest, signed?.token);
	if (tokenRequest) tokenRequest.token = obtaining;
	const signIn = await obtaining.catch((error: Failure) => {
		const { recentRefusal } = account;
		if (!recentRefusal || recentRefusal === knownRefusal) throw error;
		return recentRefusal;
	});
	// n8n before 2.34 stores all settings with it. So a Test is stored only if its settings are saved: n8n has stored a
	// sign-in with them.
	const isSaved = unpackSignIn(credentials.accessToken)?.settings === account.key;
	return signed?.isTest && !isSaved ? {} : { accessToken: packSignIn(signIn) };
}

/**
 * The headers that sign a request (n8n's hook `authenticate`).
 * @param request the request; its address is in `uri` when it comes from n8n's older helper
 * @throws Failure when the request is for another host, or would go through another's, or signing in was just refused; tokenNeeded(), which
 * n8n takes for a 401, when there is no token to send
 */
export function signatureHeaders(
	credentials: Credentials,
	request: IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean },
): Record<string, string> {
	const { [tokenRequestKey]: tokenRequest, [signingKey]: signing } = credentials;
	if (tokenRequest) throw signInFailure('Only a token was asked for.');
	const account = signing?.account ?? accountOf(credentials);
	const { baseUrl, apiKey } = account.settings;
	const url = request.uri ?? request.url;
	const originOf = (address: string) => new URL(address, request.baseURL).origin;
	// What begins like this has no other host. Nearly all requests do, and to take an address apart costs more.
	if (!`${url}`.startsWith(`${baseUrl}/`) && originOf(url) !== originOf(baseUrl)) {
		throw signInFailure("This credential is only sent to the host of its 'Base URL'.");
	}
	const isUnchecked = request.rejectUnauthorized === false || request.skipSslCertificateValidation;
	const hasHost = Object.keys(request.headers ?? {}).some((name) => /^host$/i.test(name));
	if (request.proxy || isUnchecked || hasHost)
		throw signInFailure(
			"This credential is not sent with 'Proxy', 'Ignore SSL Issues' or a header 'Host', since another could read it: remove that from the node.",
		);
	const token = signing?.token ?? account.tokens.newest;
	// Only the address of the Test has no host.
	const isTest = !signing && request.url === testRequest.url;
	const before = credentials[signedKey];
	if (signing) signing.signedAt = performance.now();
	else credentials[signedKey] = { isTest, token };
	// The Test says whether what is typed in is right, so a token that is there already does not count.
	if (isTest && !before) throw tokenNeeded();
	// n8n asks again when it has signed in for this request: if that was refused, it was given the refusal to store.
	const { recentRefusal } = account;
	if (recentRefusal && (before || !token)) throw refusalError(recentRefusal);
	if (!token) throw tokenNeeded();
	const Authorization = authorizationOf(token, credentials);
	return { 'Ocp-Apim-Subscription-Key': apiKey, Authorization };
}

/** Does what a hook of n8n's is for: n8n takes the `code` of an error for that of a failed connection. */
export async function forN8n<Value>(hook: () => Value | Promise<Value>): Promise<Value> {
	try {
		return await hook();
	} catch (error) {
		throw error instanceof Failure ? new UserError(error.message) : error;
	}
}
