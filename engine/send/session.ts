// What a run or a poll signs its requests with: the credential as it was when it began, the account that this names, and a
// token: one that this process has, else one that another process has stored, else a new one from signing in.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { accountOf, refusalError } from '../auth/account';
import { credentialType, type TokenRequest, toSignIn } from '../auth/signing';
import type { Token } from '../auth/token';
import { Failure, isSignInRefusal, signInFailure } from '../failure';
import { maxRunBytes } from '../http/bodyText';
import { truncate } from '../http/json';
import { cancelSignalOf, wait, type NodeContext } from '../n8n';
import { neverAborted } from '../n8nDatabase';
import { readCredential } from './storedCredential';

/** A process has stored a new token after this many milliseconds, or twice as many at most. */
const tokenStoringTime = 500;

export class Session {
	readonly account = accountOf(this.credentials);

	/** The bytes that all responses of the run may have. */
	readonly budget = { bytesLeft: maxRunBytes };

	/** How many tokens were refused since a request of the run last succeeded. */
	refusedInRow = 0;

	/** Requests that need a token at the same time share one renewal. */
	private pendingRenewal?: Promise<Token | Failure>;

	private readonly stop = cancelSignalOf(this.ctx) ?? neverAborted;

	/** @param credentials as they were when the run began */
	constructor(
		readonly ctx: NodeContext,
		readonly credentials: ICredentialDataDecryptedObject,
	) {}

	/** Takes the credential's secrets out of a text. */
	readonly redact = (text: string): string => this.account.redact(text);

	/** The beginning of a text of the service's, without these. */
	readonly quote = (text: string): string => truncate(this.redact(text));

	/** @returns a token to send, or why there is none */
	async token(): Promise<Token | Failure> {
		const { tokens } = this.account;
		if (tokens.newest) return tokens.newest;
		this.pendingRenewal ??= this.renew()
			.catch((cause: Error) => this.failureOf(cause))
			.finally(() => (this.pendingRenewal = undefined));
		const renewed = await this.pendingRenewal;
		// Another run may have a token, even where this one got none.
		return tokens.newest ?? renewed;
	}

	private failureOf(cause: Error): Failure {
		const failure = cause instanceof Failure ? cause : signInFailure(cause.message);
		const { recentRefusal } = this.account;
		if (!recentRefusal || !isSignInRefusal(failure)) return failure;
		return refusalError(recentRefusal, this.ctx.getTimezone());
	}

	/**
	 * Takes a newer token that another process has stored; signs in when there is none.
	 * @throws Failure when there is no token
	 */
	private async renew(): Promise<Token> {
		let stored = await this.readStored();
		// When a token is refused that this process has only just obtained, another process has signed in since. The
		// two would end each other's tokens again and again if this one did not wait until the other has stored its.
		if (!this.account.tokens.newest && this.account.hasJustSignedIn) {
			await wait(tokenStoringTime * (1 + Math.random()), this.stop);
			stored = await this.readStored();
		}
		if (this.account.tokens.newest) return this.account.tokens.newest;
		if (this.stop.aborted) throw signInFailure('The execution was cancelled');
		return await this.signIn(stored);
	}

	/**
	 * Reads the credential as it is stored now. A usable token in it is another process's: this one has none.
	 * @throws Failure when n8n does not give it, or another setting of the credential was changed
	 */
	private async readStored(): Promise<ICredentialDataDecryptedObject> {
		const stored = await readCredential(this.ctx, this.stop);
		if (accountOf(stored).key !== this.account.key)
			throw signInFailure(
				'The credential was changed while this run used it.',
				'signInUnavailable',
			);
		return stored;
	}

	/**
	 * Makes n8n sign in, so that it stores the token. n8n only signs in as a part of a request; this request is never
	 * sent. A token that cannot be stored serves this process alone.
	 */
	private async signIn(stored: ICredentialDataDecryptedObject): Promise<Token> {
		const tokenRequest: TokenRequest = {};
		const { message } = (await this.ctx.helpers.httpRequestWithAuthentication
			.call(this.ctx, credentialType, { url: '' }, toSignIn(stored, tokenRequest))
			.catch((error: unknown) => error)) as Error;
		if (!tokenRequest.token) throw signInFailure(`n8n did not sign in: ${message}`);
		return await tokenRequest.token;
	}
}
