// A program in a process group of its own: what it started ends with it, and all of it with this process.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Windows has no process groups; there only the program itself is ended. */
const hasGroups = process.platform !== 'win32';

const running = new Set<Program>();
process.on('exit', () => {
	for (const program of running) program.kill();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		// Where nobody else listens, the signal would have ended this process.
		if (process.listenerCount(signal) === 1) process.exit(1);
	});
}

export class Program {
	private readonly name: string;
	private readonly child: ChildProcess;
	private readonly ended: Promise<void>;
	private hasEnded = false;
	private lastOutput = '';

	/** @param onOutput called with what it prints */
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
				// It may have left others of its group behind.
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

	/** Ends it and all it started, by force. */
	kill(): void {
		const { pid } = this.child;
		if (pid === undefined) return;
		try {
			process.kill(hasGroups ? -pid : pid, 'SIGKILL');
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}

	/**
	 * Asks it to end, and waits for that; SIGKILL ends also what it started.
	 */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		if (signal === 'SIGKILL') this.kill();
		else this.child.kill(signal);
		await this.ended;
	}

	/**
	 * Waits until it is ready.
	 * @param isReady asked again and again
	 * @throws Error with the last it printed, when it ends before or takes more than three minutes; it then is ended
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
