// Simulates processes that share a service, each with a congestion window of its own.
import { seededRandom } from '../../sandbox/random.mts';
import { SimulatedService, type ServiceModel } from './simulatedService.mts';
import { VirtualClock } from './virtualClock.mts';
import { SimulatedProcess } from './simulatedProcess.mts';

export interface Scenario extends ServiceModel {
	processes: number;
	/** How many requests each process sends. */
	requests: number;
	/** The milliseconds between the starts of two processes. */
	startInterval: number;
	/** The milliseconds by which the wall clocks of the processes are wrong at most. */
	maxClockError: number;
}

/** The load from this point in time on. */
export interface LoadSample {
	at: number;
	/** How many requests of each process are at the service or on their way. */
	inFlight: number[];
	/** How many requests wait at the service. */
	waiting: number;
}

export interface SimulationHistory extends Scenario {
	senders: SimulatedProcess[];
	samples: LoadSample[];
}

/** @param seed the seed of the random numbers: the same seed gives the same history */
export function simulate(scenario: Scenario, seed: number): SimulationHistory {
	const clock = new VirtualClock();
	const dice = seededRandom(seed);
	const service = new SimulatedService(scenario, clock, dice);
	const samples: LoadSample[] = [];
	const recordLoad = () =>
		samples.push({
			at: clock.now,
			inFlight: senders.map(({ inFlight }) => inFlight),
			waiting: service.waiting,
		});
	const senders = Array.from({ length: scenario.processes }, () => {
		const clockError = scenario.maxClockError * dice();
		return new SimulatedProcess(clock, service, dice, clockError, scenario.requests, recordLoad);
	});
	senders.forEach((sender, index) =>
		clock.after(index * scenario.startInterval, () => sender.start()),
	);
	clock.run();
	return { ...scenario, senders, samples };
}
