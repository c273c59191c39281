// `npm run lint:n8n`: n8n's own lint for community packages, and its verdict on whether this one may run on n8n Cloud.
// Its package is larger than all other dependencies together, so it is installed in the cache folder, like the full
// n8n, and linked into this folder while it runs.
import { spawnSync } from 'node:child_process';
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { installPackages, readRuntimeFile } from '../n8n-full/install.mts';

const name = '@n8n/node-cli';
const manifest = JSON.stringify({ private: true, dependencies: { [name]: '0.48.3' } });
const files = { '.npmrc': readRuntimeFile('.npmrc'), 'package.json': manifest };
const installed = join(
	await installPackages('node-cli', files, 'install', {}),
	'node_modules',
	name,
);

const root = join(import.meta.dirname, '..');
/** Where n8n's default eslint.config.mjs looks for its rules. */
const lent = join(root, 'node_modules', name);
const run = (...args: string[]) =>
	spawnSync(process.execPath, [join(installed, 'bin', 'n8n-node.mjs'), ...args], {
		cwd: root,
		encoding: 'utf8',
	});

symlinkSync(installed, lent, 'junction');
try {
	const lint = run('lint');
	const support = stripVTControlCharacters(run('cloud-support').stdout);
	console.log(lint.stdout + lint.stderr + support);
	if (lint.status !== 0 || !support.includes('Status: eligible')) process.exitCode = 1;
} finally {
	unlinkSync(lent);
}
