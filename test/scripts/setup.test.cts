// The npm scripts, and the setup that each of them starts with.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { root } from '../harness/sandboxProcess.cts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** Run by npm, or as a part of other scripts. */
const internal = ['prepublishOnly', 'setup'];
const commands = Object.entries(scripts).filter(([name]) => !internal.includes(name));

test.each(commands)('npm run %s sets everything up first, and is documented', (name, command) => {
	expect(command).toMatch(/^(npm run -s (build|setup) && |node scripts\/setup\.mjs )/);
	const usage = ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`;
	expect(contributing).toMatch(new RegExp(`^${usage} +#`, 'm'));
	const files = [...command.matchAll(/node (?!--)(\S+\.m[jt]s)/g)].map(([, file]) => file!);
	expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

const lock = (packages: object) => JSON.stringify({ packages: { '': {}, ...packages } });
const wanted = {
	'node_modules/one': { version: '1.0.0', integrity: 'sha512-1' },
	'node_modules/mac': { version: '1.0.0', integrity: 'sha512-2', optional: true },
};

describe('setup, in a clone', () => {
	let clone: string;
	const path = (name: string) => join(clone, name);
	function write(name: string, content: string) {
		mkdirSync(dirname(path(name)), { recursive: true });
		writeFileSync(path(name), content);
	}
	function prepare(name: string) {
		clone = mkdtempSync(join(tmpdir(), name));
		cpSync(join(root, 'scripts/setup.mjs'), path('scripts/setup.mjs'));
		write('package-lock.json', lock(wanted));
		// An npm that runs as long as it is held, and records what it installed.
		write(
			'bin/npm',
			`#!/bin/sh
echo "npm $1"
while [ -e held ]; do sleep 0.05; done
case $1 in
	ci) mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json ;;
	rebuild) mkdir -p node_modules/node/bin && touch node_modules/node/bin/node ;;
esac
`,
		);
		chmodSync(path('bin/npm'), 0o755);
	}
	beforeEach(() => prepare('clone-'));
	afterEach(() => rmSync(clone, { recursive: true }));

	const options = () => ({
		cwd: clone,
		env: { PATH: [path('bin'), '/usr/bin', '/bin'].join(delimiter) },
	});
	const setUp = () =>
		spawnSync(process.execPath, ['scripts/setup.mjs'], { ...options(), encoding: 'utf8' });
	const npmCalls = (stdout: string) => [...stdout.matchAll(/^npm \w+$/gm)].map(([line]) => line);

	test('installs dependencies and the Node.js that n8n needs, but only the first time', () => {
		const first = setUp();
		expect([first.status, npmCalls(first.stdout)]).toEqual([0, ['npm ci', 'npm rebuild']]);
		expect(setUp()).toMatchObject({ status: 0, stdout: '', stderr: '' });
	});

	test.each<[string, object, string[]]>([
		['packages for other platforms may be missing', { 'node_modules/mac': undefined }, []],
		['an old version is replaced', { 'node_modules/one': { version: '0.9.0' } }, ['npm ci']],
		['a missing package is installed', { 'node_modules/one': undefined }, ['npm ci']],
	])('%s', (_, changes, calls) => {
		setUp();
		write('node_modules/.package-lock.json', lock({ ...wanted, ...changes }));
		expect(npmCalls(setUp().stdout).slice(0, 1)).toEqual(calls);
	});

	test('run twice at once, one installs and the other waits', async () => {
		write('held', '');
		let printed = '';
		/** Starts one, and waits until it has printed a text. */
		const begin = (awaited: string) =>
			new Promise<{ closed: Promise<unknown[]> }>((resolve, reject) => {
				const child = spawn(process.execPath, ['scripts/setup.mjs'], options());
				const closed = once(child, 'close');
				void closed.then(() => reject(new Error(printed)));
				child.stdout.on('data', (chunk) => {
					printed += String(chunk);
					if (printed.includes(awaited)) resolve({ closed });
				});
			});
		const both = [await begin('npm ci'), await begin('Waiting for it')];
		rmSync(path('held'));
		expect(await Promise.all(both.map(({ closed }) => closed))).toEqual([
			[0, null],
			[0, null],
		]);
		expect(npmCalls(printed)).toEqual(['npm ci', 'npm rebuild']);
	});

	test('ignores the lock of a killed process', () => {
		const { pid } = spawnSync(process.execPath, ['--version']);
		write('.installing', String(pid));
		expect(setUp()).toMatchObject({ status: 0, stderr: '' });
		expect(existsSync(path('.installing'))).toBe(false);
	});

	test('without npm says where to get it', () => {
		rmSync(path('bin/npm'));
		const { status, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs'], {
			...options(),
			encoding: 'utf8',
			env: { PATH: path('bin') },
		});
		expect([status, stderr]).toEqual([1, expect.stringMatching(/npm cannot be run.*nodejs\.org/)]);
	});

	test("refuses a path that n8n's loader cannot read, before anything is installed", () => {
		rmSync(clone, { recursive: true });
		prepare("it's-");
		const { status, stdout, stderr } = setUp();
		expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('an apostrophe')]);
	});

	test('refuses a read-only folder with a clear message', () => {
		mkdirSync(path('dist'), { mode: 0o555 });
		// Root can write everywhere.
		const isRoot = process.getuid?.() === 0;
		chmodSync(clone, 0o755);
		const asOther = isRoot ? ['--reuid=65534', '--regid=65534', '--clear-groups'] : [];
		const [program, ...args] = [...(isRoot ? ['setpriv', ...asOther] : []), process.execPath];
		const { status, stderr } = spawnSync(program, [...args, 'scripts/setup.mjs'], {
			...options(),
			encoding: 'utf8',
		});
		expect([status, stderr]).toEqual([1, expect.stringMatching(/^Cannot write to .*EACCES/)]);
	});
});
