// Holds back the requests to one account while the service fails: a circuit breaker for each route, and one for all
// routes. It opens for a pause. After a failure that may put a record in doubt it is then half open: requests go one at
// a time until one succeeds. Pure: no clock, no network.
import type { Evidence } from '../response/evidence';
import { judge } from '../response/judge';
import { circuitOf } from '../area';
import { backoffDelay, initialBackoff, isQuotaUsedUp, maxBackoff, type Try } from './retryPolicy';

/** Milliseconds. After an hour the service is asked again, however long it asked to wait. */
export const maxPause = 3_600_000;

/**
 * An overload opens the circuit at once. Of other failures, such as a 500, it takes this many in a row: each of them may
 * be the fault of its own request.
 */
export const maxFailuresInRow = 10;

/** The try that a pause began with. All times are milliseconds by one clock. */
export type FailedTry = Evidence & Pick<Try, 'startedAt' | 'signInFailure' | 'serviceState'>;

export interface Pause {
	begunAt: number;
	until: number;
	/** How many pauses in a row were not as long as the service asked, but longer with each failure. */
	failures: number;
	because: FailedTry;
}

/** What holds all routes: nobody can sign in, a quota of all is used up, or there is no connection to the service. */
const holdsAll = (because: FailedTry): boolean => isQuotaUsedUp(because) || !because.maybeSent;

export class CircuitBreaker {
	/** Of the circuits that are open or half open, by route; undefined for that of all routes. */
	private readonly pauses = new Map<string | undefined, Pause>();

	/** Failures in a row by route, which have not opened its circuit. */
	private readonly failuresInRow = new Map<string, number>();

	/**
	 * Records a failure, and opens the circuit if it is an overload, or one failure too many. The pause lasts as long as
	 * the service asks, and half a second at least; else it grows with each failure in a row. It also grows where each further request puts a record
	 * in doubt, however soon the service asks for it. The failures of other requests that were in progress when a pause
	 * began are no further ones.
	 * @param maxWait milliseconds that a pause which nobody asked for may last
	 * @param random a random number from 0 up to but not including 1
	 * @returns the pause; undefined while the circuit is closed
	 */
	fail(now: number, because: FailedTry, maxWait: number, random: number): Pause | undefined {
		const { startedAt, serviceState } = because;
		const circuit = circuitOf(because.operation);
		const key = holdsAll(because) ? undefined : circuit;
		const known = this.pauses.get(key);
		const before = known && startedAt <= known.until + maxBackoff ? known : undefined;
		if (serviceState !== 'congested' && !before) {
			const inRow = (this.failuresInRow.get(circuit) ?? 0) + 1;
			this.failuresInRow.set(circuit, inRow);
			if (inRow < maxFailuresInRow) return undefined;
		}
		// A quota that does not say when it is replenished may be used up for days.
		const { retryAfter = isQuotaUsedUp(because) ? Infinity : 0 } = because;
		const grows = retryAfter === 0 || !judge(because).retryable;
		if (before && grows && startedAt <= before.begunAt) return before;
		const failures = (before?.failures ?? 0) + (grows ? 1 : 0);
		const backoff = grows ? Math.min(maxWait, backoffDelay(failures, random)) : initialBackoff;
		const until = now + Math.min(Math.max(retryAfter, backoff), maxPause);
		const begun = { begunAt: now, until, failures, because };
		const pause = before && before.until > until ? { ...before, failures } : begun;
		this.pauses.set(key, pause);
		return pause;
	}

	/**
	 * Closes the circuits of the route after a success. Each success shows that the service responds; only one whose
	 * request was sent since the pause began shows that it is no longer too busy.
	 */
	succeed(route: string, startedAt: number): void {
		this.failuresInRow.delete(route);
		for (const key of [route, undefined]) {
			const { begunAt = Infinity, because } = this.pauses.get(key) ?? {};
			if (startedAt > begunAt || !(because?.status ?? because?.retryAfter)) this.pauses.delete(key);
		}
	}

	/** The pause that holds requests of the route longest; undefined when nothing does. */
	pauseOf(route: string, now: number): Pause | undefined {
		const [own, all] = [this.pauses.get(route), this.pauses.get(undefined)];
		const longest = (own?.until ?? 0) > (all?.until ?? 0) ? own : all;
		return longest && longest.until > now ? longest : undefined;
	}

	/**
	 * When the service failed last in a way that may put a record in doubt, if no request of the route has succeeded
	 * since: until then, of the requests that began later only one may be in progress. What holds all routes, and a limit
	 * in front, did not process the request.
	 */
	halfOpenSince(route: string): number | undefined {
		const { begunAt, because } = this.pauses.get(route) ?? {};
		return because?.status === 429 ? undefined : begunAt;
	}
}
