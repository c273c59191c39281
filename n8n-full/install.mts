// Installs a full n8n once per machine, into a folder of the user's cache that is named by a hash of the list of
// packages: all clones of this package share it, and a changed list gets another folder.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { installationFolder, stepMarkFile } from './installationPaths.mjs';

export { cacheFolder } from './installationPaths.mjs';

/** The number of folders in the complete node_modules, from npm's list of packages; undefined without a list. */
function foldersOf(folder: string): number | undefined {
	const list = join(folder, 'package-lock.json');
	if (!existsSync(list)) return undefined;
	const { packages } = JSON.parse(readFileSync(list, 'utf8')) as { packages: object };
	return new Set(Object.keys(packages).map((path) => path.split('/')[1])).size;
}

function npm(args: string[], folder: string): Promise<void> {
	const started = Date.now();
	const modules = join(folder, 'node_modules');
	const total = foldersOf(folder);
	const of = total === undefined ? '' : ` of about ${total}`;
	const progress = setInterval(() => {
		const seconds = Math.round((Date.now() - started) / 1000);
		const packages = existsSync(modules) ? readdirSync(modules).length : 0;
		console.log(`  npm ${args[0]}: ${seconds} s, ${packages}${of} folders in node_modules`);
	}, 15_000);
	return new Promise<void>((resolve, reject) => {
		const child = spawn('npm', args, {
			cwd: folder,
			stdio: ['ignore', 'inherit', 'inherit'],
			shell: process.platform === 'win32',
		});
		child.on('error', reject);
		child.on('exit', (code) =>
			code === 0
				? resolve()
				: reject(new Error(`npm ${args.join(' ')} ended with exit code ${code}`)),
		);
	}).finally(() => clearInterval(progress));
}

/** Reads a file of the folder n8n-full/. */
export const readRuntimeFile = (name: string): string =>
	readFileSync(join(import.meta.dirname, name), 'utf8');

/**
 * Installs packages of npm as the files say, once per machine. Each finished step leaves a mark, so that an interrupted installation continues with
 * the step it was in; npm's own cache keeps what was downloaded.
 * @param label the begin of the folder's name
 * @param files the contents of npm's files by name; the last one is hashed
 * @param command the npm command that installs
 * @param built the dependencies whose native part must be built or downloaded, by the name of the step
 * @returns the path of the folder
 * @throws Error when npm fails
 */
export async function installPackages(
	label: string,
	files: Readonly<Record<string, string>>,
	command: 'ci' | 'install',
	built: Readonly<Record<string, string>>,
): Promise<string> {
	const folder = installationFolder(label, Object.values(files).at(-1)!);
	mkdirSync(folder, { recursive: true });

	const step = async (name: string, work: () => Promise<void>) => {
		const mark = stepMarkFile(folder, name);
		if (existsSync(mark)) return;
		console.log(`Installing ${label} (once per machine, several minutes): ${name}`);
		await work();
		writeFileSync(mark, '');
	};
	await step('packages', async () => {
		for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
		await npm([command, '--loglevel=error'], folder);
	});
	for (const [name, dependency] of Object.entries(built)) {
		await step(name, () =>
			npm(['rebuild', dependency, '--ignore-scripts=false', '--loglevel=error'], folder),
		);
	}
	return folder;
}

/** The path of n8n's executable in the folder of an installation. */
export const n8nExecutableIn = (folder: string): string =>
	join(folder, 'node_modules', 'n8n', 'bin', 'n8n');

const lastStep = 'database-driver';

/** Whether the pinned n8n is installed. */
export const isN8nInstalled = (): boolean =>
	existsSync(
		stepMarkFile(installationFolder('n8n', readRuntimeFile('package-lock.json')), lastStep),
	);

/**
 * Installs the pinned n8n if it is not installed yet.
 * @returns the path of n8n's executable, which needs Node.js 24
 * @throws Error when npm fails
 */
export async function ensureN8nInstalled(): Promise<string> {
	const files = Object.fromEntries(
		['package.json', '.npmrc', 'package-lock.json'].map((name) => [name, readRuntimeFile(name)]),
	);
	return n8nExecutableIn(await installPackages('n8n', files, 'ci', { [lastStep]: 'sqlite3' }));
}

if (import.meta.main) console.log(await ensureN8nInstalled());
