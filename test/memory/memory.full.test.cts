// Memory is bounded: service and package each in a process of its own, so that only ours is measured.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root, startSandboxProcess, type SandboxProcess } from '../harness/sandboxProcess.cts';

let sandbox: SandboxProcess | undefined;
afterEach(() => sandbox?.stop());
/** @returns what a program of this folder measured */
async function measured(program: string, ...args: string[]): Promise<unknown> {
	const path = join('test', 'memory', program);
	const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', path, ...args], {
		cwd: root,
	});
	return JSON.parse(stdout);
}

test('thousands of requests with expiring tokens leave nothing behind in memory', async () => {
	sandbox = await startSandboxProcess('--token-lifetime', '1');
	const { bytes, requests } = (await measured('runs.mts', sandbox.url)) as Record<string, number>;
	console.log(`after ${requests} requests the heap has grown by ${bytes} bytes`);
	expect(bytes).toBeLessThan(2_000_000);
}, 300_000);
