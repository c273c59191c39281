// The latest sign-in as n8n stores it, in a hidden field of the credential: the access token, or the reason why there
// is none, and what it depends on.
import { sleep } from 'n8n-workflow';

import type { FailureCode } from '../failure';
import { isObject, parseJson } from '../http/json';
import { unlessStopped } from '../n8n';

interface SignIn {
	/** Fingerprint of its settings. */
	settings: string;
	/** Milliseconds since the epoch. */
	obtainedAt: number;
}

export interface Token extends SignIn {
	accessToken: string;
	/** Milliseconds since the epoch; undefined if the service gave no `expires_in`. */
	expiresAt?: number;
}

/** A token as the service issues it. */
export type IssuedToken = Omit<Token, 'settings'>;

/** A refused sign-in, which would be refused again and might lock the account. */
export interface RefusedSignIn extends SignIn {
	/** The reason, for the user. */
	refusal: string;
	reason: FailureCode;
}

/** The text for n8n to store. */
export const packSignIn = (signIn: Token | RefusedSignIn): string => JSON.stringify(signIn);

/** @returns undefined for '' and anything else that is not a stored sign-in */
export function unpackSignIn(packed: unknown): Token | RefusedSignIn | undefined {
	const signIn = parseJson(String(packed));
	const isSignIn = isObject(signIn) && typeof (signIn.accessToken ?? signIn.refusal) === 'string';
	return isSignIn ? (signIn as unknown as Token | RefusedSignIn) : undefined;
}

export const isRefused = (signIn: Token | RefusedSignIn | undefined): signIn is RefusedSignIn =>
	!!signIn && 'refusal' in signIn;

/**
 * A request stops renewing tokens once this many were refused in a row. Only the first of them may have been accepted
 * before.
 */
const maxRefusedInRow = 3;

/** Milliseconds a refused request waits for others to show whether its token is still good. */
const maxWaitForOthers = 5000;

/**
 * Maximum tokens to remember for an account: the newest ones. It is more than one because an error of the service may
 * name a token that was replaced while the request was in progress.
 */
const maxTokens = 10;

class KnownToken {
	/** The other secrets of its sign-in: the refresh token and the code. */
	issuedWith: readonly string[] = [];

	/** An ended token is never sent, handed out or stored again. */
	hasEnded = false;

	/** Its requests in progress. */
	readonly inFlight = new Set<Promise<unknown>>();

	/** When the latest request that succeeded with it was signed, by performance.now(); -Infinity if there is none. */
	acceptedAt = -Infinity;

	constructor(readonly token: Token) {}
}

/**
 * The meaning of a 401:
 * - `requestRefused`: a request signed after this refusal succeeded with the same token
 * - `renew`: the token has ended; the request is retried with another one
 * - `stopRenewing`: the tokens before it were refused, too; this one is kept, since the request may be refused whatever
 *   the token
 */
export type MeaningOf401 = 'requestRefused' | 'renew' | 'stopRenewing';

/**
 * What responses show about each access token. A 401 may mean that the token has ended, or that the service refuses
 * this request whatever the token: other requests with the same token show which.
 */
export class KnownTokens {
	/** By access token, in the order in which they were first seen. */
	private readonly tokens = new Map<string, KnownToken>();

	/** Texts must never show these, whether or not they are still good. */
	get secrets(): string[] {
		return [...this.tokens].flatMap(([token, { issuedWith }]) => [token, ...issuedWith]);
	}

	/** The newest token that has neither expired nor been refused, from this process or another. */
	get newest(): Token | undefined {
		return [...this.tokens.values()]
			.filter(({ hasEnded }) => !hasEnded)
			.map(({ token }) => token)
			.filter(({ expiresAt }) => !expiresAt || expiresAt > Date.now())
			.sort((one, other) => other.obtainedAt - one.obtainedAt)[0];
	}

	/** Remembers a token. From now on, no text shows it. */
	remember(token: Token): KnownToken {
		const known = this.tokens.get(token.accessToken) ?? new KnownToken(token);
		this.tokens.set(token.accessToken, known);
		const [oldest] = this.tokens.keys();
		if (this.tokens.size > maxTokens && oldest !== undefined) this.tokens.delete(oldest);
		return known;
	}

	/** Remembers a newly issued token. The service may reissue one that was thought to have ended. */
	rememberIssued(token: Token, issuedWith: readonly string[]): void {
		this.tokens.delete(token.accessToken);
		this.remember(token).issuedWith = issuedWith;
	}

	/** @param request a request with the token, which is in progress until its promise is settled */
	async trackRequest<Result>(token: Token, request: Promise<Result>): Promise<Result> {
		const { inFlight } = this.remember(token);
		inFlight.add(request);
		return await request.finally(() => inFlight.delete(request));
	}

	/** @param signedAt by performance.now(), if known */
	recordAccepted(token: Token, signedAt = -Infinity): void {
		const known = this.remember(token);
		known.acceptedAt = Math.max(known.acceptedAt, signedAt);
	}

	/**
	 * Finds out what a new 401 means, and ends the token if that is why. While requests with the same token are in
	 * progress, it waits for them: all of them are refused if the token has ended, and a later one succeeds if it has not.
	 * @param run counts the tokens refused since a request of the run last succeeded; this one may be added
	 * @param stop ends the waiting
	 */
	async learnFrom401(
		token: Token,
		run: { refusedInRow: number },
		stop: AbortSignal,
	): Promise<MeaningOf401> {
		const known = this.remember(token);
		const refusedAt = performance.now();
		const timeUp = AbortSignal.timeout(maxWaitForOthers);
		const servesOthers = () => known.acceptedAt > refusedAt;
		while (!known.hasEnded && !servesOthers() && !stop.aborted && !timeUp.aborted) {
			// Once a request has ended, the next one begins within a turn of the event loop.
			if (known.inFlight.size === 0) await sleep(0);
			if (known.inFlight.size === 0) break;
			await unlessStopped(Promise.race(known.inFlight), stop, timeUp).catch(() => {});
		}
		if (servesOthers()) return 'requestRefused';
		if (known.hasEnded) return 'renew';
		// A token that was accepted before it ended says nothing against the next one.
		if (known.acceptedAt > -Infinity) run.refusedInRow = 0;
		if (++run.refusedInRow >= maxRefusedInRow) return 'stopRenewing';
		known.hasEnded = true;
		return 'renew';
	}
}
