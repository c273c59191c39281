// `node scripts/run.mjs`, behind every npm script: what it installs, what it runs, and what it says when that fails.
import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { commandOf, commands } from '../../scripts/commands.mjs';
import { isInstalled } from '../../scripts/install.mjs';
import { root } from '../harness/sandboxProcess';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
/** Of npm itself: it is called before a package is published. */
const ofNpm = ['prepublishOnly'];

test('every npm script is a command, and every command a script that CONTRIBUTING.md explains', () => {
	const byRunner = Object.entries(scripts).filter(([name]) => !ofNpm.includes(name));
	for (const [name, text] of byRunner) expect(text).toBe(`node scripts/run.mjs ${name}`);
	const named = Object.keys(commands).map((name) => name.split(' ')[0]!);
	expect(byRunner.map(([name]) => name).sort()).toEqual([...new Set(named)].sort());

	const explained = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
	const usage = Object.keys(commands).map((name) => {
		const [script, program] = name.split(' ');
		const short = ['start', 'test'].includes(script!) ? `npm ${script}` : `npm run ${script}`;
		return program ? `${short} -- ${program}` : short;
	});
	expect(usage.filter((one) => !new RegExp(`${one}( +#|\`)`).test(explained))).toEqual([]);
});

test.each(Object.entries(commands))('%s runs files that are there', (_, command) => {
	const { steps, beside = [], files = [] } = command;
	const paths = [...steps.flat(), ...beside.flat(), ...files].filter((one) => one.includes('/'));
	const missing = paths
		.filter((path) => !path.startsWith('--') && !path.includes('/.cache/'))
		.filter((path) => globSync(`${path}*`, { cwd: root }).length === 0);
	expect(missing).toEqual([]);
});

describe('what a command is given', () => {
	const lastOf = (name: string, ...given: string[]) => commandOf(name, given)?.steps.at(-1);

	test('goes to the program it runs last', () => {
		expect(lastOf('start', '--keep')).toEqual(['scripts/demo.mts', '--keep']);
	});

	test('files are run instead of those that are run otherwise', () => {
		const all = lastOf('test:queue', '--test-only')!;
		expect(all.slice(-2)).toEqual(['--test-only', 'test/queue/*.queue.mts']);
		expect(globSync(all.at(-1)!, { cwd: root }).length).toBeGreaterThan(1);
		expect(lastOf('test:queue', 'test/queue/work.queue.mts')!.slice(-2)).toEqual([
			'--test-concurrency=1',
			'test/queue/work.queue.mts',
		]);
	});

	test('may name one of several programs, and nothing else', () => {
		expect(lastOf('bench')).toEqual(['bench/main.mts']);
		expect(lastOf('bench', 'faults', '--x')).toEqual(['bench/faults/main.mts', '--x']);
		expect(lastOf('bench', 'fault')).toBeUndefined();
		expect(lastOf('nowhere')).toBeUndefined();
	});
});

const lock = (packages: object) => JSON.stringify({ packages: { '': {}, ...packages } });
const wanted = {
	'node_modules/one': { version: '1.0.0', integrity: 'sha512-1' },
	'node_modules/mac': { version: '1.0.0', integrity: 'sha512-2', optional: true },
};

describe('in a clone', () => {
	let clone: string;
	const path = (name: string) => join(clone, name);
	function write(name: string, text: string) {
		mkdirSync(dirname(path(name)), { recursive: true });
		writeFileSync(path(name), text);
	}
	beforeEach(() => {
		clone = mkdtempSync(join(tmpdir(), 'clone-'));
		cpSync(join(root, 'scripts'), path('scripts'), { recursive: true });
		write('package-lock.json', lock(wanted));
		write('sandbox/main.mts', 'console.log("The sandbox runs");');
	});
	afterEach(() => rmSync(clone, { recursive: true }));

	/** As npm leaves it. */
	const installed = (packages: object) => {
		write('node_modules/.package-lock.json', lock(packages));
	};
	const linkNode = (to = process.execPath) =>
		`mkdir -p node_modules/node/bin && ln -sf "${to}" node_modules/node/bin/node`;

	/** An npm that notes what it is asked for, and installs as the real one does. */
	function run(command: string, { npm = true, flags = [] as string[] } = {}) {
		if (npm) {
			const does = `case $1 in ci) mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json;; rebuild) ${linkNode()};; esac`;
			write('bin/npm', `#!/bin/sh\necho "npm $1"\n${does}\n`);
			chmodSync(path('bin/npm'), 0o755);
		}
		const PATH = npm ? [path('bin'), '/usr/bin', '/bin'].join(delimiter) : path('bin');
		const args = [...flags, 'scripts/run.mjs', command];
		return spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8', env: { PATH } });
	}
	const asked = (stdout: string) => [...stdout.matchAll(/^npm \w+$/gm)].map(([line]) => line);

	test.each<[string, object, boolean]>([
		['all of it', wanted, true],
		['all but what is for another machine', { ...wanted, 'node_modules/mac': undefined }, true],
		['another version', { 'node_modules/one': { version: '1.0.1', integrity: 'x' } }, false],
		['nothing', {}, false],
	])('what npm has noted says whether it is installed: %s', (_, packages, expected) => {
		installed(packages);
		expect(isInstalled(clone)).toBe(expected);
	});

	test('the first command installs, and fetches the Node.js that n8n asks for; the next does neither', () => {
		const first = run('sandbox');
		expect([first.status, asked(first.stdout)]).toEqual([0, ['npm ci', 'npm rebuild']]);
		expect(first.stdout).toContain('The sandbox runs');
		const next = run('sandbox');
		expect([next.status, next.stdout]).toEqual([0, 'The sandbox runs\n']);
	});

	test('without npm it says where there is one', () => {
		const { status, stderr } = run('sandbox', { npm: false });
		expect([status, stderr]).toEqual([1, expect.stringMatching(/npm cannot be run.*nodejs\.org/)]);
	});
});

test("a path that n8n's loader cannot read is told before anything is installed", () => {
	const folder = mkdtempSync(join(tmpdir(), "it's-"));
	cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
	const { status, stderr } = spawnSync(process.execPath, [
		join(folder, 'scripts/run.mjs'),
		'start',
	]);
	rmSync(folder, { recursive: true });
	expect([status, stderr.toString()]).toEqual([1, expect.stringContaining('an apostrophe')]);
});
