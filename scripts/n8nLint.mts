// `npm run lint:n8n`: n8n's own lint for community packages, in its default configuration, on what is published. Its
// package is larger than all other dependencies together, so it is installed in the cache folder, as the full n8n is.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { installPackages, readRuntimeFile } from '../n8n-full/install.mts';

const manifest = JSON.stringify({ private: true, dependencies: { '@n8n/node-cli': '0.48.3' } });
const files = { '.npmrc': readRuntimeFile('.npmrc'), 'package.json': manifest };
const modules = join(await installPackages('node-cli', files, 'install', {}), 'node_modules');

/** What `n8n-node new` writes into a new package. */
const configuration = '@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs';
const { status } = spawnSync(
	process.execPath,
	[
		join(modules, 'eslint', 'bin', 'eslint.js'),
		`--config=${join(modules, configuration)}`,
		'--max-warnings=0',
		...['nodes', 'credentials', 'engine', 'package.json'],
		...process.argv.slice(2),
	],
	{ cwd: join(import.meta.dirname, '..'), stdio: 'inherit' },
);
process.exitCode = status ?? 1;
