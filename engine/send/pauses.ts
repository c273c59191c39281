// Until when requests to one account wait after the service has refused or failed some. Pure: no clock, no network.
import type { Exchange } from './exchange';
import { backoffDelay, isQuotaUsedUp, maxBackoff, type TryEvidence } from './retryPolicy';

/** Milliseconds. After an hour the service is asked again, however long it asked to wait. */
export const maxPause = 3_600_000;

/** The try that a pause began with. All times are milliseconds by one clock. */
export type FailedTry = TryEvidence & Pick<Exchange, 'operation' | 'startedAt' | 'signInError'>;

export interface Pause {
	begunAt: number;
	until: number;
	/** When what the service asked for is over: later than the pause ends, perhaps. */
	askedUntil: number;
	/** How often in a row the service failed without saying how long to wait. */
	failures: number;
	because: FailedTry;
}

/** What holds all routes: nobody can sign in, a quota of all is used up, or there is no connection to the service. */
const holdsAll = (because: FailedTry): boolean =>
	because.signInError !== undefined || isQuotaUsedUp(because) || !because.maybeSent;

export class Pauses {
	/** By route; undefined for all of them. */
	private readonly pauses = new Map<string | undefined, Pause>();

	/**
	 * Begins the pause that the service asks for; else one that grows with each failure in a row. The failures of other
	 * requests that were in progress when it began are no further ones.
	 * @param maxWait milliseconds that the latter may last
	 * @param random a random number from 0 up to but not including 1
	 */
	begin(now: number, because: FailedTry, maxWait: number, random: number): Pause {
		const { operation, startedAt } = because;
		const key = holdsAll(because) ? undefined : operation.request;
		const known = this.pauses.get(key);
		const before = known && startedAt <= known.until + maxBackoff ? known : undefined;
		// A quota that does not say when it is replenished may be used up for days.
		const { retryAfter = isQuotaUsedUp(because) ? Infinity : 0 } = because;
		if (before && retryAfter === 0 && startedAt <= before.begunAt) return before;
		const failures = (before?.failures ?? 0) + (retryAfter === 0 ? 1 : 0);
		const wait = retryAfter || Math.min(maxWait, backoffDelay(failures, random));
		const until = now + Math.min(wait, maxPause);
		const begun = { begunAt: now, until, askedUntil: now + wait, failures, because };
		const pause = before && before.until > until ? { ...before, failures } : begun;
		this.pauses.set(key, pause);
		return pause;
	}

	/**
	 * Ends pauses of the route after a success. Each success shows that the service responds; only one whose request
	 * was sent since the pause began shows that it is no longer too busy.
	 */
	end(route: string, startedAt: number): void {
		for (const key of [route, undefined]) {
			const { begunAt = Infinity, because } = this.pauses.get(key) ?? {};
			if (startedAt > begunAt || !(because?.status ?? because?.retryAfter)) this.pauses.delete(key);
		}
	}

	/** The pause that holds requests of the route longest; undefined when nothing does. */
	of(route: string, now: number): Pause | undefined {
		const pauses = [this.pauses.get(route), this.pauses.get(undefined)];
		const held = pauses.filter((pause) => pause !== undefined && pause.until > now) as Pause[];
		return held.sort((one, other) => other.until - one.until)[0];
	}
}
