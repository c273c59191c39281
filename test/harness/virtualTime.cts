// Time that passes when a test says so: no test waits for it or depends on the machine's speed.
import * as n8n from 'n8n-workflow';

import { nextTurn } from './eventLoop.cts';

interface Timer {
	/** By the virtual clock. */
	due: number;
	ring: () => void;
}

export interface VirtualTime {
	/** The clock that the nodes read. Real time does not move it. */
	readonly now: number;
	/** Lets time pass at once: everything due by then happens in order. */
	pass(milliseconds: number): void;
	/** Sets whether pauses pass on their own from now on in this test. */
	skipPauses(skip?: boolean): void;
	/** Resolves as soon as a node pauses, with the milliseconds that it would wait. */
	pauseBegins(): Promise<number>;
}

export interface VirtualTimeOptions {
	/** Whether the nodes' pauses before a retry pass on their own. */
	skipsPauses?: boolean;
	/** Milliseconds of the longest pause that passes on its own. Loops with longer ones would spin. */
	longestSkipped?: number;
}

/** The virtual clock. It never goes back, since the engine's modules live as long as the file. */
let clock = performance.now();

/** What each reading of the clock takes: what is done later has a later time. */
const reading = 0.001;

/** More than any test ever has at once. */
const mostTimers = 100_000;

/** Longer than the engine remembers anything. */
const betweenTests = 24 * 3_600_000;

/** Not a spy of jest: that would keep each of many thousand calls. @returns a function that undoes it */
function replace(object: object, name: string, replacement: PropertyDescriptor): () => void {
	const own = Object.getOwnPropertyDescriptor(object, name);
	Object.defineProperty(object, name, { configurable: true, ...replacement });
	return () =>
		void (own ? Object.defineProperty(object, name, own) : Reflect.deleteProperty(object, name));
}

/**
 * Gives each test of the file (or of the `describe` that calls this) a clock of its own. The engine knows time by
 * `performance.now()`, by n8n's `sleep()` in a pause, and by `AbortSignal.timeout()` in a time limit. A pause or a
 * limit ends when the test lets time pass; with `skipsPauses`, pauses end on their own, and the clock advances.
 */
export function useVirtualTime({
	skipsPauses = false,
	longestSkipped = Infinity,
}: VirtualTimeOptions = {}): VirtualTime {
	let timers: Timer[] = [];
	let skips = skipsPauses;
	let onPause: Array<(milliseconds: number) => void> = [];
	let restore: Array<() => void>;
	const now = () => (clock += reading);
	const pass = (milliseconds: number) => {
		const until = now() + Math.max(0, milliseconds);
		for (let rung = 0; ; rung++) {
			// Code that starts a new timer each time would never end.
			if (rung > mostTimers) throw new Error(`More than ${mostTimers} timers in one moment`);
			const [next] = timers.sort((a, b) => a.due - b.due);
			const at = next && next.due <= until ? next.due : until;
			clock = Math.max(clock, at);
			if (!next || next.due > until) return;
			timers.shift();
			next.ring();
		}
	};
	const start = (milliseconds: number, ring: () => void) =>
		void timers.push({ due: now() + milliseconds, ring });
	const pause = async (milliseconds = 0): Promise<void> => {
		if (milliseconds === 0) return void (await nextTurn());
		const over = new Promise<void>((resolve) => start(milliseconds, resolve));
		for (const told of onPause.splice(0)) told(milliseconds);
		const due = now() + milliseconds;
		if (skips && milliseconds <= longestSkipped) void nextTurn().then(() => pass(due - now()));
		await over;
	};

	beforeEach(() => {
		clock += betweenTests;
		timers = [];
		skips = skipsPauses;
		onPause = [];
		restore = [
			replace(performance, 'now', { writable: true, value: now }),
			replace(n8n, 'sleep', { get: () => pause }),
			replace(AbortSignal, 'timeout', {
				writable: true,
				value(milliseconds: number) {
					const timer = new AbortController();
					start(milliseconds, () => timer.abort());
					return timer.signal;
				},
			}),
		];
	});
	afterEach(() => {
		jest.restoreAllMocks();
		for (const undo of restore) undo();
	});

	return {
		get now() {
			return now();
		},
		pass,
		skipPauses(skip = true) {
			skips = skip;
		},
		pauseBegins: () => new Promise((resolve) => onPause.push(resolve)),
	};
}
