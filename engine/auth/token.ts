// The latest sign-in as n8n stores it: a hidden field of the credential, which holds the access token, or why there is
// none, and what that depends on.
import type { FailureCode } from '../failure';
import { isObject, parseJson } from '../http/json';
import { wait } from '../n8n';

interface SignIn {
	/** Fingerprint of the settings that it was made with. */
	settings: string;
	/** Milliseconds since the epoch. */
	obtainedAt: number;
}

export interface Token extends SignIn {
	accessToken: string;
	/** Milliseconds since the epoch; absent when the service gave no `expires_in`. */
	expiresAt?: number;
}

/** As the service issues it. */
export type IssuedToken = Omit<Token, 'settings'>;

/** A sign-in that would be refused again, and might lock the account. */
export interface RefusedSignIn extends SignIn {
	/** Why, as the user reads it. */
	refusal: string;
	reason: FailureCode;
}

/** The text that n8n stores. */
export const packSignIn = (signIn: Token | RefusedSignIn): string => JSON.stringify(signIn);

/** @returns undefined for '' and for anything that is not a stored sign-in */
export function unpackSignIn(packed: unknown): Token | RefusedSignIn | undefined {
	const signIn = parseJson(String(packed));
	const isSignIn = isObject(signIn) && typeof (signIn.accessToken ?? signIn.refusal) === 'string';
	return isSignIn ? (signIn as unknown as Token | RefusedSignIn) : undefined;
}

export const isRefused = (signIn: Token | RefusedSignIn | undefined): signIn is RefusedSignIn =>
	!!signIn && 'refusal' in signIn;

const isExpired = ({ expiresAt }: Token): boolean => !!expiresAt && expiresAt <= Date.now();

/** A request gives up once this many tokens were refused in a row. Only the first of them may have served before. */
const maxRefusedInRow = 3;

/** Milliseconds for which a refused request waits for others to show whether its token is still good. */
const maxDoubt = 5000;

/** Milliseconds between two looks. When one request has ended, the next one with its token begins sooner than that. */
const lookInterval = 20;

/**
 * Most tokens that are remembered of an account, the newest ones. More than one, because an error of the service may
 * name a token that was replaced while the request was in progress.
 */
const maxTokens = 10;

interface KnownToken {
	token: Token;
	/** The other secrets of its sign-in: the refresh token and the code. */
	issuedWith: readonly string[];
	/** An ended token is never sent, handed out or stored again. */
	hasEnded: boolean;
	/** How many requests with it are in progress. */
	inFlight: number;
	/** By performance.now(): when the latest request that succeeded with it was signed; -Infinity without any. */
	acceptedAt: number;
}

/**
 * The meaning of a 401:
 * - `requestRefused`: a request signed after this refusal succeeded with the same token
 * - `renew`: the token has ended; the request is sent again with another one
 * - `stopRenewing`: as many tokens before were no better; this one is kept, since the request may be refused whatever the token
 */
export type RefusalVerdict = 'requestRefused' | 'renew' | 'stopRenewing';

/**
 * What responses show of each access token. A 401 may mean that the token has ended, or that the service refuses this
 * one request whatever the token: other requests with the same token show which.
 */
export class KnownTokens {
	/** By access token, in the order in which they were met. */
	private readonly tokens = new Map<string, KnownToken>();

	/** No text may show them, whether they are still good or not. */
	get secrets(): string[] {
		return [...this.tokens].flatMap(([token, { issuedWith }]) => [token, ...issuedWith]);
	}

	/** The newest token that has neither expired nor been refused, from this process or another. */
	get newest(): Token | undefined {
		return [...this.tokens.values()]
			.filter(({ token, hasEnded }) => !hasEnded && !isExpired(token))
			.map(({ token }) => token)
			.sort((one, other) => other.obtainedAt - one.obtainedAt)[0];
	}

	/** From now on, no text shows this token. */
	remember(token: Token): KnownToken {
		const unknown = { token, issuedWith: [], hasEnded: false, inFlight: 0, acceptedAt: -Infinity };
		const known: KnownToken = this.tokens.get(token.accessToken) ?? unknown;
		this.tokens.set(token.accessToken, known);
		const [oldest] = this.tokens.keys();
		if (this.tokens.size > maxTokens && oldest !== undefined) this.tokens.delete(oldest);
		return known;
	}

	/** Remembers a token that was just issued. The service may issue one again that was taken for ended. */
	rememberIssued(token: Token, issuedWith: readonly string[]): void {
		this.tokens.delete(token.accessToken);
		this.remember(token).issuedWith = issuedWith;
	}

	/** @returns a function to call when the request has been answered or has failed */
	trackRequest(token: Token): () => void {
		const known = this.remember(token);
		known.inFlight++;
		return () => void known.inFlight--;
	}

	/** @param signedAt by performance.now(), where it is known */
	recordAccepted(token: Token, signedAt = -Infinity): void {
		const known = this.remember(token);
		known.acceptedAt = Math.max(known.acceptedAt, signedAt);
	}

	/**
	 * Judges a 401 that has just come. As long as requests with the same token are in progress, these are waited for: a
	 * token that has ended is refused to all of them, and one that has not serves a later one.
	 * @param run how many tokens it was refused since a request of it last succeeded; this one may be added
	 * @param stop ends the waiting
	 */
	async verdictOn(
		token: Token,
		run: { refusedInRow: number },
		stop: AbortSignal,
	): Promise<RefusalVerdict> {
		const known = this.remember(token);
		const refusedAt = performance.now();
		const servesOthers = () => known.acceptedAt > refusedAt;
		const isOpen = () => !known.hasEnded && !servesOthers() && !stop.aborted;
		let looksWithoutAny = 0;
		while (isOpen() && looksWithoutAny < 2 && performance.now() < refusedAt + maxDoubt) {
			await wait(lookInterval, stop);
			looksWithoutAny = known.inFlight > 0 ? 0 : looksWithoutAny + 1;
		}
		if (servesOthers()) return 'requestRefused';
		if (known.hasEnded) return 'renew';
		// A token that served before it ended is no sign against the next one.
		if (known.acceptedAt > -Infinity) run.refusedInRow = 0;
		if (++run.refusedInRow >= maxRefusedInRow) return 'stopRenewing';
		known.hasEnded = true;
		return 'renew';
	}
}
