// Every command's first step: refuses an unsuitable machine or folder, installs missing dependencies, builds the nodes
// with --build, and runs a program if one is named. It uses only built-in modules of Node.js 20.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...path) => join(root, ...path);

function fail(message) {
	console.error(message);
	process.exit(1);
}

/** The folders that commands write to, if they exist. */
const written = ['.', 'node_modules', 'node_modules/.cache', 'dist'].map((path) => inRoot(path));

function refuseUnfitFolder() {
	if (root.includes("'")) {
		fail(
			`n8n cannot load nodes from a path with an apostrophe. Move or rename this folder: ${root}`,
		);
	}
	for (const folder of written.filter((path) => existsSync(path))) {
		try {
			accessSync(folder, constants.W_OK);
		} catch ({ code }) {
			fail(`Cannot write to ${folder} (${code}). Use a clone in a folder of your own.`);
		}
	}
}

const packagesIn = (lock) => Object.entries(JSON.parse(readFileSync(lock, 'utf8')).packages);

/** Whether node_modules holds what package-lock.json lists: npm records there what it has installed. */
function isInstalled() {
	const record = inRoot('node_modules/.package-lock.json');
	if (!existsSync(record)) return false;
	const installed = new Map(packagesIn(record));
	return packagesIn(inRoot('package-lock.json')).every(([path, wanted]) => {
		const found = installed.get(path);
		// npm skips optional packages for other platforms.
		if (path === '' || (!found && wanted.optional)) return true;
		return found?.version === wanted.version && found.integrity === wanted.integrity;
	});
}

function npm(...args) {
	const shell = process.platform === 'win32';
	const options = { cwd: root, stdio: 'inherit', shell };
	const { status, error } = spawnSync('npm', [...args, '--loglevel=error'], options);
	if (error) fail(`npm cannot be run (${error.message}): https://nodejs.org/en/download`);
	if (status !== 0) process.exit(status ?? 1);
}

/** The Node.js that n8n needs. Everybody gets the same one, as a dependency. */
const node = inRoot('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const isReady = () => isInstalled() && existsSync(node);

function install() {
	if (!isInstalled()) {
		console.log('Installing dependencies (once, about two minutes) …');
		npm('ci');
	}
	console.log('Downloading Node.js 24 (once) …');
	// The only install script that is needed.
	npm('rebuild', 'node', '--ignore-scripts=false');
}

function isRunning(pid) {
	try {
		return process.kill(pid, 0);
	} catch ({ code }) {
		return code === 'EPERM';
	}
}

const lock = inRoot('.installing');

/** Takes the lock, which holds the ID of the process that installs. @returns whether this process has it now */
function takeLock() {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		process.on('exit', () => rmSync(lock, { force: true }));
		return true;
	} catch {
		const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
		if (owner > 0 && !isRunning(owner)) rmSync(lock, { force: true });
		return false;
	}
}

if (Number(process.versions.node.split('.')[0]) < 20) {
	fail(
		`Node.js ${process.version} is too old. Get version 20 or newer: https://nodejs.org/en/download`,
	);
}
refuseUnfitFolder();
if (!isReady()) {
	for (let hasWaited = false; !takeLock(); hasWaited = true) {
		if (!hasWaited) console.log('Another command is installing dependencies. Waiting for it …');
		await delay(500);
	}
	if (!isReady()) install();
}

const [program, ...options] = process.argv.slice(2).filter((argument) => argument !== '--build');
if (process.argv.includes('--build')) {
	const gulp = inRoot('node_modules/gulp/bin/gulp.js');
	const { status } = spawnSync(node, [gulp, '-L'], { cwd: root, stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
if (program) {
	const child = spawn(node, [program, ...options], { cwd: root, stdio: 'inherit' });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	// A shell between npm and this process dies of a signal without forwarding it.
	const parent = process.ppid;
	setInterval(() => process.ppid === parent || child.kill(), 500);
	child.on('exit', (status) => process.exit(status ?? 1));
}
