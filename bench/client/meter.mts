// Measures a process while it works.
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Figures } from './task.mts';

const rss = () => process.memoryUsage.rss();

/** @returns a function that ends the measurement; what came before the call is preparation */
export function startMeter(): () => Figures {
	globalThis.gc!();
	const idle = rss();
	let peak = idle;
	const sampling = setInterval(() => (peak = Math.max(peak, rss())), 10);
	const loop = monitorEventLoopDelay({ resolution: 5 });
	loop.enable();
	const cpu = process.cpuUsage();
	const started = performance.now();
	return () => {
		const milliseconds = performance.now() - started;
		const { user, system } = process.cpuUsage(cpu);
		clearInterval(sampling);
		loop.disable();
		return {
			milliseconds,
			cpu: (user + system) / 1000,
			megabytes: (Math.max(peak, rss()) - idle) / 1024 / 1024,
			stall: loop.max / 1e6,
		};
	};
}
