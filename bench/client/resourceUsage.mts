// Measures what this process uses while it works.
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { ResourceUsage } from './measurement.mts';

const rss = () => process.memoryUsage.rss();

/**
 * Begins a measurement. Preparation should be done before it.
 * @returns a function that ends the measurement
 */
export function measureResources(): () => ResourceUsage {
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
