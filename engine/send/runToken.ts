// The token that a run sends: one that this process has, else one that another has stored, else a new one.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Account } from '../auth/account';
import { fingerprint, settingsOf } from '../auth/settings';
import { credentialsToSignIn, type TokenRequest } from '../auth/signing';
import { SignInError, TokenNeeded } from '../auth/signInError';
import { isExpired, unpackToken, type Token } from '../auth/token';
import { cancelSignalOf, wait, type NodeContext } from '../n8n';

export const credentialType = 'agencyRecordsApi';

/** How often a token is asked for that another run sees refused before it has come. */
const maxTokenRequests = 4;

/** Milliseconds, up to twice as many, after which a process has stored the token it has just obtained. */
const tokenStoringTime = 500;

/** @throws what n8n throws when no credential is selected */
export const readCredentials = (ctx: NodeContext): Promise<ICredentialDataDecryptedObject> =>
	ctx.getCredentials(credentialType);

export class RunToken {
	/** Whether the last one was refused because another process had obtained a newer one. */
	wasReplacedByOtherSignIn = false;

	/** Requests that need a token at the same time wait for the same one. */
	private pendingRequest?: Promise<SignInError | undefined>;

	/** @param credentials as they were when the run began */
	constructor(
		private readonly ctx: NodeContext,
		private readonly credentials: ICredentialDataDecryptedObject,
		private readonly account: Account,
	) {}

	private get known(): Token | undefined {
		return this.account.tokenToSend(this.credentials.accessToken);
	}

	/** @returns an error when there is none to be had */
	async get(): Promise<Token | SignInError> {
		for (let asked = 0; asked < maxTokenRequests; asked++) {
			const { known } = this;
			if (known) return known;
			this.pendingRequest ??= this.ask()
				.catch((error: Error) =>
					error instanceof SignInError ? error : new SignInError(error.message),
				)
				.finally(() => (this.pendingRequest = undefined));
			const error = await this.pendingRequest;
			if (error) return this.known ?? error;
		}
		return (
			this.known ??
			new SignInError('Each token was revoked before it could be used.', 'unavailable')
		);
	}

	/** Looks whether there is a newer one; if not, signs in. */
	private async ask(): Promise<SignInError | undefined> {
		const stop = cancelSignalOf(this.ctx) ?? new AbortController().signal;
		let stored = await this.readStored();
		// Where this process has signed in just before, another one has since: both would end each other's tokens
		// again and again if they did not wait for what the other one stores.
		if (!this.known && this.account.hasJustSignedIn) {
			await wait(tokenStoringTime * (1 + Math.random()), stop);
			stored = await this.readStored();
		}
		if (this.known) return undefined;
		return stop.aborted ? new TokenNeeded() : await this.signIn(stored);
	}

	/**
	 * The credential as it is stored now; its token is the run's from now on.
	 * @throws SignInError when something else of it was changed
	 */
	private async readStored(): Promise<ICredentialDataDecryptedObject> {
		const stored = await readCredentials(this.ctx);
		if (fingerprint(settingsOf(stored)) !== fingerprint(settingsOf(this.credentials))) {
			throw new SignInError('The credential was changed while this run used it.', 'unavailable');
		}
		const before = unpackToken(this.credentials.accessToken);
		this.credentials.accessToken = stored.accessToken ?? '';
		const token = this.account.usable(unpackToken(stored.accessToken));
		this.wasReplacedByOtherSignIn = !!before && !!token && token.obtainedAt > before.obtainedAt;
		return stored;
	}

	/** Has n8n sign in, so that it stores the token. It takes that for a part of a request: this one is not sent. */
	private async signIn(fresh: ICredentialDataDecryptedObject): Promise<SignInError | undefined> {
		const signingIn: TokenRequest = {};
		const data = credentialsToSignIn(fresh, signingIn);
		await this.ctx.helpers.httpRequestWithAuthentication
			.call(
				this.ctx,
				credentialType,
				{ url: '' },
				{ credentialsDecrypted: { id: '', name: '', type: credentialType, data } },
			)
			.catch(() => {});
		const { error, token } = signingIn;
		return error ?? (token && !isExpired(token) ? undefined : new TokenNeeded());
	}
}
