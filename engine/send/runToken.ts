// Finds the token that a run sends: one that this process has, else one that another process has stored, else a new
// one from signing in.
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Account } from '../auth/account';
import { fingerprint, settingsOf } from '../auth/accountSettings';
import { credentialsForSignIn, type TokenRequest } from '../auth/signing';
import { SignInError, TokenNeeded } from '../auth/signInError';
import { isExpired, unpackToken, type Token } from '../auth/token';
import { cancelSignalOf, wait, type NodeContext } from '../n8n';

const credentialType = 'agencyRecordsApi';

/** How often a token is renewed for one request, where each new token is refused to another request meanwhile. */
const maxRenewalsPerRequest = 4;

/** A process has stored a new token after this many milliseconds, or twice as many at most. */
const tokenStoringTime = 500;

/** @throws what n8n throws when no credential is selected */
export const readCredentials = (ctx: NodeContext): Promise<ICredentialDataDecryptedObject> =>
	ctx.getCredentials(credentialType);

/** Has n8n's request helper sign a request with this credential, and send it. */
export const requestSigned = (
	ctx: NodeContext,
	data: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): Promise<unknown> =>
	ctx.helpers.httpRequestWithAuthentication.call(ctx, credentialType, options, {
		credentialsDecrypted: { id: '', name: '', type: credentialType, data },
	});

export class RunToken {
	/** Whether the last token was refused because another process had obtained a newer one. */
	wasReplacedByOtherSignIn = false;

	/** Requests that need a token at the same time share one renewal. */
	private pendingRenewal?: Promise<SignInError | undefined>;

	/**
	 * @param credentials the credential as it was when the run began
	 * @param onSignIn called when the run signs in
	 */
	constructor(
		private readonly ctx: NodeContext,
		private readonly credentials: ICredentialDataDecryptedObject,
		private readonly account: Account,
		private readonly onSignIn: () => void,
	) {}

	private get usableToken(): Token | undefined {
		return this.account.tokenToSend(this.credentials.accessToken);
	}

	/** @returns a token to send, or why there is none */
	async get(): Promise<Token | SignInError> {
		for (let renewals = 0; renewals < maxRenewalsPerRequest; renewals++) {
			const { usableToken } = this;
			if (usableToken) return usableToken;
			this.pendingRenewal ??= this.renew()
				.catch((error: Error) =>
					error instanceof SignInError ? error : new SignInError(error.message),
				)
				.finally(() => (this.pendingRenewal = undefined));
			const error = await this.pendingRenewal;
			if (error) return this.usableToken ?? error;
		}
		return (
			this.usableToken ??
			new SignInError('Each token was revoked before it could be used.', 'unavailable')
		);
	}

	/** Takes a newer token that another process has stored; signs in when there is none. */
	private async renew(): Promise<SignInError | undefined> {
		const stop = cancelSignalOf(this.ctx) ?? new AbortController().signal;
		let stored = await this.readStored();
		// When a token is refused that this process has only just obtained, another process has signed in since. The
		// two would end each other's tokens again and again if this one did not wait until the other has stored its.
		if (!this.usableToken && this.account.hasJustSignedIn) {
			await wait(tokenStoringTime * (1 + Math.random()), stop);
			stored = await this.readStored();
		}
		if (this.usableToken) return undefined;
		return stop.aborted ? new TokenNeeded() : await this.signIn(stored);
	}

	/**
	 * Reads the credential as it is stored now. The run uses the token that is stored in it from now on.
	 * @throws SignInError when another setting of the credential was changed
	 */
	private async readStored(): Promise<ICredentialDataDecryptedObject> {
		const stored = await readCredentials(this.ctx);
		if (fingerprint(settingsOf(stored)) !== fingerprint(settingsOf(this.credentials))) {
			throw new SignInError('The credential was changed while this run used it.', 'unavailable');
		}
		const before = unpackToken(this.credentials.accessToken);
		this.credentials.accessToken = stored.accessToken ?? '';
		const token = this.account.ifUsable(unpackToken(stored.accessToken));
		this.wasReplacedByOtherSignIn = !!before && !!token && token.obtainedAt > before.obtainedAt;
		return stored;
	}

	/**
	 * Makes n8n sign in, so that it stores the token. n8n only signs in as a part of a request; this request is never
	 * sent.
	 */
	private async signIn(stored: ICredentialDataDecryptedObject): Promise<SignInError | undefined> {
		this.onSignIn();
		const tokenRequest: TokenRequest = {};
		const data = credentialsForSignIn(stored, tokenRequest);
		await requestSigned(this.ctx, data, { url: '' }).catch(() => {});
		const { error, token } = tokenRequest;
		return error ?? (token && !isExpired(token) ? undefined : new TokenNeeded());
	}
}
