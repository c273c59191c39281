// Learns how quickly the service answers while little is asked of it (its base delays, as LEDBAT calls them), and
// compares newer answers with that. Pure: no clock, no network.
import type { ClockReading } from '../http/clock';
import { DelayStatistics } from './delayStatistics';

/** Delays that are on average at most this many times as long are taken for base delays too. */
const similarDelay = 1.1;

/** How many times as long as the base delay the answers took. */
export interface Slowdown {
	/** The estimate less one standard error. */
	likelyAtLeast: number;
	/** The estimate less three standard errors. */
	surelyAtLeast: number;
}

export class BaseDelays {
	private readonly byRoute = new Map<string, DelayStatistics>();

	/**
	 * Compares the delays with the base delays of their routes, and learns from them. The slowdown is the average
	 * over the routes, weighted by answers. The busier this process was itself, the likelier it is that an answer
	 * had to wait for the process: the same share of the busy time is taken off each delay.
	 * @param delaysByRoute one or more delays for each route
	 * @param busyShare share of the time, from 0 to 1, in which this process was busy
	 * @param isLightlyLoaded whether so few requests were under way that the service had hardly any load
	 */
	observe(
		delaysByRoute: ReadonlyMap<string, readonly ClockReading[]>,
		busyShare: number,
		isLightlyLoaded: boolean,
	): Slowdown {
		const total = [...delaysByRoute.values()].reduce((sum, { length }) => sum + length, 0);
		const slowdown: Slowdown = { likelyAtLeast: 0, surelyAtLeast: 0 };
		for (const [route, delays] of delaysByRoute) {
			const measured = DelayStatistics.of(delays.map(({ now }) => now));
			const lessBusyTime = DelayStatistics.of(
				delays.map(({ now, idle }) => now - busyShare * (now - idle)),
			);
			const base = this.byRoute.get(route) ?? measured;
			const weight = delays.length / total;
			slowdown.likelyAtLeast += weight * lessBusyTime.ratioTo(base, -1);
			slowdown.surelyAtLeast += weight * lessBusyTime.ratioTo(base, -3);
			const isQuicker = measured.ratioTo(base, 3) < 1;
			if (base === measured || isQuicker) this.byRoute.set(route, measured);
			else if (isLightlyLoaded && measured.ratioTo(base, 0) < similarDelay)
				this.byRoute.set(route, base.mergedWith(measured));
		}
		return slowdown;
	}
}
