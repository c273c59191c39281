// The token that a run sends: one that this process has, else one that another has stored, else a new one.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Account } from '../auth/account';
import { fingerprint, settingsOf } from '../auth/settings';
import { toSignIn, type SigningIn } from '../auth/signing';
import { SignInError, TokenNeeded } from '../auth/signInError';
import { isExpired, unpackToken, type Token } from '../auth/token';
import { cancelSignalOf, type Context } from '../n8n';

export const credentialType = 'agencyRecordsApi';

/** How often a token is asked for that another run sees refused before it has come. */
const mostAsked = 4;

/** @throws what n8n throws when no credential is selected */
export const readCredentials = (ctx: Context): Promise<ICredentialDataDecryptedObject> =>
	ctx.getCredentials(credentialType);

export class RunToken {
	/** Whether the last one was refused because another process had obtained a newer one. */
	isEndedByOther = false;

	/** Requests that need a token at the same time wait for the same one. */
	private asking?: Promise<SignInError | undefined>;

	/** @param credentials as they were when the run began */
	constructor(
		private readonly ctx: Context,
		private readonly credentials: ICredentialDataDecryptedObject,
		private readonly account: Account,
	) {}

	private get known(): Token | undefined {
		return this.account.tokenToSend(this.credentials.accessToken);
	}

	/** @returns an error when there is none to be had */
	async get(): Promise<Token | SignInError> {
		for (let asked = 0; asked < mostAsked; asked++) {
			const { known } = this;
			if (known) return known;
			this.asking ??= this.ask()
				.catch(({ message }: Error) => new SignInError(message))
				.finally(() => (this.asking = undefined));
			const error = await this.asking;
			if (error) return this.known ?? error;
		}
		return this.known ?? new SignInError('Each token was ended before it was sent.', 'unavailable');
	}

	/** Looks whether another process has stored a newer one; if not, signs in. */
	private async ask(): Promise<SignInError | undefined> {
		const fresh = await readCredentials(this.ctx);
		if (fingerprint(settingsOf(fresh)) !== fingerprint(settingsOf(this.credentials))) {
			return new SignInError('The credential was changed while this run used it.', 'unavailable');
		}
		const before = unpackToken(this.credentials.accessToken);
		this.credentials.accessToken = fresh.accessToken ?? '';
		const stored = this.account.usable(unpackToken(fresh.accessToken));
		this.isEndedByOther = !!before && !!stored && stored.obtainedAt > before.obtainedAt;
		if (stored) return undefined;
		if (cancelSignalOf(this.ctx)?.aborted) return new TokenNeeded();
		return await this.signIn(fresh);
	}

	/** Has n8n sign in, so that it stores the token. It takes that for a part of a request: this one is not sent. */
	private async signIn(fresh: ICredentialDataDecryptedObject): Promise<SignInError | undefined> {
		const signingIn: SigningIn = {};
		const data = toSignIn(fresh, signingIn);
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
