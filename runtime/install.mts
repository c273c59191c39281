// Installs a full n8n once per machine: into the user's cache folder, under the hash of what it is installed from,
// so that every clone of this package shares it and a changed list of packages gets a folder of its own.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { folderFor, markOf } from './places.mjs';

export { cacheFolder } from './places.mjs';

function npm(args: string[], folder: string): Promise<void> {
	const started = Date.now();
	const modules = join(folder, 'node_modules');
	const progress = setInterval(() => {
		const seconds = Math.round((Date.now() - started) / 1000);
		const packages = existsSync(modules) ? readdirSync(modules).length : 0;
		console.log(`  npm ${args[0]}: ${seconds} s, ${packages} folders in node_modules`);
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

/** A file of this folder. */
export const pinned = (name: string): string =>
	readFileSync(join(import.meta.dirname, name), 'utf8');

/**
 * Installs what the files name. Each finished step leaves a mark, so a broken-off installation goes on with the
 * step it was in (npm's own cache keeps what was already downloaded).
 * @param label begins the folder's name
 * @param files for npm, by name; the last one is hashed
 * @param command npm's, to install what they name
 * @param built the dependencies whose compiled part must be built or fetched, by the name of the step
 * @returns the folder
 * @throws Error when npm fails
 */
export async function install(
	label: string,
	files: Readonly<Record<string, string>>,
	command: 'ci' | 'install',
	built: Readonly<Record<string, string>>,
): Promise<string> {
	const folder = folderFor(label, Object.values(files).at(-1)!);
	mkdirSync(folder, { recursive: true });

	const step = async (name: string, work: () => Promise<void>) => {
		const mark = markOf(folder, name);
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

/** Path of n8n's executable in a folder where it is installed. */
export const executableIn = (folder: string): string =>
	join(folder, 'node_modules', 'n8n', 'bin', 'n8n');

/**
 * Makes sure the pinned n8n is installed.
 * @returns path of n8n's executable; run it with Node 24
 * @throws Error when npm fails
 */
export async function ensureRuntime(): Promise<string> {
	const files = Object.fromEntries(
		['package.json', '.npmrc', 'package-lock.json'].map((name) => [name, pinned(name)]),
	);
	return executableIn(await install('n8n', files, 'ci', { 'database-driver': 'sqlite3' }));
}

if (import.meta.main) console.log(await ensureRuntime());
