// What the answers to requests tell of each access token: whether it is still good. A 401 may mean that the token has
// ended, or that the service refuses this one request whatever the token; other requests with the same token show which.
import type { Token } from './token';

/** After this many fresh tokens in a row were refused, signing in again would not help. */
export const maxFreshRefused = 2;

/** After so many requests in a row were refused with every fresh token, no other request would fare better. */
export const maxRequestsRefused = 10;

/** Milliseconds after a sign-in for which its token counts as fresh. One that is refused later may have expired. */
const freshFor = 60_000;

/** After so many refusals in a row a token has ended, even while other requests with it are still under way. */
const maxRefusals = 4;

/**
 * After so many refusals of one and the same request its token has ended. It counts where the service may refuse single
 * requests for their own sake: then the refusals of other requests show nothing of the token.
 */
const maxRefusalsOfRequest = 3;

/** Most tokens that are remembered of an account. The service has long ended the older ones. */
const maxTokens = 100;

/**
 * How many of the newest tokens are taken out of texts. More than one, because an error of the service may name a
 * token that was replaced while the request was under way.
 */
const maxSecrets = 10;

/**
 * - `fresh`: obtained by this process, and neither accepted nor refused so far
 * - `stored`: obtained by another process, which stored it in the credential
 * - `accepted`: a request with it has succeeded
 * - `ended`: it was refused; it is never sent, handed out or stored again
 */
type TokenState = 'fresh' | 'stored' | 'accepted' | 'ended';

class KnownToken {
	state: TokenState = 'stored';

	/** By performance.now(): when a sign-in of this process brought it. */
	issuedAt = -Infinity;

	/** How many requests with it are under way. */
	underWay = 0;

	/** By performance.now(): when the latest of the requests that succeeded with it was signed. */
	acceptedAt = -Infinity;

	/** How often it was refused in a row. The success of a request that was signed after the first refusal ends the row. */
	refusals = 0;

	/** By performance.now(): when the first of them came. */
	refusedAt = -Infinity;
}

/** A 401 to a request. */
interface Refusal {
	/** The token that it was sent with. */
	known: KnownToken;
	/** By performance.now(). */
	at: number;
}

/** What a 401 shows. */
export interface RefusedWithToken {
	/** Whether sending the request again, with whichever token is good then, would end in the same way. */
	isFinal?: boolean;
	/** Whether the token serves other requests, so that the refusal is of this one alone. */
	isOfRequestAlone?: boolean;
	/** Whether the request was refused before, and this token has ended as well. */
	hasEndedAgain?: boolean;
}

export class KnownTokens {
	/** By access token, in the order in which they were met, or their states noted. */
	private readonly tokens = new Map<string, KnownToken>();

	/** By request: an object that is the same for all of its tries. */
	private readonly refusalsByRequest = new WeakMap<object, Refusal[]>();

	/** How many fresh tokens were refused in a row. */
	private freshRefused = 0;

	/** Whether the service was seen to refuse a request whose token it accepted for others. */
	private refusesSingleRequests = false;

	/** How many requests were refused for good since a request of the account succeeded. */
	private requestsRefused = 0;

	/** The newest tokens, which no text may show whether they are still good or not. */
	get secrets(): string[] {
		return [...this.tokens.keys()].slice(-maxSecrets);
	}

	/** Whether the service refuses each token that it has just issued, so that signing in again would not help. */
	get refusesFreshTokens(): boolean {
		return this.requestsRefused >= maxRequestsRefused;
	}

	private find(accessToken: string): KnownToken {
		const known = this.tokens.get(accessToken) ?? new KnownToken();
		this.tokens.set(accessToken, known);
		const [oldest] = this.tokens.keys();
		if (this.tokens.size > maxTokens && oldest !== undefined) this.tokens.delete(oldest);
		return known;
	}

	private note(accessToken: string, state: TokenState): void {
		const known = this.find(accessToken);
		known.state = state;
		this.tokens.delete(accessToken);
		this.tokens.set(accessToken, known);
	}

	noteFresh({ accessToken }: Token): void {
		this.note(accessToken, 'fresh');
		this.find(accessToken).issuedAt = performance.now();
	}

	/** Notes a token that this process may not have met before. */
	hasEnded({ accessToken }: Token): boolean {
		return this.find(accessToken).state === 'ended';
	}

	/** @returns what is to be called when the request has been answered, or has failed */
	noteUnderWay({ accessToken }: Token): () => void {
		const known = this.find(accessToken);
		known.underWay++;
		return () => void known.underWay--;
	}

	/** @param signedAt by performance.now() */
	noteAccepted({ accessToken }: Token, signedAt: number): void {
		const known = this.find(accessToken);
		if (known.state !== 'ended') this.note(accessToken, 'accepted');
		known.acceptedAt = Math.max(known.acceptedAt, signedAt);
		if (signedAt > known.refusedAt) known.refusals = 0;
		this.freshRefused = 0;
		this.requestsRefused = 0;
	}

	/**
	 * Notes a 401. A token that has served for a while is ended by the first request that is refused with it: most have
	 * expired. A fresh one is not, nor is any by a request that was refused with another before, as long as requests
	 * are under way with it that will show what it is worth.
	 * @param request an object that is the same for all tries of the request
	 */
	noteRefused({ accessToken }: Token, request: object): RefusedWithToken {
		const known = this.find(accessToken);
		const now = performance.now();
		const before = this.refusalsByRequest.get(request) ?? [];
		const refusals = [...before, { known, at: now }];
		this.refusalsByRequest.set(request, refusals);
		// A token served a request that was signed after this one was refused with it.
		if (refusals.some((refusal) => refusal.known.acceptedAt > refusal.at)) {
			this.refusesSingleRequests = true;
			return { isFinal: true, isOfRequestAlone: true };
		}
		const hasEndedAgain = before.length > 0;
		if (known.state === 'ended') return { hasEndedAgain };
		if (known.refusals++ === 0) known.refusedAt = now;
		const isFresh = known.state === 'fresh' && now - known.issuedAt < freshFor;
		const mayBeUnsure =
			isFresh || this.refusesSingleRequests
				? refusals.filter((refusal) => refusal.known === known).length < maxRefusalsOfRequest
				: hasEndedAgain && known.refusals < maxRefusals;
		if (mayBeUnsure && known.underWay > 1) return {};
		if (isFresh && this.freshRefused + 1 >= maxFreshRefused) {
			this.requestsRefused++;
			return { isFinal: true };
		}
		if (isFresh) this.freshRefused++;
		this.note(accessToken, 'ended');
		return { hasEndedAgain };
	}
}
