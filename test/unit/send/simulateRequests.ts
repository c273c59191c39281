// A simulation of processes that send requests to a service. Each process has one core: what it does with one request
// waits for what it does with others, and all that it sends in one turn of its event loop leaves at the end of the turn.
import { maxBegunInTurn } from '../../../engine/send/accountQueue';
import { CongestionWindow, maxWindow } from '../../../engine/send/congestionWindow';
import { seededRandom } from '../../../sandbox/random.mts';

export type Random = () => number;

/** What a service does, and who sends to it. */
export interface Scenario {
	/** How many requests it works on at once; the others wait, first come, first served. */
	capacity: number;
	/** The milliseconds that it works on a request: the nth of all, at a moment. */
	takes: (dice: Random, at: number, nth: number) => number;
	/** How many requests each process sends. */
	requests: number;
	processes?: number;
	/** The milliseconds between the starts of two processes. */
	startInterval?: number;
	/** The milliseconds that a request and its answer are on their way together. */
	roundTrip?: number;
	/** The milliseconds of processor time that a request costs its process. */
	cpu?: number;
	/** The milliseconds of each second for which a process stands still. */
	standsStill?: number;
}

/** The share of the processor time that beginning a request costs. */
const shareOfBegin = 0.6;

/** The first requests cost so many times more, until Node.js has compiled what they run. */
const coldness = 8;
const requestsUntilWarm = 20;

/** Node.js waits so many milliseconds for a timer of 0. */
const shortestTimer = 1;

/** A lognormal number with this mean; `spread` is the standard deviation of its logarithm. */
export const around = (mean: number, spread: number, dice: Random): number => {
	const normal = Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());
	return mean * Math.exp(spread * normal - spread ** 2 / 2);
};

/** Happens in the order of time. */
class Events {
	now = 0;
	private readonly heap: Array<{ at: number; happens: () => void }> = [];

	after(milliseconds: number, happens: () => void): void {
		const { heap } = this;
		const event = { at: this.now + milliseconds, happens };
		let place = heap.push(event) - 1;
		for (let above = (place - 1) >> 1; place > 0 && heap[above]!.at > event.at; ) {
			heap[place] = heap[above]!;
			place = above;
			above = (place - 1) >> 1;
		}
		heap[place] = event;
	}

	run(): void {
		const { heap } = this;
		while (heap.length > 0) {
			const [next] = heap;
			const last = heap.pop()!;
			if (heap.length > 0) {
				let place = 0;
				for (;;) {
					let below = 2 * place + 1;
					if (below + 1 < heap.length && heap[below + 1]!.at < heap[below]!.at) below++;
					if (below >= heap.length || heap[below]!.at >= last.at) break;
					heap[place] = heap[below]!;
					place = below;
				}
				heap[place] = last;
			}
			this.now = next!.at;
			next!.happens();
		}
	}
}

class Service {
	private readonly queue: Array<() => void> = [];
	private working = 0;
	private arrived = 0;
	mostWaiting = 0;
	private changedAt = 0;
	/** How many milliseconds so many requests waited. */
	private readonly waited: number[] = [];

	constructor(
		private readonly events: Events,
		private readonly scenario: Scenario,
		private readonly dice: Random,
	) {}

	private noteWaiting(): void {
		const { waited, queue, events } = this;
		waited[queue.length] = (waited[queue.length] ?? 0) + events.now - this.changedAt;
		this.changedAt = events.now;
	}

	private work(answer: () => void): void {
		this.working++;
		this.events.after(this.scenario.takes(this.dice, this.events.now, this.arrived++), () => {
			this.working--;
			this.noteWaiting();
			this.queue.shift()?.();
			answer();
		});
	}

	receive(answer: () => void): void {
		if (this.working < this.scenario.capacity) return this.work(answer);
		this.noteWaiting();
		this.queue.push(() => this.work(answer));
		this.mostWaiting = Math.max(this.mostWaiting, this.queue.length);
	}

	get medianWaiting(): number {
		const half = this.waited.reduce((all, time) => all + time, 0) / 2;
		let [time, waiting] = [0, -1];
		while (time < half) time += this.waited[++waiting] ?? 0;
		return waiting;
	}
}

/** One core, and the event loop of Node.js on it. */
class Sender {
	readonly done: number[] = [];
	private readonly window = new CongestionWindow();
	private sent = 0;
	private ready: Array<() => void> = [];
	private isTurnDue = false;
	/** Until when it is busy. */
	private freeAt = 0;
	/** While a turn lasts: what time it is. */
	private clock = 0;
	private begunInTurn = 0;
	private leaving: Array<() => void> = [];
	mostConnections = 0;

	constructor(
		private readonly events: Events,
		private readonly scenario: Scenario,
		private readonly service: Service,
	) {}

	/** Has something done in the next turn. */
	enqueue(work: () => void): void {
		this.ready.push(work);
		if (this.isTurnDue) return;
		this.isTurnDue = true;
		const { now } = this.events;
		const { standsStill = 0 } = this.scenario;
		let begin = Math.max(now, this.freeAt);
		if (begin % 1000 < standsStill) begin += standsStill - (begin % 1000);
		this.events.after(begin - now, () => this.turn());
	}

	private turn(): void {
		this.isTurnDue = false;
		this.begunInTurn = 0;
		this.clock = this.events.now;
		for (const work of this.ready.splice(0)) work();
		this.freeAt = this.clock;
		const turnTook = this.clock - this.events.now;
		for (const leave of this.leaving.splice(0)) this.events.after(turnTook, leave);
		// What became ready during the turn waits until it is over.
		if (this.ready.length > 0 && !this.isTurnDue) this.enqueue(this.ready.pop()!);
	}

	private get inFlight(): number {
		return this.sent - this.done.length;
	}

	/** Begins as many requests as may begin. */
	readonly begin = (): void => {
		const { scenario, window, service, events } = this;
		const { cpu = 0, roundTrip = 10 } = scenario;
		while (this.sent < scenario.requests && this.inFlight < maxWindow && window.admits(true)) {
			if (this.begunInTurn >= maxBegunInTurn) {
				events.after(this.clock - events.now + shortestTimer, () => this.enqueue(this.begin));
				return;
			}
			this.begunInTurn++;
			this.sent++;
			this.mostConnections = Math.max(this.mostConnections, this.inFlight);
			const costs = cpu * (1 + coldness * Math.exp(-this.sent / requestsUntilWarm));
			this.clock += costs * shareOfBegin;
			const begunAt = this.clock;
			const request = window.begin('POST /shiftschedules', begunAt);
			const receive = () => {
				this.clock += costs * (1 - shareOfBegin);
				window.end(request, { isOverload: false, delay: this.clock - begunAt });
				this.done.push(this.clock);
				this.begin();
			};
			const answer = () => events.after(roundTrip / 2, () => this.enqueue(receive));
			this.leaving.push(() => events.after(roundTrip / 2, () => service.receive(answer)));
		}
	};
}

export function simulate(scenario: Scenario, seed: number) {
	const { processes = 1, startInterval = 0 } = scenario;
	const dice = seededRandom(seed);
	const events = new Events();
	const service = new Service(events, scenario, dice);
	const senders = Array.from({ length: processes }, (_, index) => {
		const sender = new Sender(events, scenario, service);
		events.after(index * startInterval, () => sender.enqueue(sender.begin));
		return sender;
	});
	events.run();

	const from = (processes - 1) * startInterval;
	const to = Math.min(...senders.map(({ done }) => done.at(-1)!));
	const shares = senders.map(({ done }) => done.filter((at) => at >= from && at < to).length);
	const sum = shares.reduce((all, share) => all + share, 0);
	const all = senders.flatMap(({ done }) => done).sort((one, other) => one - other);
	const almostAll = Math.ceil(all.length * 0.99);
	return {
		seconds: all.at(-1)! / 1000,
		perSecond: (1000 * almostAll) / all[almostAll - 1]!,
		medianWaiting: service.medianWaiting,
		mostWaiting: service.mostWaiting,
		/** Jain's index while all were sending: 1 when all have the same, 1/n when one has all. */
		fairness: sum ** 2 / (processes * shares.reduce((squares, share) => squares + share ** 2, 0)),
		connections: Math.max(...senders.map(({ mostConnections }) => mostConnections)),
	};
}

export type Figures = ReturnType<typeof simulate>;
