// What the doctor says of machines on which something is missing, and of a clone before its installation.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findings } from '../../scripts/doctor/checks.mjs';
import { machine } from '../../scripts/doctor/machine.mjs';

const root = join(__dirname, '..', '..');

/** A machine on which all is well. */
const well: typeof machine = {
	node: async () => 'v20.20.2',
	npm: async () => '11.0.0',
	git: async () => 'git version 2.39.5',
	registry: async () => '2.41.0',
	isInstalled: () => true,
	hasModules: () => true,
	installedNode: async () => 'v24.21.0',
	isFree: async () => true,
	portsOfCommands: () => [{ command: 'npm run editor', ports: [5678, 5679], mend: 'another' }],
	freeHere: () => 50e9,
	freeInCache: () => 50e9,
	isN8nInstalled: () => true,
	chromium: () => '/usr/bin/chromium',
};

const isMissing = async () => undefined;
const no = () => false;

async function foundOn(changes: Partial<typeof machine>) {
	const found = [];
	for await (const finding of findings({ ...well, ...changes })) found.push(finding);
	return found.filter(({ state }) => state !== 'good');
}

test('nothing is found where all is well', async () => {
	expect(await foundOn({})).toEqual([]);
});

test.each<[string, Partial<typeof machine>, RegExp]>([
	['no Node.js', { node: isMissing }, /20 or newer/],
	['an old Node.js', { node: async () => 'v18.20.0' }, /v18\.20\.0, but 20 or newer/],
	['no npm', { npm: isMissing }, /npm is not there/],
	['no git', { git: isMissing }, /git is not there/],
	['no Node.js for n8n', { installedNode: isMissing }, /the Node\.js 24 that n8n asks for/],
	['an old Node.js for n8n', { installedNode: async () => 'v22.1.0' }, /that n8n asks for/],
	['no room for the dependencies', { isInstalled: no, freeHere: () => 0.4e9 }, /0\.4 GB are free/],
])('%s is wrong', async (_, changes, says) => {
	expect(await foundOn(changes)).toEqual([
		{ state: 'wrong', says: expect.stringMatching(says), mend: expect.stringMatching(/./) },
	]);
});

test.each<[string, Partial<typeof machine>, RegExp]>([
	['dependencies that are missing', { isInstalled: no, hasModules: no }, /not installed/],
	['dependencies of another lock file', { isInstalled: no }, /not those of package-lock/],
	['no registry', { registry: isMissing }, /works without it/],
	['no registry and no n8n', { registry: isMissing, isN8nInstalled: no }, /cannot be installed/],
	['no full n8n', { isN8nInstalled: no }, /several minutes/],
	['no room for it', { isN8nInstalled: no, freeInCache: () => 2e9 }, /2\.0 GB are free/],
	['no browser', { chromium: () => undefined }, /no Chromium/],
	['a port that is taken', { isFree: async (port) => port !== 5679 }, /editor .* taken: 5679/],
])('%s: a note, since a command mends or misses it', async (_, changes, says) => {
	expect(await foundOn(changes)).toContainEqual({
		state: 'note',
		says: expect.stringMatching(says),
		mend: expect.stringMatching(/./),
	});
	expect((await foundOn(changes)).filter(({ state }) => state === 'wrong')).toEqual([]);
});

test('without dependencies and without a registry nothing can be done', async () => {
	const states = (await foundOn({ isInstalled: no, registry: isMissing })).map(
		({ state, says }) => `${state}: ${says}`,
	);
	expect(states).toContainEqual(expect.stringMatching(/^wrong: .*registry/));
});

test('it knows the ports of each command, and sees one that is taken', async () => {
	const known = machine.portsOfCommands();
	for (const { ports } of known) expect(ports.length).toBeGreaterThan(0);
	const editor = known.find(({ command }) => command === 'npm run editor')!;
	expect(editor.ports).toEqual([5678, 5679]);

	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	expect(await machine.isFree(port)).toBe(false);
	await new Promise((resolve) => server.close(resolve));
	expect(await machine.isFree(port)).toBe(true);
});

test('it asks for the Node.js that package.json asks for', async () => {
	const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		engines: { node: string };
	};
	expect(engines.node).toBe('>=20');
});

describe('in a clone, before the installation', () => {
	let clone: string;
	beforeAll(() => {
		clone = mkdtempSync(join(tmpdir(), 'clone-'));
		for (const name of [
			'package.json',
			'package-lock.json',
			'scripts',
			'runtime',
			'sandbox',
			'test/e2e',
		]) {
			cpSync(join(root, name), join(clone, name), { recursive: true });
		}
	});
	afterAll(() => rmSync(clone, { recursive: true }));

	/** Runs it where only these commands are. */
	function doctor(commands: Record<string, string>) {
		const bin = mkdtempSync(join(clone, 'bin-'));
		for (const [name, prints] of Object.entries(commands)) {
			writeFileSync(join(bin, name), `#!/bin/sh\necho ${prints}\n`);
			chmodSync(join(bin, name), 0o755);
		}
		const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/doctor.mjs'], {
			cwd: clone,
			encoding: 'utf8',
			env: { PATH: bin, HOME: clone },
		});
		expect(stderr).toBe('');
		return { status, stdout };
	}

	test('it says what the first command will install, and is content', () => {
		const { status, stdout } = doctor({ npm: '11.0.0', git: 'git version 2.39.5' });
		expect(stdout).toMatch(/! The dependencies are not installed.*\n +npm start\n/);
		expect([status, stdout]).toEqual([0, expect.stringContaining('Nothing stands in the way')]);
	});

	test('it fails when something is missing that every command needs', () => {
		const { status, stdout } = doctor({ npm: '11.0.0' });
		expect(stdout).toMatch(/✗ git is not there\n +https:/);
		expect([status, stdout]).toEqual([1, expect.stringContaining('To be mended first: 1')]);
	});
});
