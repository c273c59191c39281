// What the doctor can ask of this machine. Runs before the installation, so it uses only what Node.js brings along.
import { execFile } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

import { cacheFolder, chromiumPath, isN8nInstalled } from '../../runtime/installationPaths.mjs';
import { isInstalled } from '../installed.mjs';
import { portsOfCommands } from './ports.mjs';

const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');

/** How long a command may take, in milliseconds. */
const patience = 20_000;

/** @returns {Promise<string | undefined>} what a command prints; undefined when it fails or is not there */
const output = (command, ...args) =>
	new Promise((resolve) => {
		const options = { cwd: root, timeout: patience, shell: process.platform === 'win32' };
		execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout.trim()));
	});

/** Of the disk that holds a folder, or will hold it. */
function freeBytes(folder) {
	if (!existsSync(folder)) return freeBytes(dirname(folder));
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize;
}

/** @returns {Promise<boolean>} whether nothing listens there, on 127.0.0.1 */
function isFree(port) {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
			server.close(() => resolve(true)),
		);
	});
}

/** The questions, each answered when it is asked; tests answer them themselves. */
export const machine = {
	/** Of the Node.js that commands begin with; inside npm's scripts another one may come first. */
	node: () => output(process.env.npm_node_execpath ?? process.execPath, '--version'),
	npm: () => output('npm', '--version'),
	git: () => output('git', '--version'),
	/** The newest version of a package that the registry has. */
	registry: () =>
		output('npm', 'view', 'n8n-workflow', 'version', '--fetch-retries=0', '--loglevel=silent'),
	isInstalled: () => isInstalled(root),
	hasModules: () => existsSync(modules),
	/** Of the Node.js that was installed for n8n. */
	installedNode: () => output(join(modules, 'node', 'bin', 'node'), '--version'),
	isFree,
	portsOfCommands,
	/** In bytes: where the dependencies are installed, and where the full n8n is. */
	freeHere: () => freeBytes(root),
	freeInCache: () => freeBytes(cacheFolder()),
	isN8nInstalled,
	chromium: () => chromiumPath,
};
