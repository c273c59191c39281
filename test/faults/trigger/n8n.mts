// An n8n with one active trigger, whose process can be killed at any moment; the next one begins where it ended.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Polled, Report } from './process.mts';

/** What one poll gave. */
export interface Execution {
	/** Of the process. */
	pid: number;
	/** Number of the poll. */
	poll: number;
	items: IDataObject[];
}

/** When a process is killed. */
export interface Kill {
	/** As soon as the poll was asked for, or gave items. */
	since: 'asked' | 'given';
	/** Milliseconds later; a poll whose writes are done by then is spared. */
	after: number;
}

export class KillableN8n {
	private readonly folder = mkdtempSync(join(tmpdir(), 'agency-trigger-'));

	private readonly sandbox: string;

	private readonly parameters: INodeParameters;

	private child?: ChildProcess;

	/** Told what the process says; undefined when it has ended. */
	private hear: (report: Report | undefined) => void = () => {};

	/** How often it was polled. */
	private polls = 0;

	/** Numbers of the polls in which, or after which, it was killed. */
	readonly killed = new Set<number>();

	constructor(sandbox: string, parameters: INodeParameters) {
		this.sandbox = sandbox;
		this.parameters = parameters;
	}

	private async process(): Promise<ChildProcess> {
		if (this.child) return this.child;
		const script = join(import.meta.dirname, 'process.mts');
		const parameters = JSON.stringify(this.parameters);
		const child = fork(script, [this.folder, this.sandbox, parameters], { execArgv: [] });
		child.on('exit', () => this.hear(undefined));
		child.on('message', (report: Report) => this.hear(report));
		this.child = child;
		const started = await new Promise<Report | undefined>((resolve) => (this.hear = resolve));
		if (!started) throw new Error('The process did not start');
		return child;
	}

	/**
	 * Polls once; a new process activates the trigger, which polls too.
	 * @returns what came of it; undefined when it was killed
	 */
	async poll(kill?: Kill): Promise<Polled | undefined> {
		const child = await this.process();
		let timer: NodeJS.Timeout | undefined;
		const arm = (since: Kill['since']) => {
			if (kill?.since === since) timer = setTimeout(() => child.kill('SIGKILL'), kill.after);
		};
		const polled = await new Promise<Polled | undefined>((resolve) => {
			this.hear = (report) => (report === 'given' ? arm('given') : resolve(report));
			child.send(++this.polls);
			arm('asked');
		});
		clearTimeout(timer);
		if (polled && !child.killed) return polled;
		// What it said last may have come before its end is known.
		if (child.signalCode === null) await once(child, 'exit');
		this.child = undefined;
		this.killed.add(this.polls);
		return undefined;
	}

	/** What has reached n8n's database, in order. */
	get executions(): Execution[] {
		return readdirSync(this.folder)
			.filter((name) => /^execution-\d+\.json$/.test(name))
			.sort()
			.map((name) => JSON.parse(readFileSync(join(this.folder, name), 'utf8')) as Execution);
	}

	async close(): Promise<void> {
		if (this.child) {
			const ended = once(this.child, 'exit');
			this.child.kill('SIGKILL');
			await ended;
		}
		rmSync(this.folder, { recursive: true, force: true });
	}
}
