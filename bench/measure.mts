// One way of one comparison, measured in a process of its own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Comparison, Name } from './comparisons.mts';
import type { Taken, Task } from './client/task.mts';
import type { Counts } from './service/service.mts';
import type { Running } from './service/place.mts';

const run = promisify(execFile);

/** What one way took in one round. */
export type Round = Taken & Counts;

/** A comparison, and by way the rounds in which it was measured. */
export interface Measured extends Comparison {
	byWay: Record<string, Round[]>;
}

export type Results = Record<Name, Measured[]>;

/** What did not come to an end. */
const broken = (failed: number): Taken => ({
	milliseconds: NaN,
	cpu: NaN,
	megabytes: NaN,
	stall: NaN,
	failed,
});

/** @param certificate path of the certificate that the process trusts (PEM) */
export async function work(task: Task, certificate: string): Promise<Taken> {
	const { stdout } = await run(
		process.execPath,
		['--expose-gc', join(import.meta.dirname, 'client', 'worker.mts'), JSON.stringify(task)],
		{
			timeout: 300_000,
			maxBuffer: 64 * 1024 * 1024,
			env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
		},
	);
	return JSON.parse(stdout.trim().split('\n').at(-1)!) as Taken;
}

/** Work that breaks down is measured too: it has no figures, only failures. */
export async function measure(
	task: Omit<Task, 'url'>,
	{ url, counts }: Running,
	certificate: string,
): Promise<Round> {
	await counts();
	const taken = await work({ ...task, url }, certificate).catch((error: Error) => {
		console.log(error.message);
		return broken(task.items);
	});
	return { ...taken, ...(await counts()) };
}

/** Milliseconds to load all nodes and the credential, in a fresh process. */
export async function loadTime(): Promise<number> {
	const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'load.cjs')]);
	return Number(stdout);
}
