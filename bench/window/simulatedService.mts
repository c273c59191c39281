// A simulated service with a limited capacity.
import type { Random } from '../../sandbox/random.mts';
import type { VirtualClock } from './virtualClock.mts';

export interface ServiceModel {
	/** How many requests it works on at once. */
	capacity: number;
	/** The milliseconds it works on a request, on average. */
	serviceTime: number;
	/** How much that varies: the standard deviation of its logarithm. */
	spread: number;
	/** The milliseconds that the request and the answer take on the network together. */
	roundTrip: number;
	/** Whether requests beyond the capacity wait, first come, first served, or are refused. */
	whenFull: 'waits' | 'refuses';
}

/** A normally distributed random number (Box and Muller). */
const normal = (dice: Random): number =>
	Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());

export class SimulatedService {
	/** How many requests it is working on. */
	private working = 0;

	private readonly model: ServiceModel;
	private readonly clock: VirtualClock;
	private readonly dice: Random;

	private readonly queue: Array<() => void> = [];

	constructor(model: ServiceModel, clock: VirtualClock, dice: Random) {
		this.model = model;
		this.clock = clock;
		this.dice = dice;
	}

	/** How many requests have arrived and are not worked on yet. */
	get waiting(): number {
		return this.queue.length;
	}

	receive(answer: (isRefused: boolean) => void): void {
		const { capacity, roundTrip, whenFull } = this.model;
		const back = (isRefused: boolean) => this.clock.after(roundTrip / 2, () => answer(isRefused));
		this.clock.after(roundTrip / 2, () => {
			if (this.working < capacity) this.work(() => back(false));
			else if (whenFull === 'waits') this.queue.push(() => this.work(() => back(false)));
			else back(true);
		});
	}

	private work(done: () => void): void {
		const { serviceTime, spread } = this.model;
		this.working++;
		// The mean of a lognormal number is e to the mean of its logarithm and half its variance.
		const takes = serviceTime * Math.exp(spread * normal(this.dice) - spread ** 2 / 2);
		this.clock.after(takes, () => {
			this.working--;
			this.queue.shift()?.();
			done();
		});
	}
}
