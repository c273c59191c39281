// One sign-in for all who need it: requests that run in parallel share one token request.
import { fingerprint, type AccountSettings } from './settings';
import { requestToken, type HttpRequest } from './grants';
import { isExpired, type Token } from './token';

const underWay = new Map<string, Promise<Token>>();
const newest = new Map<string, Token>();

async function obtain(http: HttpRequest, settings: AccountSettings, key: string): Promise<Token> {
	const { access_token: accessToken, expires_in: lifetime } = await requestToken(http, settings);
	const obtainedAt = Date.now();
	const token: Token = {
		accessToken,
		settings: key,
		obtainedAt,
		...(Number.isFinite(lifetime) && { expiresAt: obtainedAt + Number(lifetime) * 1000 }),
	};
	for (const [other, { expiresAt = Infinity }] of newest) {
		if (expiresAt <= obtainedAt) newest.delete(other);
	}
	newest.set(key, token);
	return token;
}

/**
 * A token other than the one the caller holds, which was missing, expired, refused, or of other settings.
 * Another request of this process may have fetched a newer one meanwhile; then that one is handed out.
 * @param held the token that will not do any more
 * @throws SignInError when signing in fails
 */
export async function signIn(
	http: HttpRequest,
	settings: AccountSettings,
	held: Token | undefined,
): Promise<Token> {
	const key = fingerprint(settings);
	const known = newest.get(key);
	const isNewer =
		known !== undefined &&
		!isExpired(known) &&
		(held?.settings !== key ||
			(known.accessToken !== held.accessToken && known.obtainedAt >= held.obtainedAt));
	if (isNewer) return known;
	let request = underWay.get(key);
	if (!request) {
		request = obtain(http, settings, key).finally(() => underWay.delete(key));
		underWay.set(key, request);
	}
	return await request;
}
