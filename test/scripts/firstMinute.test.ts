// The first minute with the package: where it leads, and what stops it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
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

test('npm run editor starts nothing where another n8n may listen', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const { port } = other.address() as AddressInfo;
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(root, 'scripts', 'editor.mts'), '--port', String(port)],
		{ cwd: root, encoding: 'utf8' },
	);
	other.close();
	expect([status, stdout, stderr]).toEqual([
		1,
		'',
		expect.stringMatching(new RegExp(`^Port ${port} is taken.*--port <number>`, 's')),
	]);
});
