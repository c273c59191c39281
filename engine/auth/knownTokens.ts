// What responses show of each access token. A 401 may mean that the token has ended, or that the service refuses this
// one request whatever the token: other requests with the same token show which.
import { unlessStopped, wait } from '../n8n';
import { isExpired, type Token } from './token';

/** A request gives up once this many different tokens were refused to it, of which only the first has served others. */
const maxUselessTokens = 3;

/** Milliseconds for which a refused request waits for others to show whether its token is still good. */
const maxDoubt = 5000;

/** When one request has ended, the next one with its token begins within this many milliseconds, if there is one. */
const maxGap = 20;

/**
 * Most tokens that are remembered of an account, the newest ones. More than one, because an error of the service may
 * name a token that was replaced while the request was in progress.
 */
const maxTokens = 10;

interface KnownToken {
	token: Token;
	/** An ended token is never sent, handed out or stored again. */
	hasEnded: boolean;
	/** How many requests with it are in progress. */
	inFlight: number;
	/** By performance.now(): when the latest request that succeeded with it was signed. */
	acceptedAt: number;
}

/** A 401 to a request. */
export interface Refusal {
	/** The token that the request was sent with. */
	token: KnownToken;
	/** By performance.now(). */
	at: number;
}

/**
 * The meaning of a 401:
 * - `renew`: the token has ended; the request is sent again with another one
 * - `refusedAlone`: a request signed after this refusal succeeded with the same token
 * - `giveUp`: no token is any good for this request
 */
export type RefusalVerdict = 'renew' | 'refusedAlone' | 'giveUp';

export class KnownTokens {
	/** By access token, in the order in which they were met. */
	private readonly tokens = new Map<string, KnownToken>();

	/** Called when the next request has ended. */
	private onNews: Array<() => void> = [];

	/** No text may show them, whether they are still good or not. */
	get secrets(): string[] {
		return [...this.tokens.keys()];
	}

	/** The newest token that has neither expired nor been refused, whoever obtained it. */
	get newest(): Token | undefined {
		return [...this.tokens.values()]
			.filter(({ token, hasEnded }) => !hasEnded && !isExpired(token))
			.map(({ token }) => token)
			.sort((one, other) => other.obtainedAt - one.obtainedAt)[0];
	}

	/** From now on, no text shows this token. */
	remember(token: Token): KnownToken {
		const unknown = { token, hasEnded: false, inFlight: 0, acceptedAt: -Infinity };
		const known = this.tokens.get(token.accessToken) ?? unknown;
		this.tokens.set(token.accessToken, known);
		const [oldest] = this.tokens.keys();
		if (this.tokens.size > maxTokens && oldest !== undefined) this.tokens.delete(oldest);
		return known;
	}

	/** @returns what is to be called when the request has been answered, or has failed */
	trackRequest(token: Token): () => void {
		const known = this.remember(token);
		known.inFlight++;
		return () => {
			known.inFlight--;
			for (const resolve of this.onNews.splice(0)) resolve();
		};
	}

	/** @param signedAt by performance.now(), where it is known */
	recordAccepted(token: Token, signedAt = -Infinity): void {
		const known = this.remember(token);
		known.acceptedAt = Math.max(known.acceptedAt, signedAt);
	}

	refusalOf(token: Token): Refusal {
		return { token: this.remember(token), at: performance.now() };
	}

	/**
	 * Judges a 401. As long as requests with the same token are in progress, these are waited for: a token that has ended
	 * is refused to all of them, and one that has not serves a later one.
	 * @param refusals of all tries of the request, this one last
	 * @param stop ends the waiting
	 */
	async judge(refusals: readonly Refusal[], stop: AbortSignal): Promise<RefusalVerdict> {
		const { token: known } = refusals.at(-1)!;
		const isRefusedAlone = () => refusals.some((refusal) => refusal.token.acceptedAt > refusal.at);
		const doubtEnds = AbortSignal.timeout(maxDoubt);
		while (!known.hasEnded && !isRefusedAlone() && !stop.aborted && !doubtEnds.aborted) {
			if (known.inFlight > 0) {
				const news = new Promise<void>((resolve) => this.onNews.push(resolve));
				await unlessStopped(unlessStopped(news, doubtEnds), stop);
				continue;
			}
			await wait(maxGap, stop);
			if (known.inFlight === 0) break;
		}
		if (isRefusedAlone()) return 'refusedAlone';
		const refused = new Set(refusals.map((refusal) => refusal.token));
		const useless = [...refused].filter((one, at) => at === 0 || one.acceptedAt === -Infinity);
		if (useless.length >= maxUselessTokens) return 'giveUp';
		known.hasEnded = true;
		return 'renew';
	}
}
