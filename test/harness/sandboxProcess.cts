// The sandbox as `npm run sandbox` starts it: a process of its own, on a free port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The package's folder. */
export const root = join(__dirname, '..', '..');

/** The program that Node.js runs, before the flags. */
const sandboxMain = ['sandbox/main.mts', '--port', '0'];

export interface SandboxProcess {
	url: string;
	/** Its output at the start. */
	printed: string;
	stop: () => Promise<void>;
}

/** @throws Error if it exits before it prints its address */
export async function startSandboxProcess(...flags: string[]): Promise<SandboxProcess> {
	const child = spawn(process.execPath, [...sandboxMain, ...flags], { cwd: root });
	const stop = async () => {
		if (child.kill()) await once(child, 'exit');
	};
	return await new Promise((resolve, reject) => {
		let printed = '';
		// Read to the end: a sandbox whose output is not read breaks when it logs.
		child.stdout.on('data', (chunk) => {
			printed += String(chunk);
			const url = /http:\/\/[\d.:]+\d/.exec(printed)?.[0];
			if (url && printed.includes('Ctrl-C')) resolve({ url, printed, stop });
		});
		child.stdout.on('end', () => reject(new Error('the sandbox did not start')));
	});
}
