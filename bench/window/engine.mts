// What is simulated with: the engine's own code, as it is built.
import { createRequire } from 'node:module';

import type * as SettingsModule from '../../engine/form/settings.ts';
import type * as PolicyModule from '../../engine/send/retryPolicy.ts';
import type * as WindowModule from '../../engine/send/congestionWindow.ts';
import type { Random } from '../../sandbox/random.mts';
import type { Time } from './time.mts';

const require = createRequire(import.meta.url);
const built = (path: string): unknown => require(`../../dist/engine/${path}.js`);

const { CongestionWindow, maxWindow } = built('send/congestionWindow') as typeof WindowModule;
const { retryDelay } = built('send/retryPolicy') as typeof PolicyModule;
const { defaultSettings } = built('form/settings') as typeof SettingsModule;

export { maxWindow };

const limits = {
	maxTries: Number(defaultSettings.maxTries),
	maxWait: Number(defaultSettings.maxWait) * 1000,
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
			const ticket = window.requestBegins(moment());
			return (isOverload) => {
				const took = time.now - began;
				const delay = { now: took, idle: took };
				window.requestEnds(ticket, 'create', { isOverload, delay }, moment());
			};
		},
	};
}

/** Milliseconds until a refused request is sent again; undefined when it was its last try. */
export const pauseAfter = (
	refused: { tries: number; waited: number },
	dice: Random,
): number | undefined =>
	retryDelay('POST', { maybeSent: true, status: 429 }, refused, limits, dice());
