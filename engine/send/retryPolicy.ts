// The result of one try of a request, and whether and when the request may be retried. Pure: no n8n, no clock, no
// network.
import type { Token } from '../auth/token';
import type { Failure } from '../failure';
import type { RetryLimits } from '../request/request';
import type { Evidence } from '../response/evidence';
import { leavesInDoubt, type Judged } from '../response/judge';

/** One try of a request: what was seen of it. */
export type SeenTry = Evidence & {
	/** By performance.now(). */
	readonly startedAt: number;
	/** Number of tries of the request so far, including those with a refused token. */
	readonly tries: number;
	/** Milliseconds that a success took after the whole request was handed over for sending. */
	readonly delay?: number;
	/** The token that was refused with a 401. */
	readonly refusedToken?: Token;
	/** Why no response came. */
	readonly noResponse?: Pick<Failure, 'message' | 'details'>;
	/** The failure behind `noResponse`, if signing in failed. */
	readonly signInFailure?: Failure;
};

/** A try, and what follows from it. */
export type Try = Judged<SeenTry> & {
	/** Undefined if the try shows nothing about the service. */
	readonly serviceState?: ServiceState;
};

export const isQuotaUsedUp = ({ gateway, signInFailure }: SeenTry): boolean =>
	gateway?.reason === 'quota' || signInFailure?.code === 'quotaUsedUp';

/** The service's state, as shown by a try. If it `fails`, the request alone may be at fault. */
type ServiceState = 'works' | 'fails' | 'congested';

/**
 * The service is congested if its response is missing or incomplete, if it is too busy, or if it leaves a write in
 * doubt, since the next writes would be, too.
 * @param renewed whether an earlier try of the same request was refused with another token
 * @returns undefined if the token or the subscription key was at fault, which shows nothing about the service
 */
export function serviceStateOf(tried: Judged<SeenTry>, renewed: boolean): ServiceState | undefined {
	const { status, meaningOf401, gateway, cut } = tried;
	if (gateway?.reason === 'key') return undefined;
	if (meaningOf401 === 'requestRefused') return 'works';
	// If tokens end before the requests that carry them, fewer of these must be in progress.
	if (meaningOf401) return meaningOf401 === 'renew' && renewed ? 'congested' : undefined;
	const isBusy = status === undefined || [429, 503].includes(status) || isQuotaUsedUp(tried);
	if (isBusy || cut === 'brokenOff' || leavesInDoubt(tried)) return 'congested';
	return status !== 408 && status >= 100 && status <= 499 ? 'works' : 'fails';
}

/** Milliseconds. */
export const initialBackoff = 500;
/** Milliseconds. */
export const maxBackoff = 30_000;

/**
 * The wait after consecutive failures: exponential backoff, plus up to half as much as jitter, so that processes do not
 * all come back at once.
 * @param failures number of failures so far
 * @param random a random number from 0 up to but not including 1
 * @returns milliseconds
 */
export const backoffDelay = (failures: number, random: number): number =>
	Math.round(
		(1 + random / 2) * Math.min(maxBackoff, initialBackoff * 2 ** Math.max(0, failures - 1)),
	);

/**
 * The wait before a request's next try. An expired token is renewed at once, whatever the limits.
 * @param tries number of tries that count against 'Max Tries'; one with a refused token does not, as nothing was
 * processed
 * @param random a random number from 0 up to but not including 1
 * @returns milliseconds; undefined if there is no other try
 */
export function delayOfNextTry(
	{ meaningOf401, verdict, serviceState }: Try,
	tries: number,
	{ maxTries, maxWait }: RetryLimits,
	random: number,
): number | undefined {
	if (meaningOf401) return meaningOf401 === 'renew' ? 0 : undefined;
	if (!verdict.retryable || tries >= maxTries || maxWait === 0) return undefined;
	// If the service is congested, its open circuit holds all requests. If only this request may be at fault, it waits
	// alone.
	return serviceState === 'congested' ? 0 : backoffDelay(tries, random);
}
