// What is simulated with: the engine's own code, as it is built.
import { createRequire } from 'node:module';

import type * as SettingsModule from '../../engine/form/settings.ts';
import type * as PolicyModule from '../../engine/send/policy.ts';
import type * as WindowModule from '../../engine/send/window.ts';
import type { Random } from '../../sandbox/random.mts';
import type { Time } from './time.mts';

const require = createRequire(import.meta.url);
const built = (path: string): unknown => require(`../../dist/engine/${path}.js`);

const { CongestionWindow, widest } = built('send/window') as typeof WindowModule;
const { nextTry } = built('send/policy') as typeof PolicyModule;
const { defaults } = built('form/settings') as typeof SettingsModule;

export { widest };

const limits = {
	maxTries: Number(defaults.maxTries),
	maxWait: Number(defaults.maxWait) * 1000,
};

/** What one worker has learned of how much the service bears. */
export interface Window {
	readonly admits: boolean;
	/** @returns a function that tells how the request ended */
	begin: () => (isRefused: boolean) => void;
}

/** The window of a process that is never busy itself, and only writes. */
export function windowIn(time: Time): Window {
	const window = new CongestionWindow();
	const moment = () => ({ now: time.now, idle: time.now });
	return {
		get admits() {
			return window.admits(true);
		},
		begin() {
			const began = time.now;
			const ticket = window.begin(moment());
			return (isSetback) => {
				const took = time.now - began;
				const delay = { now: took, idle: took };
				window.end(ticket, 'create', { isSetback, delay }, moment());
			};
		},
	};
}

/** Milliseconds until a refused request is sent again; undefined when it was its last try. */
export const pauseAfter = (
	refused: { tries: number; waited: number },
	dice: Random,
): number | undefined => nextTry('POST', { sent: true, status: 429 }, refused, limits, dice());
