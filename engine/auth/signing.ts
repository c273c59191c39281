// Signs requests, and returns the token for n8n to store: the implementation of the credential's two methods.
//
// n8n calls both inside its request helper. A node first asks for a token with a request that is never sent, and then
// has its requests signed with that token. So a request that still waits for a token cannot have been sent, and it does
// not matter what the helper of any n8n version treats as a refused token.
import { UserError } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { Failure, signInFailure } from '../failure';
import { type Account, accountOf, refusalError } from './account';
import { testRequest, testToken, type HttpRequest } from './signIn';
import { packSignIn, type Token, unpackSignIn } from './token';

/**
 * Thrown while signing a request without a usable token. To n8n it looks like the service's 401, so n8n signs in at
 * once instead of after a request that cannot succeed (n8n-core 2.41, authentication.ts).
 */
const tokenNeeded = (): Error =>
	Object.assign(new Error('There is no access token to send yet.'), { response: { status: 401 } });

/** The signing of one request. */
export interface RequestSigning {
	/** The credentials' account, so that they need not be parsed and hashed for each request. */
	readonly account: Account;
	readonly token: Token;
	/** When the request was signed, by performance.now(). */
	signedAt?: number;
}

/** A node's request for a token. */
export interface TokenRequest {
	/**
	 * Set when n8n signs in. It is kept here because the error of n8n's helper may not tell why that fails (see n8n.ts).
	 */
	token?: Promise<Token>;
}

/** Symbols as keys: n8n does not store them, but keeps them when it copies the credentials (n8n 2.41). */
const signingKey = Symbol('signing');
const tokenRequestKey = Symbol('signing in');
const signedKey = Symbol('signed');

type Credentials = ICredentialDataDecryptedObject & {
	[signingKey]?: RequestSigning;
	[tokenRequestKey]?: TokenRequest;
	/** Set when n8n signs, or tries to sign, a request that is not from one of these nodes. */
	[signedKey]?: {
		/** Whether it is the Test button's request, which always signs in. */
		isTest: boolean;
		/** Undefined if there was none. */
		token?: Token;
	};
};

/**
 * The value of the Authorization header, according to the credential's setting of that name; by default, only the
 * token.
 */
const authorizationOf = ({ accessToken }: Token, { authorizationHeader }: Credentials): string =>
	authorizationHeader === 'bearer' ? `Bearer ${accessToken}` : accessToken;

export const credentialType = 'agencyRecordsApi';

/** Options for n8n's request helper to use these credentials instead of the stored ones. */
const using = (data: Credentials) => ({
	credentialsDecrypted: { id: '', name: '', type: credentialType, data },
});

/** @returns options for n8n to sign one request with this token and no other */
export const toSign = (credentials: Credentials, signing: RequestSigning) =>
	// n8n signs in if the field is empty (n8n 2.41, credentials-helper.ts, preAuthentication).
	using({ ...credentials, accessToken: signing.token.accessToken, [signingKey]: signing });

/**
 * @param credentials newly read, because n8n before 2.34 stores all of them with the token
 * (https://github.com/n8n-io/n8n/pull/35064)
 * @returns options for n8n to sign in and store the token; the request itself is not sent
 */
export const toSignIn = (credentials: Credentials, tokenRequest: TokenRequest) =>
	using({ ...credentials, accessToken: '', [tokenRequestKey]: tokenRequest });

/**
 * The value of the hidden field that n8n stores (n8n's hook `preAuthentication`). A refused sign-in is a value too,
 * since n8n stores nothing if this throws; signatureHeaders() then throws the reason.
 * @returns an empty object if it is not known yet what the token is for, or if nothing is to be stored
 * @throws Failure if signing in fails without a refusal or is not tried, or if the Test finds that the token is not
 * accepted
 */
export async function tokenToStore(
	httpRequest: HttpRequest,
	credentials: Credentials,
): Promise<{ accessToken?: string }> {
	const { [tokenRequestKey]: tokenRequest, [signedKey]: signed } = credentials;
	// n8n calls this again after the request could not be signed.
	if (!tokenRequest && !signed) return {};
	const account = accountOf(credentials);
	const knownRefusal = account.recentRefusal;
	const tested = async (token: Token) => {
		await testToken(account.signInContext(httpRequest), authorizationOf(token, credentials));
		return token;
	};
	const obtaining = signed?.isTest
		? account.signIn(httpRequest).then(tested)
		: account.renewToken(httpRequest, signed?.token);
	if (tokenRequest) tokenRequest.token = obtaining;
	const signIn = await obtaining.catch((error: Failure) => {
		const { recentRefusal } = account;
		if (!recentRefusal || recentRefusal === knownRefusal) throw error;
		return recentRefusal;
	});
	// With a sign-in, n8n before 2.34 also stores all settings (https://github.com/n8n-io/n8n/pull/35064), even unsaved
	// ones of a Test. So a Test's sign-in is stored only if one with the same settings already is: they were saved.
	const isSaved = unpackSignIn(credentials.accessToken)?.settings === account.key;
	return signed?.isTest && !isSaved ? {} : { accessToken: packSignIn(signIn) };
}

/**
 * The headers that sign a request (n8n's hook `authenticate`).
 * @param request the request; n8n's older helper has the address in `uri`, but prefers `url`
 * @throws Failure if the request is for another host or could be read by one, or if signing in was just refused;
 * tokenNeeded(), which n8n treats as a 401, if there is no token to send
 */
export function signatureHeaders(
	credentials: Credentials,
	request: IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean },
): Record<string, string> {
	const { [tokenRequestKey]: tokenRequest, [signingKey]: signing } = credentials;
	if (tokenRequest) throw signInFailure('Only a token was asked for.');
	const account = signing?.account ?? accountOf(credentials);
	const { baseUrl, apiKey } = account.settings;
	const originOf = (address: string) => new URL(address, request.baseURL).origin;
	// An address that begins like this has the same host. Nearly all do, and parsing an address is slower.
	const isOwn = (address: string) =>
		`${address}`.startsWith(`${baseUrl}/`) || originOf(address) === originOf(baseUrl);
	if (![request.uri ?? request.url, request.url ?? request.uri].every(isOwn))
		throw signInFailure("This credential is only sent to the host of its 'Base URL'.");
	const isUnchecked = request.rejectUnauthorized === false || request.skipSslCertificateValidation;
	// axios trims the names (axios 1.21, lib/core/AxiosHeaders.js).
	const hasHost = Object.keys(request.headers ?? {}).some((name) => /^\s*host\s*$/i.test(name));
	if (request.proxy || isUnchecked || hasHost)
		throw signInFailure(
			"This credential is not sent with 'Proxy', 'Ignore SSL Issues' or a header 'Host', since someone else could read it then: remove that from the node.",
		);
	const token = signing?.token ?? account.tokens.newest;
	// Only the Test's address has no host.
	const isTest = !signing && request.url === testRequest.url;
	const before = credentials[signedKey];
	if (signing) signing.signedAt = performance.now();
	else credentials[signedKey] = { isTest, token };
	// The Test checks what was typed in, so an existing token does not count.
	if (isTest && !before) throw tokenNeeded();
	// n8n calls this again after it has signed in for this request. If that was refused, n8n was given the refusal to
	// store.
	const { recentRefusal } = account;
	if (recentRefusal && (before || !token)) throw refusalError(recentRefusal);
	if (!token) throw tokenNeeded();
	const Authorization = authorizationOf(token, credentials);
	return { 'Ocp-Apim-Subscription-Key': apiKey, Authorization };
}

/**
 * Runs one of n8n's hooks. A Failure is rethrown as a UserError, because n8n reads the `code` of an error as a failed
 * connection's (n8n-workflow 2.41, node.error.ts).
 */
export async function forN8n<Value>(hook: () => Value | Promise<Value>): Promise<Value> {
	try {
		return await hook();
	} catch (error) {
		throw error instanceof Failure ? new UserError(error.message) : error;
	}
}
