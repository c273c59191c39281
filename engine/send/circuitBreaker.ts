// Holds back requests to an account while the service fails: a circuit breaker for each route, and one for all routes.
// It opens for a pause. After a failure that may leave a record in doubt, it is then half-open: requests go one at a
// time until one succeeds. Pure: no clock, no network.
import { circuitOf } from '../area';
import { backoffDelay, initialBackoff, isQuotaUsedUp, maxBackoff, type Try } from './retryPolicy';

/** Milliseconds: after an hour the service is tried again, however long it asked to wait. */
export const maxPause = 3_600_000;

/**
 * Congestion opens the circuit at once. Other failures, such as a 500, open it only after this many in a row, since
 * each may be its own request's fault.
 */
export const maxFailuresInRow = 10;

/** All times are milliseconds by one clock. */
export interface Pause {
	begunAt: number;
	until: number;
	/** Number of consecutive pauses whose length grew with each failure, instead of being what the service asked for. */
	failures: number;
	/** The failed try that it began with. */
	cause: Try;
}

/**
 * Whether a failure holds all routes: nobody can sign in, the quota is used up, or there is no connection to the
 * service.
 */
const holdsAll = (cause: Try): boolean => isQuotaUsedUp(cause) || !cause.maybeSent;

export class CircuitBreaker {
	/** The pauses of circuits that are open or half-open, by route; undefined for the one of all routes. */
	private readonly pauses = new Map<string | undefined, Pause>();

	/** Consecutive failures that have not opened the circuit, by route. */
	private readonly failuresInRow = new Map<string, number>();

	/**
	 * Records a failure, and opens the circuit if it is congestion or one failure too many. The pause lasts as long as the
	 * service asks, but at least half a second; if it asks for nothing, the pause grows with each consecutive failure. It
	 * also grows if each further request would leave a record in doubt, however soon the service asks for it. Failures of
	 * requests that were in progress when a pause began are not further ones.
	 * @param maxWait maximum milliseconds of a pause that the service did not ask for
	 * @param random a random number from 0 up to but not including 1
	 * @returns the pause; undefined while the circuit is closed
	 */
	fail(now: number, cause: Try, maxWait: number, random: number): Pause | undefined {
		const { startedAt, serviceState } = cause;
		const circuit = circuitOf(cause.operation);
		const key = holdsAll(cause) ? undefined : circuit;
		const known = this.pauses.get(key);
		const before = known && startedAt <= known.until + maxBackoff ? known : undefined;
		if (serviceState !== 'congested' && !before) {
			const inRow = (this.failuresInRow.get(circuit) ?? 0) + 1;
			this.failuresInRow.set(circuit, inRow);
			if (inRow < maxFailuresInRow) return undefined;
		}
		// A quota without a time of replenishment may be used up for days.
		const { retryAfter = isQuotaUsedUp(cause) ? Infinity : 0 } = cause;
		const grows = retryAfter === 0 || !cause.verdict.retryable;
		if (before && grows && startedAt <= before.begunAt) return before;
		const failures = (before?.failures ?? 0) + (grows ? 1 : 0);
		const backoff = grows ? Math.min(maxWait, backoffDelay(failures, random)) : initialBackoff;
		const until = now + Math.min(Math.max(retryAfter, backoff), maxPause);
		const begun = { begunAt: now, until, failures, cause };
		const pause = before && before.until > until ? { ...before, failures } : begun;
		this.pauses.set(key, pause);
		return pause;
	}

	/**
	 * Closes the route's circuits after a success. Any success shows that the service responds; only a request sent since
	 * the pause began shows that it is no longer too busy.
	 */
	succeed(route: string, startedAt: number): void {
		this.failuresInRow.delete(route);
		for (const key of [route, undefined]) {
			const { begunAt = Infinity, cause } = this.pauses.get(key) ?? {};
			if (startedAt > begunAt || !(cause?.status ?? cause?.retryAfter)) this.pauses.delete(key);
		}
	}

	/** The longest pause that holds the route's requests; undefined if none does. */
	pauseOf(route: string, now: number): Pause | undefined {
		const [own, all] = [this.pauses.get(route), this.pauses.get(undefined)];
		const longest = (own?.until ?? 0) > (all?.until ?? 0) ? own : all;
		return longest && longest.until > now ? longest : undefined;
	}

	/**
	 * When the service last failed in a way that may leave a record in doubt, if no request of the route has succeeded
	 * since. Until one does, only one of the requests that began later may be in progress. A failure of all routes, and a
	 * rate limit (429), did not process the request.
	 */
	halfOpenSince(route: string): number | undefined {
		const { begunAt, cause } = this.pauses.get(route) ?? {};
		return cause?.status === 429 ? undefined : begunAt;
	}
}
