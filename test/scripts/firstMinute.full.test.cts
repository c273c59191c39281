// The first minute with the package: its result, and what can stop it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { root } from '../harness/sandboxProcess.cts';

test('npm start -- --keep sends each row once in two nights, and keeps its page open until stopped', async () => {
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
	demo.removeAllListeners('exit').kill('SIGINT');
	expect(await once(demo, 'exit')).toEqual([0, null]);

	const nights = printed.split('NIGHT ').slice(1);
	const fates = nights.map((night) =>
		[...night.matchAll(/^ {2}[A-F] shift +(\w+)/gm)].map(([, fate]) => fate),
	);
	expect(fates[0]!.toSorted()).toEqual(['inDoubt', 'notSent', 'sent', 'sent', 'sent', 'sent']);
	expect(fates[1]!.toSorted()).toEqual(['inDoubt', 'sent', 'sent', 'sent', 'sent', 'sent']);
	expect(nights[1]!.match(/not sent again/g)).toHaveLength(4);
	for (const name of 'ABCDEF') expect(page.split(`${name} shift`)).toHaveLength(2);
});

/** Runs a program of ours while another listens on a port. @returns the port, and how the program ended */
async function whereAnotherListens(...command: string[]) {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const port = String((other.address() as AddressInfo).port);
	const { status, stdout, stderr } = spawnSync(process.execPath, [...command, port], {
		cwd: root,
		encoding: 'utf8',
	});
	other.close();
	return { port, ended: [status, stdout, stderr] };
}

test.each([
	['npm run editor', '--port', ['scripts', 'editor.mts']],
	['npm run editor', '--sandbox-port', ['scripts', 'editor.mts']],
	['npm run sandbox', '--port', ['sandbox', 'main.mts']],
])('a port in use is told in one sentence, and nothing starts: %s: %s', async (_, flag, path) => {
	const { port, ended } = await whereAnotherListens(join(root, ...path), flag);
	const sentence = new RegExp(`^Port ${port} is .*: choose another with ${flag}.\n$`);
	expect(ended).toEqual([1, '', expect.stringMatching(sentence)]);
});
