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
	 * Compares, on average over the kinds of requests, and learns. Of the time in which this process was busy
	 * nobody can tell what it was: it counts neither for a slow service nor for a quick one.
	 * @param delays one or more, by kind
	 * @param areFew whether so few requests were under way that the service was hardly loaded
	 */
	load(delays: ReadonlyMap<string, readonly Moment[]>, areFew: boolean): Load {
		const all = [...delays.values()].reduce((sum, { length }) => sum + length, 0);
		const load: Load = { likely: 0, surely: 0 };
		for (const [kind, seen] of delays) {
			const most = Delays.of(seen.map(({ now }) => now));
			const least = Delays.of(seen.map(({ idle }) => idle));
			const known = this.known.get(kind) ?? most;
			const share = seen.length / all;
			load.likely += share * least.comparedWith(known, -1);
			load.surely += share * least.comparedWith(known, -3);
			const isQuicker = most.comparedWith(known, 3) < 1;
			if (known === most || isQuicker) this.known.set(kind, most);
			else if (areFew && most.comparedWith(known, 0) < alike) this.known.set(kind, known.and(most));
		}
		return load;
	}
}
