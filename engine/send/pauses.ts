// How long requests to one account wait because the service asked for it (Retry-After). Pure: no clock, no network.
//
// What one route is refused says little of the others: a gateway may limit each route by itself. So a long wait holds
// the route that was asked, and the others for a moment only, unless a second route is asked to wait as well.

/** Milliseconds. After an hour the service is asked again, however long it asked to wait. */
const maxPause = 3_600_000;

/** Milliseconds for which one route's wait holds the other routes. */
export const maxPauseOfOthers = 10_000;

/** Who was asked to wait. */
export interface AskedToWait {
	/** The route of the request that was asked; undefined when all routes were, as by a sign-in. */
	ofRoute?: string;
	/** Whether a quota is used up, which holds all routes. */
	isQuotaUsedUp?: boolean;
}

/** All times are milliseconds by one clock. */
export interface Pause {
	until: number;
	/** The route that was asked to wait; undefined where all were. */
	askedOf?: string;
	/** When the quota is replenished, where that is what is waited for: later than the pause ends, perhaps. */
	quotaEndsAt?: number;
}

const later = (one: Pause, other: Pause): Pause => (other.until > one.until ? other : one);

export class Pauses {
	private ofAll: Pause = { until: -Infinity };

	private readonly byRoute = new Map<string, Pause>();

	/**
	 * A shorter pause does not end a longer one.
	 * @param now, milliseconds by the clock
	 */
	begin(now: number, milliseconds: number, { ofRoute, isQuotaUsedUp }: AskedToWait = {}): void {
		const until = now + Math.min(milliseconds, maxPause);
		const holdAll = (pause: Pause) => (this.ofAll = later(this.ofAll, pause));
		if (isQuotaUsedUp) return void holdAll({ until, quotaEndsAt: now + milliseconds });
		const pause: Pause = { until, askedOf: ofRoute };
		if (ofRoute === undefined) return void holdAll(pause);
		holdAll({ ...pause, until: Math.min(until, now + maxPauseOfOthers) });
		// Two routes say that nothing may be sent until the earlier of both times.
		for (const [route, other] of this.byRoute) {
			if (route !== ofRoute) holdAll(other.until < until ? other : pause);
		}
		this.byRoute.set(ofRoute, later(this.byRoute.get(ofRoute) ?? pause, pause));
	}

	/** The pause that holds requests of the route longest; it may be over. */
	of(route: string): Pause {
		return later(this.ofAll, this.byRoute.get(route) ?? this.ofAll);
	}
}
