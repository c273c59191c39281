// Installs the dependencies, where they are not installed yet. Uses only what Node.js 20 brings along.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Node.js that n8n asks for: a dependency, so that everybody has the same. */
export const nodeIn = (root) =>
	join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const packagesIn = (lock) => Object.entries(JSON.parse(readFileSync(lock, 'utf8')).packages);

/** Whether node_modules holds what the lock file names: npm notes there what it has installed. */
export function isInstalled(root) {
	const note = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(note)) return false;
	const installed = new Map(packagesIn(note));
	return packagesIn(join(root, 'package-lock.json')).every(
		([path, wanted]) =>
			path === '' ||
			(installed.has(path)
				? installed.get(path).version === wanted.version &&
					installed.get(path).integrity === wanted.integrity
				: // For another platform, if npm was content.
					wanted.optional),
	);
}

/** Runs npm, and ends this process when it fails; npm has said why. */
function npm(root, ...args) {
	const { status, error } = spawnSync('npm', [...args, '--loglevel=error'], {
		cwd: root,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (error) console.error(`npm cannot be run (${error.message}): https://nodejs.org/en/download`);
	if (status !== 0) process.exit(status ?? 1);
}

/** @param {string} root the repository's folder */
export function install(root) {
	if (!isInstalled(root)) {
		console.log('Installing dependencies (once, about two minutes) …');
		npm(root, 'ci');
	}
	if (!existsSync(nodeIn(root))) {
		console.log('Fetching Node.js 24 (once) …');
		// The only install script that is needed.
		npm(root, 'rebuild', 'node', '--ignore-scripts=false');
	}
}
