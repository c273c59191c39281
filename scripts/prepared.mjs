// `node scripts/prepared.mjs <npm script>`: installs what is missing, then runs the script.
// Runs before the installation, so it uses only what Node.js 20 brings along.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { isInstalled, markInstalled } from './installed.mjs';
import { step } from './step.mjs';

const root = join(import.meta.dirname, '..');
const [script, ...rest] = process.argv.slice(2);

// Ctrl-C is for the script, which stops cleanly; this process waits for its end.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

if (!isInstalled(root)) {
	await step('Installing dependencies (once, about two minutes)', ['ci', '--loglevel=error'], root);
	// The only install script that is needed: it fetches Node.js 24, which n8n 2.41 asks for.
	await step(
		'Fetching Node.js 24 (once)',
		['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'],
		root,
	);
	markInstalled(root);
}
const { status, error } = spawnSync(
	'npm',
	['run', '--silent', script, ...(rest.length > 0 ? ['--', ...rest] : [])],
	{ cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
);
if (error) throw error;
process.exitCode = status ?? 1;
