// `node scripts/release/check.mjs`: says what stands in the way of publishing, and fails if anything does. npm runs
// it before it publishes; the release workflow with GITHUB_REF_NAME and GITHUB_REPOSITORY, which GitHub sets.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { problemsOf } from './problems.mjs';

const root = join(import.meta.dirname, '..', '..');
const read = (name) => readFileSync(join(root, name), 'utf8');

const { GITHUB_REF_TYPE: kind, GITHUB_REF_NAME: name, GITHUB_REPOSITORY: repository } = process.env;
const isOnMain = () =>
	spawnSync('git', ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'], { cwd: root }).status ===
	0;
const problems = problemsOf(JSON.parse(read('package.json')), read('CHANGELOG.md'), {
	...(kind === 'tag' && { tag: name, isOnMain: isOnMain() }),
	repository,
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
