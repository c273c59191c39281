// The simulation uses the engine's own code, as it is built.
import { createRequire } from 'node:module';

import type * as SettingsModule from '../../engine/form/settings.ts';
import type * as PolicyModule from '../../engine/send/retryPolicy.ts';
import type * as WindowModule from '../../engine/send/congestionWindow.ts';
import type { Random } from '../../sandbox/random.mts';
import type { VirtualClock } from './virtualClock.mts';

const require = createRequire(import.meta.url);
const built = (path: string): unknown => require(`../../dist/engine/${path}.js`);

const { CongestionWindow, maxWindow } = built('send/congestionWindow') as typeof WindowModule;
const policy = built('send/retryPolicy') as typeof PolicyModule;
const { defaultSettings } = built('form/settings') as typeof SettingsModule;

export { maxWindow };

const limits = {
	maxTries: Number(defaultSettings.maxTries),
	maxWait: Number(defaultSettings.maxWait) * 1000,
};

/** A congestion window: what one process has learned of how many requests at once the service bears. */
export interface SimulatedWindow {
	readonly admits: boolean;
	/** Begins a request. @returns a function to call when the request has ended */
	begin: () => (isRefused: boolean) => void;
}

/**
 * Creates the window of a process that only sends creates and is never busy with anything else.
 * @param clockError milliseconds by which the wall clock of its machine is wrong
 */
export function createWindow(clock: VirtualClock, clockError: number): SimulatedWindow {
	const window = new CongestionWindow(clockError);
	const moment = () => ({ now: clock.now, idle: clock.now });
	return {
		get admits() {
			return window.admits(true, moment());
		},
		begin() {
			const began = clock.now;
			const ticket = window.requestBegins(moment());
			return (isOverload) => {
				const took = clock.now - began;
				const delay = { now: took, idle: took };
				window.requestEnds(ticket, 'create', { isOverload, delay }, moment());
			};
		},
	};
}

/** @returns the milliseconds until a refused request is sent again, or undefined when that was its last try */
export const retryDelay = (
	refused: { tries: number; waited: number },
	dice: Random,
): number | undefined =>
	policy.retryDelay('POST', { maybeSent: true, status: 429 }, refused, limits, dice());
