// A service that bears so much.
import type { Random } from '../../sandbox/random.mts';
import type { Time } from './time.mts';

export interface ServiceModel {
	/** Requests it works on at once. */
	capacity: number;
	/** Milliseconds it works on one, on average. */
	work: number;
	/** How much that varies: the standard deviation of its logarithm. */
	spread: number;
	/** Milliseconds there and back. */
	way: number;
	/** What becomes of requests beyond its capacity: they wait, first come, first served, or are refused. */
	beyond: 'waits' | 'refuses';
}

/** A normal number (Box and Muller). */
const normal = (dice: Random): number =>
	Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());

export class Service {
	/** Requests it works on. */
	private working = 0;

	private readonly model: ServiceModel;
	private readonly time: Time;
	private readonly dice: Random;

	private readonly line: Array<() => void> = [];

	constructor(model: ServiceModel, time: Time, dice: Random) {
		this.model = model;
		this.time = time;
		this.dice = dice;
	}

	/** Requests that are in and not worked on. */
	get waiting(): number {
		return this.line.length;
	}

	ask(answer: (isRefused: boolean) => void): void {
		const { capacity, way, beyond } = this.model;
		const back = (isRefused: boolean) => this.time.after(way / 2, () => answer(isRefused));
		this.time.after(way / 2, () => {
			if (this.working < capacity) this.work(() => back(false));
			else if (beyond === 'waits') this.line.push(() => this.work(() => back(false)));
			else back(true);
		});
	}

	private work(done: () => void): void {
		const { work, spread } = this.model;
		this.working++;
		// The mean of a lognormal number is e to the mean of its logarithm and half its variance.
		const takes = work * Math.exp(spread * normal(this.dice) - spread ** 2 / 2);
		this.time.after(takes, () => {
			this.working--;
			this.line.shift()?.();
			done();
		});
	}
}
