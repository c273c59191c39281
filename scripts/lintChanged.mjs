// Lints the files that differ from the last commit. Quicker than all of them; but it misses what a change does to the
// types in files that did not change.
import { spawnSync } from 'node:child_process';

const git = (...args) =>
	(spawnSync('git', [...args, '-z'], { encoding: 'utf8' }).stdout ?? '')
		.split('\0')
		.filter(Boolean);
const changed = [
	...git('diff', 'HEAD', '--name-only', '--diff-filter=d'),
	...git('ls-files', '--others', '--exclude-standard'),
];
const linters = [
	['eslint/bin/eslint.js', '--max-warnings=0', '--no-warn-ignored'],
	['prettier/bin/prettier.cjs', '--check', '--ignore-unknown', '--log-level=warn'],
];
for (const [program, ...flags] of changed.length > 0 ? linters : []) {
	const args = [`node_modules/${program}`, ...flags, '--', ...changed];
	const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
	if (status !== 0) process.exitCode = 1;
}
