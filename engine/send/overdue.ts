// When a request is overdue: it has had no answer for so long that it should hold nothing up any more. As TCP learns
// when a packet counts as lost (RFC 6298). Pure: no clock, no network.

/** Milliseconds for a route that has not answered yet: some seconds, since a large list or bulk request takes them. */
export const whileUnknown = 10_000;

/** Milliseconds at least, however quick the answers were (RFC 6298 §2.4). */
const atLeast = 1000;

/** Milliseconds at most, however often nothing came. */
const atMost = 300_000;

/** A delay changes the smoothed one, and its variation, by these shares (RFC 6298 §2.3). */
const [delayShare, variationShare] = [1 / 8, 1 / 4];

/** A route may differ from its smoothed delay by so many variations. */
const variations = 4;

interface RouteDelay {
	smoothed: number;
	variation: number;
}

export class OverdueTimes {
	private readonly byRoute = new Map<string, RouteDelay>();

	/** How often requests of a route have been overdue since its last answer: each time doubles the time (§5.5). */
	private readonly backoffs = new Map<string, { doublings: number; since: number }>();

	/**
	 * @param delay milliseconds until a success was answered; undefined for other answers, which may come sooner than
	 * successes do
	 */
	noteAnswer(route: string, delay: number | undefined): void {
		this.backoffs.delete(route);
		if (delay === undefined) return;
		const known = this.byRoute.get(route);
		if (!known) return void this.byRoute.set(route, { smoothed: delay, variation: delay / 2 });
		known.variation += variationShare * (Math.abs(known.smoothed - delay) - known.variation);
		known.smoothed += delayShare * (delay - known.smoothed);
	}

	/**
	 * @param begunAt when the overdue request began, and `now` by the same clock: those that were under way together
	 * double the time once
	 */
	noteOverdue(route: string, begunAt: number, now: number): void {
		const { doublings, since } = this.backoffs.get(route) ?? { doublings: 0, since: -Infinity };
		if (begunAt >= since) this.backoffs.set(route, { doublings: doublings + 1, since: now });
	}

	/** @returns milliseconds after which a request of the route is overdue */
	after(route: string): number {
		const known = this.byRoute.get(route);
		const usual = known
			? Math.max(atLeast, known.smoothed + variations * known.variation)
			: whileUnknown;
		return Math.min(atMost, usual * 2 ** (this.backoffs.get(route)?.doublings ?? 0));
	}
}
