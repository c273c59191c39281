// Runs a program in a process group of its own, so that the processes it starts end with it, and all of them end with
// this process.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Windows has no process groups, so only the program itself is ended there. */
const hasGroups = process.platform !== 'win32';

const running = new Set<ProcessGroup>();
process.on('exit', () => {
	for (const program of running) program.kill();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		// Listening for a signal keeps it from ending this process, so this does what would have happened otherwise.
		if (process.listenerCount(signal) === 1) process.exit(1);
	});
}

export class ProcessGroup {
	private readonly name: string;
	private readonly child: ChildProcess;
	private readonly ended: Promise<void>;
	private hasEnded = false;
	private lastOutput = '';

	/** @param onOutput called with what the program prints */
	constructor(
		command: string,
		args: readonly string[],
		options: SpawnOptions = {},
		onOutput: (text: string) => void = () => {},
	) {
		this.name = `${command} ${args.join(' ')}`;
		this.child = spawn(command, args, {
			...options,
			detached: hasGroups,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		running.add(this);
		for (const stream of [this.child.stdout, this.child.stderr]) {
			stream?.on('data', (chunk) => {
				this.lastOutput = String(chunk);
				onOutput(this.lastOutput);
			});
		}
		this.ended = new Promise((resolve) => {
			const end = () => {
				this.hasEnded = true;
				// Processes that the program started may still run.
				this.kill();
				running.delete(this);
				resolve();
			};
			this.child.on('exit', end);
			this.child.on('error', ({ message }) => {
				this.lastOutput = message;
				end();
			});
		});
	}

	/** Kills the program and the processes it started. */
	kill(): void {
		const { pid } = this.child;
		if (pid === undefined) return;
		try {
			process.kill(hasGroups ? -pid : pid, 'SIGKILL');
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}

	/** Sends a signal and waits until the program has ended. SIGKILL also goes to the processes it started. */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		if (signal === 'SIGKILL') this.kill();
		else this.child.kill(signal);
		await this.ended;
	}

	/**
	 * Waits until the program is ready.
	 * @param isReady called again and again until it returns true
	 * @throws Error with the last output, when the program ends first or takes more than three minutes; it is killed then
	 */
	async ready(isReady: () => Promise<boolean>): Promise<this> {
		const deadline = Date.now() + 180_000;
		while (!(await isReady())) {
			const problem = this.hasEnded ? 'ended while starting' : 'was not ready in time';
			if (this.hasEnded || Date.now() > deadline) {
				await this.stop('SIGKILL');
				throw new Error(`${this.name} ${problem}:\n${this.lastOutput}`);
			}
			await delay(250);
		}
		return this;
	}
}
