// One measurement in a process of its own: prints what it took (Taken) as JSON. Argument: a Task as JSON.
import { startMeter } from './meter.mts';
import { nodeClient } from './nodeClient.mts';
import { plainClients } from './plainClients.mts';
import { startProfile } from './profile.mts';
import type { Taken, Task, Work } from './task.mts';

const task = JSON.parse(process.argv[2]!) as Task;
const { way, url, items, files } = task;

/** Enough for what is loaded and compiled once. */
const warmUpItems = 200;

const client = plainClients[way]?.(url) ?? (await nodeClient(task));

/** Work that is not measured. */
const prepare = async (ready: Promise<Work>) => {
	const work = await ready;
	if ((await work()) > 0) throw new Error('Work before the measurement has failed');
};

// With another account, so that nothing of the measured one's service is known yet.
await prepare(client.ready('other', files ? 1 : Math.min(warmUpItems, items), files?.small));
await client.signIn();
if (task.again) await prepare(client.ready('measured', items, files?.measured));

const work = await client.ready('measured', items, files?.measured);
const stopProfile = task.profile ? await startProfile() : undefined;
const stopMeter = startMeter();
const failed = await work();
const taken: Taken = { ...stopMeter(), failed, shares: await stopProfile?.() };
console.log(JSON.stringify(taken));
process.exit();
