// How quickly the service answers while little is asked of it. Pure.
import type { ClockReading } from '../http/clock';
import { DelayStatistics } from './delayStatistics';

/** Delays that are on average up to so many times as long are taken for the unloaded service's too. */
const similarDelay = 1.1;

/** How many times as long as from the unloaded service answers took. */
export interface Slowdown {
	/** Less one standard error. */
	likely: number;
	/** Less three of them. */
	surely: number;
}

export class BaseDelays {
	/** By kind of request. */
	private readonly byRoute = new Map<string, DelayStatistics>();

	/**
	 * Compares, on average over the kinds of requests, and learns. The busier this process was itself, the likelier
	 * an answer had to wait for it: so large a share of its busy time is taken off.
	 * @param delays one or more, by kind
	 * @param busy share of the time, from 0 to 1, in which this process was busy
	 * @param areFew whether so few requests were under way that the service was hardly loaded
	 */
	slowdown(
		delays: ReadonlyMap<string, readonly ClockReading[]>,
		busy: number,
		areFew: boolean,
	): Slowdown {
		const all = [...delays.values()].reduce((sum, { length }) => sum + length, 0);
		const load: Slowdown = { likely: 0, surely: 0 };
		for (const [kind, seen] of delays) {
			const whole = DelayStatistics.of(seen.map(({ now }) => now));
			const ofService = DelayStatistics.of(seen.map(({ now, idle }) => now - busy * (now - idle)));
			const known = this.byRoute.get(kind) ?? whole;
			const share = seen.length / all;
			load.likely += share * ofService.comparedWith(known, -1);
			load.surely += share * ofService.comparedWith(known, -3);
			const isQuicker = whole.comparedWith(known, 3) < 1;
			if (known === whole || isQuicker) this.byRoute.set(kind, whole);
			else if (areFew && whole.comparedWith(known, 0) < similarDelay)
				this.byRoute.set(kind, known.mergedWith(whole));
		}
		return load;
	}
}
