// How long requests to one account wait because the service asked for it (Retry-After). Pure: no clock, no network.
//
// What one route is refused says little of the others: a gateway may limit each route by itself. So a long wait holds
// the route that was asked, and the others for a moment only, unless a second route is asked to wait as well.

/** Milliseconds. After an hour the service is asked again, however long it asked to wait. */
const maxPause = 3_600_000;

/** Milliseconds for which one route's wait holds the other routes. */
export const maxPauseOfOthers = 10_000;

/** A time until which requests wait. */
export interface Pause {
	until: number;
	/** The route that was asked to wait; undefined where all were. */
	askedOf?: string;
}

const later = (one: Pause, other: Pause): Pause => (other.until > one.until ? other : one);

export class Pauses {
	private ofAll: Pause = { until: -Infinity };

	private readonly byRoute = new Map<string, Pause>();

	/**
	 * A shorter pause does not end a longer one.
	 * @param now, milliseconds both
	 * @param route the route that is asked to wait; undefined when all are, as by a quota
	 */
	begin(now: number, milliseconds: number, route: string | undefined): void {
		const pause = { until: now + Math.min(milliseconds, maxPause), askedOf: route };
		if (route === undefined) this.ofAll = later(this.ofAll, pause);
		else {
			const brief = { ...pause, until: Math.min(pause.until, now + maxPauseOfOthers) };
			this.ofAll = later(this.ofAll, brief);
			// Two routes say that nothing may be sent until the earlier of both times.
			for (const [otherRoute, other] of this.byRoute) {
				if (other.until <= now) this.byRoute.delete(otherRoute);
				else if (otherRoute !== route)
					this.ofAll = later(this.ofAll, other.until < pause.until ? other : pause);
			}
			this.byRoute.set(route, later(this.byRoute.get(route) ?? pause, pause));
		}
	}

	/** @returns the pause of the route's requests; it may be over */
	of(route: string): Pause {
		return later(this.ofAll, this.byRoute.get(route) ?? this.ofAll);
	}
}
