// Several processes of n8n that share their credentials, as its workers do.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import type { WorkflowFile } from '../../n8n-in-process/workflow.mts';
import { SharedStore } from './sharedStore.mts';
import type { Execution, Job, Report } from './worker.mts';

export interface RunOptions extends Pick<Job, 'death' | 'waitingTimes'> {
	/** Milliseconds until the process is ended. */
	limit?: number;
}

export interface Worker {
	/**
	 * Runs a workflow; any number may run at once.
	 * @throws Error when the process ends before the workflow does
	 */
	run(file: WorkflowFile, options?: RunOptions): Promise<Execution>;
	/** Ends the process at once. */
	kill(): void;
}

export interface Workers {
	workers: Worker[];
	/** Starts another. */
	add(): Promise<Worker>;
	/** What they share, as this process sees it. */
	store: CredentialStore;
	stop(): Promise<void>;
}

class WorkerProcess implements Worker {
	private readonly child: ChildProcess;
	private readonly waiting = new Map<
		number,
		{ resolve: (execution: Execution) => void; reject: (error: Error) => void }
	>();
	private jobs = 0;

	constructor(folder: string) {
		this.child = fork(join(import.meta.dirname, 'worker.mts'), [folder], { execArgv: [] });
		this.child.on('message', (report: Report) => {
			if (report === 'ready') return;
			this.waiting.get(report.id)?.resolve(report.execution);
			this.waiting.delete(report.id);
		});
		this.child.on('exit', () => {
			for (const { reject } of this.waiting.values()) reject(new Error('The process has ended'));
			this.waiting.clear();
		});
	}

	/** Until everything is loaded. */
	async ready(): Promise<this> {
		await Promise.race([once(this.child, 'message'), this.failure()]);
		return this;
	}

	private async failure(): Promise<never> {
		const [code] = (await once(this.child, 'exit')) as [number | null];
		throw new Error(`The process did not start (exit code ${code})`);
	}

	run(file: WorkflowFile, { limit = 30_000, ...options }: RunOptions = {}): Promise<Execution> {
		const id = this.jobs++;
		const tooLong = setTimeout(() => void this.stop(), limit);
		return new Promise<Execution>((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.child.send({ id, file, ...options } satisfies Job, (error) => error && reject(error));
		}).finally(() => clearTimeout(tooLong));
	}

	kill(): void {
		this.child.kill('SIGKILL');
	}

	/** Ends the process, by force if it does not listen. */
	async stop(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = once(this.child, 'exit');
		this.child.kill();
		const byForce = setTimeout(() => this.child.kill('SIGKILL'), 5000);
		await ended;
		clearTimeout(byForce);
	}
}

/**
 * Starts processes that run the built package.
 * @param credentials what is in their store at first
 */
export async function startWorkers(count: number, credentials: CredentialStore): Promise<Workers> {
	const folder = mkdtempSync(join(tmpdir(), 'agency-workers-'));
	const store = new SharedStore(folder);
	for (const [id, row] of credentials.rows) store.rows.set(id, row);
	const workers = Array.from({ length: count }, () => new WorkerProcess(folder));
	const add = async () => {
		const worker = new WorkerProcess(folder);
		workers.push(worker);
		return await worker.ready();
	};
	const stop = async () => {
		await Promise.all(workers.map((worker) => worker.stop()));
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await Promise.all(workers.map((worker) => worker.ready()));
	} catch (error) {
		await stop();
		throw error;
	}
	return { workers, add, store, stop };
}
