// Finds the token that a run sends: one that this process has, else one that another process has stored, else a new
// one from signing in.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { accountOf, type Account } from '../auth/account';
import { credentialType, toSignIn, type TokenRequest } from '../auth/signing';
import { SignInError } from '../auth/signInError';
import { isExpired, unpackToken, type Token } from '../auth/token';
import { cancelSignalOf, wait, type NodeContext } from '../n8n';
import type { RunStatistics } from './runStatistics';

/** A process has stored a new token after this many milliseconds, or twice as many at most. */
const tokenStoringTime = 500;

/** @throws what n8n throws when no credential is selected */
export const readCredentials = (ctx: NodeContext): Promise<ICredentialDataDecryptedObject> =>
	ctx.getCredentials(credentialType);

export class RunToken {
	/** Why the last token was refused, where it is known that another process had obtained a newer one. */
	whyEnded?: string;

	/** The token that the credential holds, as this run has read it last. */
	private stored?: Token;

	/** Requests that need a token at the same time share one renewal. */
	private pendingRenewal?: Promise<Token | SignInError>;

	/**
	 * @param credentials the credential as it was when the run began
	 * @param statistics in which sign-ins are counted
	 */
	constructor(
		private readonly ctx: NodeContext,
		credentials: ICredentialDataDecryptedObject,
		private readonly account: Account,
		private readonly statistics: RunStatistics,
	) {
		this.stored = unpackToken(credentials.accessToken);
	}

	private get usableToken(): Token | undefined {
		return this.account.tokenToSend(this.stored);
	}

	/** @returns a token to send, or why there is none */
	async get(): Promise<Token | SignInError> {
		if (this.usableToken) return this.usableToken;
		this.pendingRenewal ??= this.renew()
			.catch((cause: Error) =>
				cause instanceof SignInError ? cause : new SignInError(cause.message),
			)
			.finally(() => (this.pendingRenewal = undefined));
		const renewed = await this.pendingRenewal;
		// Another run may have a token, even where this one got none.
		return this.usableToken ?? renewed;
	}

	/** Takes a newer token that another process has stored; signs in when there is none. */
	private async renew(): Promise<Token | SignInError> {
		const stop = cancelSignalOf(this.ctx) ?? new AbortController().signal;
		let stored = await this.readStored();
		// When a token is refused that this process has only just obtained, another process has signed in since. The
		// two would end each other's tokens again and again if this one did not wait until the other has stored its.
		if (!this.usableToken && this.account.hasJustSignedIn) {
			await wait(tokenStoringTime * (1 + Math.random()), stop);
			stored = await this.readStored();
		}
		if (this.usableToken) return this.usableToken;
		return stop.aborted
			? new SignInError('The execution was cancelled')
			: await this.signIn(stored);
	}

	/**
	 * Reads the credential as it is stored now. The run uses the token that is stored in it from now on.
	 * @throws SignInError when another setting of the credential was changed
	 */
	private async readStored(): Promise<ICredentialDataDecryptedObject> {
		const stored = await readCredentials(this.ctx);
		if (accountOf(stored).key !== this.account.key) {
			throw new SignInError(
				'The credential was changed while this run used it.',
				'signInUnavailable',
			);
		}
		const before = this.stored;
		this.stored = unpackToken(stored.accessToken);
		const token = this.account.ifUsable(this.stored);
		const isNewer = before && token && token.obtainedAt > before.obtainedAt;
		this.whyEnded = isNewer ? 'Another sign-in to this account ended the token.' : undefined;
		return stored;
	}

	/**
	 * Makes n8n sign in, so that it stores the token. n8n only signs in as a part of a request; this request is never
	 * sent.
	 */
	private async signIn(stored: ICredentialDataDecryptedObject): Promise<Token | SignInError> {
		this.statistics.signIns++;
		const tokenRequest: TokenRequest = {};
		await this.ctx.helpers.httpRequestWithAuthentication
			.call(this.ctx, credentialType, { url: '' }, toSignIn(stored, tokenRequest))
			.catch(() => {});
		const { answer } = tokenRequest;
		const isEnded = !answer || (!(answer instanceof SignInError) && isExpired(answer));
		return isEnded
			? new SignInError('The access token that the service issued has already expired.')
			: answer;
	}
}
