// Learns how quickly the service answers while little is asked of it (its base delays, as LEDBAT calls them), and
// compares newer answers with that. Pure: no clock, no network.
import type { ClockReading } from '../http/clock';
import { DelayStatistics } from './delayStatistics';

/** Delays that are on average at most this many times as long are taken for base delays too. */
const similarDelay = 1.1;

/** A base delay counts for at most so many times as many answers as those that it is merged with. */
const maxWeight = 4;

/**
 * Milliseconds for which each slowdown has shown longer delays, after which they are taken for the base delay: the
 * service has become slower. A shorter time would be wrong where other processes are not slow at the same moment,
 * for each would take the load of the others for the base delay.
 */
const relearnAfter = 60_000;

/** Delays by the route of the requests: they are only compared within a route. */
export type DelaysByRoute = ReadonlyMap<string, readonly ClockReading[]>;

interface BaseDelay {
	delays: DelayStatistics;
	/** Since when slowdowns have shown longer delays. */
	tooShortSince?: number;
}

export class BaseDelays {
	private readonly byRoute = new Map<string, BaseDelay>();

	/** Milliseconds: the longest of all routes. */
	get longest(): number {
		return Math.max(0, ...[...this.byRoute.values()].map(({ delays }) => delays.typical));
	}

	/**
	 * Compares the delays with the base delays of their routes, and learns from them where they are lower. The busier
	 * this process was itself, the likelier it is that an answer had to wait for the process: the same share of the
	 * busy time is taken off each delay.
	 * @param delaysByRoute one or more delays for each route
	 * @param busyShare share of the time, from 0 to 1, in which this process was busy
	 * @param isLightlyLoaded whether so few requests were under way that the service had hardly any load
	 * @returns how many times as long the answers took: the average over the routes, weighted by answers, of the
	 * estimates less two standard errors
	 */
	observe(delaysByRoute: DelaysByRoute, busyShare: number, isLightlyLoaded: boolean): number {
		const total = [...delaysByRoute.values()].reduce((sum, { length }) => sum + length, 0);
		let ratio = 0;
		for (const [route, delays] of delaysByRoute) {
			const measured = DelayStatistics.of(delays.map(({ now }) => now));
			const lessBusyTime = DelayStatistics.of(
				delays.map(({ now, idle }) => now - busyShare * (now - idle)),
			);
			const base = this.byRoute.get(route)?.delays ?? measured;
			ratio += (delays.length / total) * lessBusyTime.ratioTo(base, -2);
			const isQuicker = measured.ratioTo(base, 3) < 1;
			if (base === measured || isQuicker) this.byRoute.set(route, { delays: measured });
			else if (isLightlyLoaded && measured.ratioTo(base, 0) < similarDelay)
				this.byRoute.set(route, { delays: base.mergedWith(measured) });
		}
		return ratio;
	}

	/**
	 * Learns from the answers during a slowdown.
	 * @param now milliseconds, by the clock of the delays
	 * @returns whether a base delay was found to be another one than was known
	 */
	learn(delaysByRoute: DelaysByRoute, now: number): boolean {
		let isNews = false;
		for (const [route, delays] of delaysByRoute) {
			const measured = DelayStatistics.of(delays.map((delay) => delay.now));
			const base = this.byRoute.get(route);
			const comparison = base && measured.comparedWith(base.delays);
			if (base && comparison === 'higher') {
				base.tooShortSince ??= now;
				if (now - base.tooShortSince < relearnAfter) continue;
			}
			const isSimilar = base && comparison === 'similar';
			isNews ||= !isSimilar;
			const learned = isSimilar
				? base.delays.countingAtMost(maxWeight * measured.count).mergedWith(measured)
				: measured;
			this.byRoute.set(route, { delays: learned });
		}
		return isNews;
	}
}
