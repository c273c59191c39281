// A simulated world: its time and chance come from a seed. Everything that happens is an event; chance orders events of
// the same moment.

import type fc from 'fast-check';

/** The plan of the worlds of a kind. */
export type PlanOf<Plans> = Plans extends fc.Arbitrary<infer Plan> ? Plan : never;

interface Event {
	due: number;
	/** The process in which it happens, if any: a dead process does nothing more, and a suspended one acts later. */
	process?: Place;
	happen: () => void;
}

/** The world's state of a process. */
export interface Place {
	/** In the world's story. */
	readonly name: string;
	isDead: boolean;
	/** The end of its suspension. */
	suspendedUntil: number;
	/** Called before each of its events: it may die or be suspended then. */
	onStep: () => void;
}

/** More events than any world has; a world with more never ends. */
const maxEvents = 250_000;

/** The maximum number of timers left when all is done. */
const maxEventsAtEnd = 10_000;

/** The maximum number of lines of a story, and of broken laws. */
const maxTold = 200;

/** The maximum head start, in milliseconds, of an event over another of the same moment. */
const maxJitter = 0.5;

// jest looks up each global name every time, which takes longer than using it.
const { imul } = Math;
const nextTurn = setImmediate;

/** Runs everything that is ready in this process: promises and the streams' ticks. */
const comeToRest = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));

export class World {
	/** Milliseconds since it began. */
	now = 0;

	/** The story, for people who look for the reason of a broken law. */
	private readonly story: string[] = [];

	private readonly broken: string[] = [];

	/** Sorted by when they are due, the next one last. */
	private readonly events: Event[] = [];

	private state: number;

	constructor(seed: number) {
		this.state = seed | 0;
	}

	/** The system clock, in milliseconds since 1970. */
	get wallClock(): number {
		return Date.UTC(2026, 0, 1) + this.now;
	}

	tell(text: string): void {
		this.story.push(`${Math.round(this.now)} ms: ${text}`);
	}

	/** @param law what must hold, and does not if `isSo` is false */
	demand(isSo: boolean, law: string): void {
		if (isSo) return;
		this.broken.push(law);
		this.tell(`BROKEN: ${law}`);
	}

	/** Lets all remaining events happen. @throws Error with the story, if a law was broken */
	async end(): Promise<void> {
		await this.rest();
		if (this.broken.length > 0) throw this.failure(...this.broken.slice(0, maxTold));
	}

	private failure(...why: string[]): Error {
		return new Error([...why, 'The story:', ...this.story.slice(0, maxTold)].join('\n'));
	}

	/** From 0 to below 1 (mulberry32). */
	random(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	between(least: number, most: number): number {
		return least + this.random() * (most - least);
	}

	oneOf<Value>(values: readonly Value[]): Value {
		return values[Math.floor(this.random() * values.length)]!;
	}

	/** @param process the process in which it happens; without it, elsewhere, such as in the service or database */
	after(milliseconds: number, happen: () => void, process?: Place): void {
		this.add({ due: this.now + milliseconds + this.random() * maxJitter, process, happen });
	}

	/** Resolves in a process after some time. */
	pause(milliseconds: number, process?: Place): Promise<void> {
		return new Promise((resolve) => this.after(milliseconds, resolve, process));
	}

	private add(event: Event): void {
		let [low, high] = [0, this.events.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.events[middle]!.due > event.due) low = middle + 1;
			else high = middle;
		}
		this.events.splice(low, 0, event);
	}

	/**
	 * Lets events happen until work is done. @throws Error if the work waits for something that never happens, or never
	 * ends
	 */
	async until<Value>(work: Promise<Value>): Promise<Value> {
		let isDone = false;
		const done = work.finally(() => (isDone = true));
		done.catch(() => {});
		await comeToRest();
		for (let count = 0; !isDone; count++) {
			const event = this.events.pop();
			if (!event) throw this.failure('The world waits for what never happens');
			if (count > maxEvents) throw this.failure('The world does not end');
			await this.happen(event);
		}
		return await done;
	}

	private async rest(): Promise<void> {
		let count = 0;
		for (let event = this.events.pop(); event; event = this.events.pop()) {
			// A timer that is no longer needed restarts itself.
			if (++count > maxEventsAtEnd) throw new Error('The world does not come to rest');
			await this.happen(event);
		}
	}

	private async happen({ due, process, happen }: Event): Promise<void> {
		this.now = Math.max(this.now, due);
		if (process?.isDead) return;
		const isSuspended = () => process !== undefined && process.suspendedUntil > this.now;
		if (!isSuspended()) process?.onStep();
		if (process?.isDead) return await comeToRest();
		if (isSuspended()) {
			const later = process!.suspendedUntil + this.random() * maxJitter;
			this.add({ due: later, process, happen });
			return;
		}
		happen();
		await comeToRest();
	}
}
