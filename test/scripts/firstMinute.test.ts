// The first minute with the package: what its scripts show while they work, and where they lead.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { begin } from '../../scripts/step.mjs';
import { root } from '../harness/sandboxProcess';

describe('progress', () => {
	/** What is written on a terminal, or elsewhere, and what of it can be read at the end. */
	function written(isTTY: boolean, succeeded = true, env = {}) {
		const texts: string[] = [];
		begin('Building', { isTTY, write: (text: string) => texts.push(text) }, env)(succeeded);
		const lines = texts
			.join('')
			.split('\n')
			.map((line) => line.split('\r\x1b[2K').at(-1)!);
		return { texts, lines };
	}

	test.each([
		[true, /^✓ Building \(\d+\.\d s\)$/],
		[false, /^✗ Building \(\d+\.\d s\)$/],
	])('is one line on a terminal; succeeded: %s', (succeeded, line) => {
		const { lines } = written(true, succeeded);
		expect(lines).toEqual([expect.stringMatching(line), '']);
	});

	test.each([
		[true, /^ {2}done after \d+\.\d s$/],
		[false, /^ {2}failed after \d+\.\d s$/],
	])('is two plain lines in a pipe; succeeded: %s', (succeeded, line) => {
		const { texts, lines } = written(false, succeeded);
		expect(lines).toEqual(['Building …', expect.stringMatching(line), '']);
		expect(texts.join('')).not.toMatch(/[\r\x1b]/);
	});

	test('is plain where CI is set, whatever the output claims to be', () => {
		const { texts } = written(true, true, { CI: 'true' });
		expect(texts.join('')).not.toMatch(/[\r\x1b]/);
	});
});

test('a step that fails shows what it printed, and ends as it did', () => {
	const folder = mkdtempSync(join(tmpdir(), 'agency-step-'));
	const scripts = { fails: 'echo because && exit 3' };
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(root, 'scripts', 'step.mjs'), 'Trying', 'fails'],
		{ cwd: folder, encoding: 'utf8' },
	);
	rmSync(folder, { recursive: true });
	expect([status, stderr]).toEqual([3, 'because\n']);
	expect(stdout).toMatch(/^Trying …\n {2}failed after /);
});

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
