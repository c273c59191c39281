// How quickly the service answers while little is asked of it. Pure.
import type { Moment } from '../http/clock';
import { Delays } from './delays';

/** Delays that are on average up to so many times as long are taken for the unloaded service's too. */
const alike = 1.1;

/** How many times as long as from the unloaded service answers took. */
export interface Load {
	/** Less one standard error. */
	likely: number;
	/** Less three of them. */
	surely: number;
}

export class Unloaded {
	/** By kind of request. */
	private readonly known = new Map<string, Delays>();

	/**
	 * Compares, on average over the kinds of requests, and learns. The busier this process was itself, the likelier
	 * an answer had to wait for it: so large a share of its busy time is taken off.
	 * @param delays one or more, by kind
	 * @param busy share of the time, from 0 to 1, in which this process was busy
	 * @param areFew whether so few requests were under way that the service was hardly loaded
	 */
	load(delays: ReadonlyMap<string, readonly Moment[]>, busy: number, areFew: boolean): Load {
		const all = [...delays.values()].reduce((sum, { length }) => sum + length, 0);
		const load: Load = { likely: 0, surely: 0 };
		for (const [kind, seen] of delays) {
			const whole = Delays.of(seen.map(({ now }) => now));
			const ofService = Delays.of(seen.map(({ now, idle }) => now - busy * (now - idle)));
			const known = this.known.get(kind) ?? whole;
			const share = seen.length / all;
			load.likely += share * ofService.comparedWith(known, -1);
			load.surely += share * ofService.comparedWith(known, -3);
			const isQuicker = whole.comparedWith(known, 3) < 1;
			if (known === whole || isQuicker) this.known.set(kind, whole);
			else if (areFew && whole.comparedWith(known, 0) < alike)
				this.known.set(kind, known.and(whole));
		}
		return load;
	}
}
