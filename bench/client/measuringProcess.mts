// Makes one measurement in a process of its own. Its argument is a MeasurementTask as JSON, and it prints a
// Measurement as JSON.
import { measureResources } from './resourceUsage.mts';
import { nodeClient } from './nodeClient.mts';
import { plainClients } from './plainClients.mts';
import { startCpuProfile } from './cpuProfile.mts';
import type { Measurement, MeasurementTask, PreparedWork } from './measurement.mts';

const task = JSON.parse(process.argv[2]!) as MeasurementTask;
const { variant, url, items, files } = task;

/** Enough items for all code to be loaded and compiled. */
const warmUpItems = 200;

const client = plainClients[variant]?.(url) ?? (await nodeClient(task));

/** Does work that is not measured. */
const prepare = async (ready: Promise<PreparedWork>) => {
	const work = await ready;
	if ((await work()) > 0) throw new Error('The work before the measurement failed');
};

// Another account warms up, so that nothing is known yet of the service as the measured account has it.
await prepare(client.prepare('other', files ? 1 : Math.min(warmUpItems, items), files?.small));
await client.signIn();
if (task.isSecondRun) await prepare(client.prepare('measured', items, files?.measured));

const work = await client.prepare('measured', items, files?.measured);
const stopProfile = task.profile ? await startCpuProfile() : undefined;
const stopMeter = measureResources();
const failed = await work();
const taken: Measurement = { ...stopMeter(), failed, shares: await stopProfile?.() };
console.log(JSON.stringify(taken));
process.exit();
