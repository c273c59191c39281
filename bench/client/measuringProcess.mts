// Makes one measurement in a process of its own. Its argument is a MeasurementTask as JSON, and it prints what the work
// took as JSON.
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { useDefaultExpressions } from '../../n8n-in-process/n8n.mts';
import { isAgain } from '../measures.mts';
import { nodeClient, type MeasurementTask, type PreparedWork } from './nodeClient.mts';

/** @returns a function that ends the measurement and returns what this process has used since */
function startMeter() {
	const rss = () => process.memoryUsage.rss();
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

const task = JSON.parse(process.argv[2]!) as MeasurementTask;
const { variant, items, files } = task;

/** Enough items for all code to be loaded and compiled. */
const warmUpItems = 200;

const client = await nodeClient(task);

/** Does work that is not measured. */
async function doBefore(ready: Promise<PreparedWork>): Promise<void> {
	const work = await ready;
	if ((await work()) > 0) throw new Error('The work before the measurement failed');
}

// Another account warms up, so that the measured account starts without any knowledge of the service.
await doBefore(client.prepare('other', files ? 1 : Math.min(warmUpItems, items), files?.small));
await client.signIn();
if (isAgain(variant)) await doBefore(client.prepare('measured', items, files?.measured));

const work = await client.prepare('measured', items, files?.measured);
const stop = startMeter();
const failed = await work();
console.log(JSON.stringify({ ...stop(), failed }));
// A process that exits while n8n's expression engine is loaded may crash.
await useDefaultExpressions();
process.exit();
