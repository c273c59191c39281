// What one try of a request gives, and whether and when the request may be sent again. Pure: no n8n, no clock, no network.
import { leavesInDoubt } from '../response/responseData';
import type { Evidence } from '../response/evidence';
import { judge } from '../response/judge';
import type { Token } from '../auth/token';
import type { Failure } from '../failure';
import type { RetryLimits } from '../request/request';

/** A try: how far it got, what it has shown of the service, and what is concluded from that. */
export type Try = Evidence & {
	/** By performance.now(). */
	readonly startedAt: number;
	/** How often the request was tried; tries with a refused token are included. */
	readonly tries: number;
	/** Milliseconds that a success took, from when all of the request was handed over to be sent. */
	readonly delay?: number;
	/** The token that a 401 refuses. */
	readonly refusedToken?: Token;
	/** Why no response came. */
	readonly noResponse?: Pick<Failure, 'message' | 'details'>;
	/** The same, where signing in has failed. */
	readonly signInFailure?: Failure;
	/** Undefined where the try shows nothing of the service. */
	readonly serviceState?: ServiceState;
};

export const isQuotaUsedUp = ({ gateway, signInFailure }: Evidence & Pick<Try, 'signInFailure'>) =>
	gateway?.reason === 'quota' || signInFailure?.code === 'quotaUsedUp';

/** The state of the service, as a try shows it. A failure may be the fault of the request alone. */
type ServiceState = 'works' | 'fails' | 'congested';

/**
 * It is congested where it did not respond in full, says that it is too busy, or leaves a write in doubt, as it would the
 * next ones.
 * @param renewed whether an earlier try of the same request was refused with another token
 * @returns undefined where the token or the subscription key was at fault, and nothing is shown of the service
 */
export function serviceStateOf(evidence: Evidence, renewed: boolean): ServiceState | undefined {
	const { status, verdict, gateway, cut } = evidence;
	if (gateway?.reason === 'key') return undefined;
	if (verdict === 'requestRefused') return 'works';
	// Where tokens end sooner than the requests that carry them, fewer of these have to be in progress.
	if (verdict) return verdict === 'renew' && renewed ? 'congested' : undefined;
	if (status === undefined || [429, 503].includes(status) || cut === 'brokenOff')
		return 'congested';
	if (isQuotaUsedUp(evidence) || leavesInDoubt(evidence)) return 'congested';
	return status !== 408 && status >= 100 && status <= 499 ? 'works' : 'fails';
}

/** Milliseconds. */
export const initialBackoff = 500;
/** Milliseconds. */
export const maxBackoff = 30_000;

/**
 * The wait after failures in a row, as exponential back-off. Up to half as much is added as jitter, so that processes do
 * not come back at once.
 * @param failures how many there were so far
 * @param random a random number from 0 up to but not including 1
 * @returns milliseconds
 */
export const backoffDelay = (failures: number, random: number): number =>
	Math.round(
		(1 + random / 2) * Math.min(maxBackoff, initialBackoff * 2 ** Math.max(0, failures - 1)),
	);

/**
 * How long a request waits for its next try. A token that has ended is renewed at once, whatever the limits say.
 * @param tries how many were made that count against 'Max Tries': with a refused token, nothing was processed
 * @param random a random number from 0 up to but not including 1
 * @returns milliseconds; undefined when it has no other try
 */
export function delayOfNextTry(
	tried: Evidence & Pick<Try, 'serviceState'>,
	tries: number,
	{ maxTries, maxWait }: RetryLimits,
	random: number,
): number | undefined {
	const { verdict, serviceState } = tried;
	if (verdict) return verdict === 'renew' ? 0 : undefined;
	if (!judge(tried).retryable || tries >= maxTries || maxWait === 0) return undefined;
	// What is wrong with the service holds all requests: its circuit is open. What may be wrong with this one holds it
	// alone.
	return serviceState === 'congested' ? 0 : backoffDelay(tries, random);
}
