// What this process knows of a service account: its newest token, the tokens that were refused, and whether
// signing in was. All nodes, runs and requests share it, so that one sign-in serves all, and none is repeated
// that the service has refused: that would lock the account.
import { requestToken, type HttpRequest } from './grants';
import { fingerprint, type AccountSettings } from './accountSettings';
import { SignInError } from './signInError';
import { isExpired, unpackToken, type Token } from './token';

/** Milliseconds for which a refused sign-in is not repeated with the same settings. */
export const refusalKept = 60_000;

/** Tokens in a row, each fresh and refused, after which signing in again would not help. */
export const maxFreshRefused = 2;

/** Milliseconds after a sign-in within which its token cannot have grown old. */
const justNow = 10_000;

/** Of an account, the oldest are forgotten: the service has long ended them. */
const maxTokens = 100;

/** An error of the service may be about a token that was replaced while the request was under way. */
const maxSecrets = 10;

/** The least recently used are forgotten. */
const maxAccounts = 100;

/** `fresh`: obtained here, and neither accepted nor refused so far; `stored`: obtained by another process. */
type TokenState = 'fresh' | 'stored' | 'accepted' | 'refused';

export class Account {
	private newest?: Token;

	/** Tokens this process has seen, the oldest first. */
	private readonly tokens = new Map<string, TokenState>();

	private freshRefused = 0;

	private refusal?: { error: SignInError; at: number };

	private signingIn?: Promise<Token>;

	/** By performance.now(): when this process obtained a token. */
	private signedInAt = -Infinity;

	private readonly key: string;

	constructor(private readonly settings: AccountSettings) {
		this.key = fingerprint(settings);
	}

	private noteToken(accessToken: string, state: TokenState): void {
		this.tokens.delete(accessToken);
		this.tokens.set(accessToken, state);
		const [oldest] = this.tokens.keys();
		if (this.tokens.size > maxTokens && oldest !== undefined) this.tokens.delete(oldest);
	}

	/** Tokens that must not be read in any text: the last ones, live or not. */
	get secrets(): string[] {
		return [...this.tokens.keys()].slice(-maxSecrets);
	}

	/**
	 * A token to send, if it was obtained with these very settings, its lifetime has not passed, and the
	 * service has not refused it.
	 */
	usable(token: Token | undefined): Token | undefined {
		if (!token || token.settings !== this.key || isExpired(token)) return undefined;
		const state = this.tokens.get(token.accessToken);
		if (!state) this.noteToken(token.accessToken, 'stored');
		return state === 'refused' ? undefined : token;
	}

	/** The stored token, or a newer one that this process has obtained; undefined when neither will do. */
	tokenToSend(packed: unknown): Token | undefined {
		const stored = this.usable(unpackToken(packed));
		const own = this.usable(this.newest);
		return stored && own && own.obtainedAt > stored.obtainedAt ? own : (stored ?? own);
	}

	/** A request with this token has succeeded. */
	accepted({ accessToken }: Token): void {
		if (this.tokens.get(accessToken) !== 'refused') this.noteToken(accessToken, 'accepted');
		this.freshRefused = 0;
	}

	/** The service has answered 401: the token is never sent, handed out or stored again. */
	refused({ accessToken, obtainedAt }: Token): void {
		if (this.tokens.get(accessToken) === 'fresh') this.freshRefused++;
		this.noteToken(accessToken, 'refused');
		// Where one token lives at a time, an older one is long dead.
		if (this.newest && this.newest.obtainedAt <= obtainedAt) this.newest = undefined;
	}

	/** Whether the service has issued tokens, and refused one after the other: signing in again would not help. */
	get refusesFreshTokens(): boolean {
		return this.freshRefused >= maxFreshRefused;
	}

	/** Whether a token that is refused now was hardly ended by time, but by another sign-in. */
	get hasJustSignedIn(): boolean {
		return performance.now() - this.signedInAt < justNow;
	}

	/** Why signing in is not to be tried now, if so: it was refused less than a minute ago. */
	get lastRefusal(): SignInError | undefined {
		if (this.refusal && performance.now() - this.refusal.at > refusalKept) this.refusal = undefined;
		return this.refusal?.error;
	}

	private async obtain(http: HttpRequest): Promise<Token> {
		const { access_token: accessToken, expires_in: lifetime } = await requestToken(
			http,
			this.settings,
			this.secrets,
		);
		const obtainedAt = Date.now();
		this.newest = {
			accessToken,
			settings: this.key,
			obtainedAt,
			...(Number.isFinite(lifetime) && { expiresAt: obtainedAt + Number(lifetime) * 1000 }),
		};
		this.noteToken(accessToken, 'fresh');
		this.signedInAt = performance.now();
		this.refusal = undefined;
		return this.newest;
	}

	/**
	 * Signs in, once for all who ask at the same time.
	 * @throws SignInError when signing in fails; a refusal is remembered
	 */
	async signIn(http: HttpRequest): Promise<Token> {
		this.signingIn ??= this.obtain(http)
			.catch((error: unknown) => {
				if (error instanceof SignInError && error.fault === 'refused') {
					this.refusal = { error, at: performance.now() };
				}
				throw error;
			})
			.finally(() => (this.signingIn = undefined));
		return await this.signingIn;
	}

	/**
	 * A token to store: a newer one than the caller's that this process has, or a new one.
	 * @param held the token that will not do any more: missing, expired, or just refused
	 * @throws SignInError when signing in fails, or was refused less than a minute ago
	 */
	async renewed(http: HttpRequest, held: Token | undefined): Promise<Token> {
		const own = this.usable(this.newest);
		if (own && (!held || held.settings !== this.key || own.obtainedAt >= held.obtainedAt)) {
			if (own.accessToken !== held?.accessToken) return own;
		}
		if (this.lastRefusal) throw this.lastRefusal;
		return await this.signIn(http);
	}
}

const accounts = new Map<string, Account>();

/** @returns the one account of this process with these settings */
export function accountOf(settings: AccountSettings): Account {
	const key = fingerprint(settings);
	const account = accounts.get(key) ?? new Account(settings);
	accounts.delete(key);
	accounts.set(key, account);
	const [oldest] = accounts.keys();
	if (accounts.size > maxAccounts && oldest !== undefined) accounts.delete(oldest);
	return account;
}
