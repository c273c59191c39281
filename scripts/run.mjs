// `node scripts/run.mjs <command> [argument …]`: installs what is missing, then runs a command of commands.mjs with
// the Node.js that n8n asks for. Begins before the installation, so it uses only what Node.js 20 brings along.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';

import { build, commandOf, commandsOf } from './commands.mjs';
import { install, nodeIn } from './install.mjs';

if (Number(process.versions.node.split('.')[0]) < 20) {
	console.error(
		`Node.js ${process.version} is too old: https://nodejs.org/en/download has newer ones`,
	);
	process.exit(1);
}
const root = join(import.meta.dirname, '..');
if (root.includes("'")) {
	console.error(`n8n loads no nodes from a path with an apostrophe: move the folder ${root}`);
	process.exit(1);
}

function start(args, env, stdio) {
	// Node.js warns that package.json does not say which kind of module the engine's files are.
	const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
	// What is run by its name finds the same Node.js and the same tools.
	const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
	const child = spawn(nodeIn(root), [...flags, ...args], {
		cwd: root,
		stdio,
		env: { ...process.env, PATH, ...env },
	});
	process.on('SIGTERM', () => child.kill());
	return child;
}

/** @returns {Promise<boolean>} whether it succeeded */
async function show(args, env) {
	if (args === build) console.log('Building the nodes …');
	const [status] = await once(start(args, env, 'inherit'), 'close');
	return status === 0;
}

/** Keeps what is printed: two programs on one screen write into each other's lines. */
async function keep(args) {
	const child = start(args, process.stdout.isTTY && { FORCE_COLOR: '1' }, [
		'ignore',
		'pipe',
		'pipe',
	]);
	const printed = [];
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (part) => printed.push(part));
	const [status] = await once(child, 'close');
	return { args, printed: Buffer.concat(printed), succeeded: status === 0 };
}

/** @returns {Promise<boolean>} whether all succeeded */
async function run({ steps, beside = [], env }) {
	for (const step of steps.slice(0, -1)) if (!(await show(step, env))) return false;
	const others = Promise.all(beside.map(keep));
	let succeeded = await show(steps.at(-1), env);
	for (const other of await others) {
		process.stdout.write(other.printed);
		if (!other.succeeded) console.log(`Failed: ${other.args.join(' ')}`);
		succeeded &&= other.succeeded;
	}
	return succeeded;
}

// Ctrl-C reaches the programs too: they stop cleanly, and this one waits for their end.
process.on('SIGINT', () => {});

const [script, ...args] = process.argv.slice(2);
const command = commandOf(script, args);
if (command) {
	install(root);
	process.exitCode = (await run(command)) ? 0 : 1;
} else {
	const known = commandsOf(script).map((name) => `\n  npm run ${name.replace(' ', ' -- ')}`);
	console.error(`There is no such command; there are:${known.join('')}`);
	process.exitCode = 1;
}
