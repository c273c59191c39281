// Measures one variant of one comparison in a process of its own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Comparison, ComparisonName } from './comparisons.mts';
import type { Measurement, MeasurementTask } from './client/measurement.mts';
import type { ServiceCounts } from './service/serviceProcess.mts';
import type { RunningService } from './service/startService.mts';

const run = promisify(execFile);

/** What one variant took in one round, and what the service counted meanwhile. */
export type Round = Measurement & ServiceCounts;

/** A comparison, and the rounds of each variant. */
export interface MeasuredComparison extends Comparison {
	byVariant: Record<string, Round[]>;
}

export type Results = Record<ComparisonName, MeasuredComparison[]>;

/** Stands for a process that did not finish: it has no figures, only failures. */
const brokenDown = (failed: number): Measurement => ({
	milliseconds: NaN,
	cpu: NaN,
	megabytes: NaN,
	stall: NaN,
	failed,
});

/**
 * Runs a task in a new process.
 * @param certificate the path of the certificate (PEM) that the process trusts
 */
export async function runTask(task: MeasurementTask, certificate: string): Promise<Measurement> {
	const { stdout } = await run(
		process.execPath,
		[
			'--expose-gc',
			join(import.meta.dirname, 'client', 'measuringProcess.mts'),
			JSON.stringify(task),
		],
		{
			timeout: 300_000,
			maxBuffer: 64 * 1024 * 1024,
			env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
		},
	);
	return JSON.parse(stdout.trim().split('\n').at(-1)!) as Measurement;
}

/** Measures a variant; when its process fails, every item counts as failed. */
export async function measureVariant(
	task: Omit<MeasurementTask, 'url'>,
	{ url, counts }: RunningService,
	certificate: string,
): Promise<Round> {
	await counts();
	const taken = await runTask({ ...task, url }, certificate).catch((error: Error) => {
		console.log(error.message);
		return brokenDown(task.items);
	});
	return { ...taken, ...(await counts()) };
}

/** @returns the milliseconds it takes to load all nodes and the credential in a new process */
export async function measureLoadTime(): Promise<number> {
	const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'loadTime.cjs')]);
	return Number(stdout);
}
