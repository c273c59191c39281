// `node scripts/release/onlyBuildTools.mjs`: keeps only the build's dependencies in package.json, so that `npm install`
// fetches only those, in the versions of package-lock.json. For the job that packs a release: the tools of tests, lint
// and benchmarks never run there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const needed = ['@types/luxon', '@types/node', 'gulp', 'n8n-workflow', 'typescript'];

const file = join(import.meta.dirname, '..', '..', 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
manifest.devDependencies = Object.fromEntries(
	needed.map((name) => [name, manifest.devDependencies[name]]),
);
writeFileSync(file, JSON.stringify(manifest, null, '\t'));
