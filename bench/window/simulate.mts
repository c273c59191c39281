// Workers that share a service, each with its own window: what happens.
import { seededRandom } from '../../sandbox/random.mts';
import { Service, type ServiceModel } from './service.mts';
import { Time } from './time.mts';
import { Worker } from './worker.mts';

export interface Scenario extends ServiceModel {
	workers: number;
	/** Requests each worker sends. */
	requests: number;
	/** Milliseconds from the beginning of one worker to that of the next. */
	apart: number;
}

/** What was under way from this time on. */
export interface Moment {
	at: number;
	/** By worker. */
	underWay: number[];
	/** In at the service and not worked on. */
	waiting: number;
}

export interface History extends Scenario {
	crew: Worker[];
	moments: Moment[];
}

/** @param seed of the dice: the same seed gives the same history */
export function simulate(scenario: Scenario, seed: number): History {
	const time = new Time();
	const dice = seededRandom(seed);
	const service = new Service(scenario, time, dice);
	const moments: Moment[] = [];
	const note = () =>
		moments.push({
			at: time.now,
			underWay: crew.map(({ underWay }) => underWay),
			waiting: service.waiting,
		});
	const crew = Array.from(
		{ length: scenario.workers },
		() => new Worker(time, service, dice, scenario.requests, note),
	);
	crew.forEach((worker, index) => time.after(index * scenario.apart, () => worker.start()));
	time.run();
	return { ...scenario, crew, moments };
}
