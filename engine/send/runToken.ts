// The token that a run sends: one that this process has, else one that another has stored, else a new one.
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import type { Account } from '../auth/account';
import { fingerprint, settingsOf } from '../auth/settings';
import { toSignIn, type SigningIn } from '../auth/signing';
import { SignInError, TokenNeeded } from '../auth/signInError';
import { unpackToken, type Token } from '../auth/token';

export const credentialType = 'agencyRecordsApi';

/** @throws what n8n throws when no credential is selected */
export const readCredentials = (ctx: IExecuteFunctions): Promise<ICredentialDataDecryptedObject> =>
	ctx.getCredentials(credentialType);

export class RunToken {
	/** Whether the last one was refused because another process had obtained a newer one. */
	isEndedByOther = false;

	/** Requests that need a token at the same time wait for the same one. */
	private asking?: Promise<SignInError | undefined>;

	/** @param credentials as they were when the run began */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly credentials: ICredentialDataDecryptedObject,
		private readonly account: Account,
	) {}

	private get known(): Token | undefined {
		return this.account.tokenToSend(this.credentials.accessToken);
	}

	/** @returns an error when there is none to be had */
	async get(): Promise<Token | SignInError> {
		const { known } = this;
		if (known) return known;
		this.asking ??= this.ask()
			.catch(({ message }: Error) => new SignInError(message))
			.finally(() => (this.asking = undefined));
		const error = await this.asking;
		return this.known ?? error ?? new TokenNeeded();
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
		if (stored || this.ctx.getExecutionCancelSignal()?.aborted) return undefined;
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
		return signingIn.error;
	}
}
