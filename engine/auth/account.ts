// What this process knows about a service account: its newest token, which tokens were refused, and whether signing in
// was refused. All nodes, runs and requests share it, and n8n stores it for other processes. So one sign-in serves them
// all, and a refused sign-in is not repeated soon, since that might lock the account.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Failure, isSignInRefusal, signInFailure } from '../failure';
import { formatDuration } from '../http/format';
import { type AccountSettings, fingerprint, settingsOf } from './accountSettings';
import { joinSentences, requestToken, type HttpRequest } from './signIn';
import { isRefused, KnownTokens, type RefusedSignIn, type Token, unpackSignIn } from './token';
import { redact, secretsIn } from './secrets';

/** Milliseconds within which no process repeats a refused sign-in with the same settings. */
export const pauseAfterRefusal = 3_600_000;

/** Milliseconds after a sign-in within which its token cannot have expired. */
const minTokenLifetime = 10_000;

/** Maximum accounts to remember; beyond it, the least recently used one is forgotten. */
export const maxAccounts = 10_000;

export function refusalError(refused: RefusedSignIn): Failure {
	const wait = formatDuration(refused.obtainedAt + pauseAfterRefusal - Date.now());
	const next = `n8n tries again in ${wait}, or at once when the credential is changed or tested.`;
	return signInFailure(joinSentences(refused.refusal, '', next), refused.reason);
}

export class Account {
	/** The tokens that this process has seen. */
	readonly tokens = new KnownTokens();

	/** The latest sign-in that this process knows of, its own or another process's. */
	private latest?: Token | RefusedSignIn;

	private signingIn?: Promise<Token>;

	/** When this process last obtained a token, by performance.now(). */
	private signedInAt = -Infinity;

	/** @param key fingerprint of the settings: a token obtained with other settings is never sent */
	constructor(
		readonly settings: AccountSettings,
		readonly key: string,
	) {}

	/** The context of the requests that sign in to this account. */
	signInContext(httpRequest: HttpRequest) {
		const issued: string[] = [];
		const hide = (text: string) => this.redact(text, issued);
		return { httpRequest, settings: this.settings, issued, redact: hide };
	}

	/** Removes the account's secrets from a text. */
	redact(text: string, issued: readonly string[] = []): string {
		return redact(text, [...secretsIn(this.settings), ...this.tokens.secrets, ...issued]);
	}

	/** Its user and host, in words and without secrets. */
	get label(): string {
		return this.redact(`${this.settings.username} at ${new URL(this.settings.baseUrl).host}`);
	}

	/**
	 * Whether a token that is refused now must have been ended by another sign-in, since it is too new to have expired.
	 */
	get hasJustSignedIn(): boolean {
		return performance.now() - this.signedInAt < minTokenLifetime;
	}

	/** Records a sign-in with these settings that n8n has stored. */
	learn(signIn: Token | RefusedSignIn): void {
		if (!isRefused(signIn)) this.tokens.remember(signIn);
		if (signIn.obtainedAt > (this.latest?.obtainedAt ?? 0)) this.latest = signIn;
	}

	/**
	 * Set while signing in must not be tried, because it was refused less than `pauseAfterRefusal` ago. Another process's
	 * clock may be ahead, or this one was set back, so the refusal may be dated in the future; one dated further away
	 * proves nothing.
	 */
	get recentRefusal(): RefusedSignIn | undefined {
		const { latest } = this;
		if (!isRefused(latest)) return undefined;
		return Math.abs(Date.now() - latest.obtainedAt) < pauseAfterRefusal ? latest : undefined;
	}

	private async obtainToken(httpRequest: HttpRequest): Promise<Token> {
		const context = this.signInContext(httpRequest);
		const issued = await requestToken(context).catch((error: unknown) => {
			if (!(error instanceof Failure && isSignInRefusal(error))) throw error;
			const { message: refusal, code: reason } = error;
			this.latest = { refusal, reason, settings: this.key, obtainedAt: Date.now() };
			throw refusalError(this.latest);
		});
		// Newer than any other, even if the clock was set back.
		const obtainedAt = Math.max(issued.obtainedAt, (this.latest?.obtainedAt ?? 0) + 1);
		const token = { ...issued, obtainedAt, settings: this.key };
		this.tokens.rememberIssued(token, context.issued);
		this.latest = token;
		this.signedInAt = performance.now();
		return token;
	}

	/**
	 * Signs in. Callers that ask during a sign-in share it.
	 * @throws Failure if signing in fails; a refusal is remembered
	 */
	async signIn(httpRequest: HttpRequest): Promise<Token> {
		this.signingIn ??= this.obtainToken(httpRequest).finally(() => (this.signingIn = undefined));
		return await this.signingIn;
	}

	/**
	 * A token newer than the caller's: one that this process has, or else a new one from signing in.
	 * @param refused the token that was sent; undefined if there was none
	 * @throws Failure if signing in fails, or was refused less than `pauseAfterRefusal` ago
	 */
	async renewToken(httpRequest: HttpRequest, refused?: Token): Promise<Token> {
		const { newest } = this.tokens;
		if (newest && newest.obtainedAt > (refused?.obtainedAt ?? 0)) return newest;
		if (this.recentRefusal) throw refusalError(this.recentRefusal);
		return await this.signIn(httpRequest);
	}
}

/** By the fingerprint of their settings, least recently used first. */
const accounts = new Map<string, Account>();

/**
 * @returns this process's one account for the settings of a credential; it knows the sign-in stored there
 * @throws Failure if the Base URL is not allowed, or if a key or secret has characters that must be a mistake
 */
export function accountOf(credentials: ICredentialDataDecryptedObject): Account {
	const settings = settingsOf(credentials);
	const key = fingerprint(settings);
	const account = accounts.get(key) ?? new Account(settings, key);
	accounts.delete(key);
	accounts.set(key, account);
	const [oldest] = accounts.keys();
	if (accounts.size > maxAccounts && oldest !== undefined) accounts.delete(oldest);
	const stored = unpackSignIn(credentials.accessToken);
	if (stored?.settings === key) account.learn(stored);
	return account;
}
