// The credential, account and token that a run or poll signs its requests with. The credential is the one it began
// with; the token is this process's, else one that another process has stored, else a new one from signing in.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { accountOf } from '../auth/account';
import { credentialType, type TokenRequest, toSignIn } from '../auth/signing';
import type { Token } from '../auth/token';
import { Failure, signInFailure } from '../failure';
import { maxRunBytes } from '../http/bodyText';
import { truncate } from '../http/json';
import { cancelSignalOf, wait, type NodeContext } from '../n8n';
import { neverAborted } from '../n8nDatabase';
import { readCredential } from './storedCredential';

/** Milliseconds within which a process has stored a new token; the wait is up to twice as long. */
const tokenStoringTime = 500;

export class Session {
	readonly account = accountOf(this.credentials);

	/** The maximum bytes of all responses of the run. */
	readonly budget = { bytesLeft: maxRunBytes };

	/** Number of tokens refused since a request of the run last succeeded. */
	refusedInRow = 0;

	/** Requests that need a token at the same time share one renewal. */
	private pendingRenewal?: Promise<Token | Failure>;

	private readonly stop = cancelSignalOf(this.ctx) ?? neverAborted;

	/** @param credentials as of the run's start */
	constructor(
		readonly ctx: NodeContext,
		readonly credentials: ICredentialDataDecryptedObject,
	) {}

	/** Removes the credential's secrets from a text. */
	readonly redact = (text: string): string => this.account.redact(text);

	/** The beginning of a text from the service, without the credential's secrets. */
	readonly quote = (text: string): string => truncate(this.redact(text));

	/** @returns a token to send, or the reason why there is none */
	async token(): Promise<Token | Failure> {
		const { tokens } = this.account;
		if (tokens.newest) return tokens.newest;
		this.pendingRenewal ??= this.renew()
			.catch((cause: Error) => (cause instanceof Failure ? cause : signInFailure(cause.message)))
			.finally(() => (this.pendingRenewal = undefined));
		const renewed = await this.pendingRenewal;
		// Another run may have got a token, even if this one did not.
		return tokens.newest ?? renewed;
	}

	/**
	 * Uses a newer token that another process has stored, or else signs in.
	 * @throws Failure if there is no token
	 */
	private async renew(): Promise<Token> {
		let stored = await this.readStored();
		// If a token was refused right after this process obtained it, another process has signed in since. The two would
		// keep ending each other's tokens if this one did not wait until the other has stored its own.
		if (!this.account.tokens.newest && this.account.hasJustSignedIn) {
			await wait(tokenStoringTime * (1 + Math.random()), this.stop);
			stored = await this.readStored();
		}
		if (this.account.tokens.newest) return this.account.tokens.newest;
		if (this.stop.aborted) throw signInFailure('The execution was cancelled');
		return await this.signIn(stored);
	}

	/**
	 * Reads the credential as it is stored now. A usable token in it comes from another process, since this one has none.
	 * @throws Failure if n8n does not provide it, or if another setting of the credential was changed
	 */
	private async readStored(): Promise<ICredentialDataDecryptedObject> {
		const stored = await readCredential(this.ctx, this.stop);
		if (accountOf(stored).key === this.account.key) return stored;
		throw signInFailure('The credential was changed while this run used it.', 'signInUnavailable');
	}

	/**
	 * Makes n8n sign in, so that it stores the token. n8n signs in only as part of a request (n8n-core 2.41,
	 * authentication.ts), so this request is never sent. A token that cannot be stored serves only this process.
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
