// Installs the pinned full n8n once per machine: into the user's cache folder, under the lock file's
// hash, so that every clone of this package shares it and a changed lock file gets a folder of its own.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { markOf, n8nFolder } from './places.mjs';

export { cacheFolder } from './places.mjs';

const pinned = ['package.json', 'package-lock.json', '.npmrc'];

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

/**
 * Makes sure the full n8n is installed. Each finished step leaves a mark, so a broken-off installation
 * goes on with the step it was in (npm's own cache keeps what was already downloaded).
 * @returns path of n8n's executable; run it with Node 24
 * @throws Error when npm fails
 */
export async function ensureRuntime(): Promise<string> {
	const source = import.meta.dirname;
	const folder = n8nFolder();
	const executable = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	mkdirSync(folder, { recursive: true });

	const step = async (name: string, work: () => Promise<void>) => {
		const mark = markOf(folder, name);
		if (existsSync(mark)) return;
		console.log(`Installing the full n8n (once per machine, several minutes): ${name}`);
		await work();
		writeFileSync(mark, '');
	};
	await step('packages', async () => {
		for (const name of pinned) copyFileSync(join(source, name), join(folder, name));
		await npm(['ci', '--loglevel=error'], folder);
	});
	// The only dependency whose compiled part must be built or fetched before n8n starts.
	await step('database-driver', () =>
		npm(['rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error'], folder),
	);
	return executable;
}

if (import.meta.main) console.log(await ensureRuntime());
