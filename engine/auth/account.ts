// What this process knows of a service account: its newest token, which tokens were refused, and whether signing in
// was refused. All nodes, runs and requests share it. So one sign-in serves them all, and a sign-in that the service
// has refused is not repeated, because repeating it would lock the account.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { fingerprint, settingsOf, type AccountSettings } from './accountSettings';
import { requestToken } from './grants';
import { KnownTokens } from './knownTokens';
import { isSignInRefusal, SignInError } from './signInError';
import type { HttpRequest, SignInContext } from './signInRequest';
import { unpackToken, type Token } from './token';

/** Milliseconds for which a refused sign-in is not repeated with the same settings. */
export const pauseAfterRefusal = 60_000;

/** Milliseconds after a sign-in within which its token cannot have expired. */
const minTokenLifetime = 10_000;

/** Most accounts that are remembered; beyond it the one that was asked for longest ago is forgotten. */
export const maxAccounts = 10_000;

export class Account {
	/** The tokens that this process has met. */
	readonly tokens = new KnownTokens();

	private refusal?: { error: SignInError; at: number };

	private signingIn?: Promise<Token>;

	/** By performance.now(). When this process last obtained a token. */
	private signedInAt = -Infinity;

	/** @param key fingerprint of the settings: tokens that were obtained with other settings are never sent */
	constructor(
		readonly settings: AccountSettings,
		readonly key: string,
	) {}

	/** For requests of signing in to this account. */
	signInContext(httpRequest: HttpRequest): SignInContext {
		return { httpRequest, settings: this.settings, secrets: this.tokens.secrets };
	}

	/** Whether a token that is refused now was ended by another sign-in, since it is too new to have expired. */
	get hasJustSignedIn(): boolean {
		return performance.now() - this.signedInAt < minTokenLifetime;
	}

	/** Set when signing in must not be tried now, because it was refused less than `pauseAfterRefusal` ago. */
	get recentRefusal(): SignInError | undefined {
		const { error, at = -Infinity } = this.refusal ?? {};
		return performance.now() - at > pauseAfterRefusal ? undefined : error;
	}

	private async obtainToken(httpRequest: HttpRequest): Promise<Token> {
		const issued = await requestToken(this.signInContext(httpRequest)).catch((error: unknown) => {
			if (error instanceof SignInError && isSignInRefusal(error.reason))
				this.refusal = { error, at: performance.now() };
			throw error;
		});
		// The newest, even if the clock was set back.
		const obtainedAt = Math.max(issued.obtainedAt, (this.tokens.newest?.obtainedAt ?? 0) + 1);
		const token = { ...issued, obtainedAt, settings: this.key };
		this.tokens.remember(token);
		this.signedInAt = performance.now();
		this.refusal = undefined;
		return token;
	}

	/**
	 * Signs in. Callers that ask while a sign-in is in progress share it.
	 * @throws SignInError when signing in fails; a refusal is remembered
	 */
	async signIn(httpRequest: HttpRequest): Promise<Token> {
		this.signingIn ??= this.obtainToken(httpRequest).finally(() => (this.signingIn = undefined));
		return await this.signingIn;
	}

	/**
	 * A token to store in place of the caller's: a newer one that this process already has, or else a new one from
	 * signing in.
	 * @param outdated the caller's token, which is expired or was just refused; undefined when there is none
	 * @throws SignInError when signing in fails, or was refused less than `pauseAfterRefusal` ago
	 */
	async renewToken(httpRequest: HttpRequest, outdated: Token | undefined): Promise<Token> {
		const { newest } = this.tokens;
		if (newest && newest.obtainedAt > (outdated?.obtainedAt ?? 0)) return newest;
		if (this.recentRefusal) throw this.recentRefusal;
		return await this.signIn(httpRequest);
	}
}

/** By the fingerprint of their settings, in the order in which they were used last. */
const accounts = new Map<string, Account>();

/**
 * @returns the one account that this process has for the settings of a credential; it knows the token stored there
 * @throws SignInError when the Base URL is not allowed, or a key or secret has characters that cannot be meant
 */
export function accountOf(credentials: ICredentialDataDecryptedObject): Account {
	const settings = settingsOf(credentials);
	const key = fingerprint(settings);
	const account = accounts.get(key) ?? new Account(settings, key);
	accounts.delete(key);
	accounts.set(key, account);
	const [oldest] = accounts.keys();
	if (accounts.size > maxAccounts && oldest !== undefined) accounts.delete(oldest);
	const stored = unpackToken(credentials.accessToken);
	if (stored?.settings === key) account.tokens.remember(stored);
	return account;
}
