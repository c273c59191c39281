// The first minute with the package: where it leads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { root } from '../harness/sandboxProcess';

test('npm start -- --keep runs the example, and keeps its page open until it is told to stop', async () => {
	const demo = spawn(process.execPath, [join(root, 'scripts', 'demo.mts'), '--keep'], {
		cwd: root,
	});
	let printed = '';
	await new Promise<void>((resolve, reject) => {
		demo.stdout.on('data', (chunk) => {
			printed += String(chunk);
			if (printed.includes('docs/sandbox.md')) resolve();
		});
		demo.once('exit', () => reject(new Error(printed)));
	});
	const [, address = ''] = /Where to look next\n +(http:\S+)/.exec(printed)!;
	const page = await (await fetch(`${address}/?records=shiftSchedule`)).text();
	expect(page).toContain('A shift, Monday');
	demo.removeAllListeners('exit').kill('SIGINT');
	expect(await once(demo, 'exit')).toEqual([0, null]);
});
