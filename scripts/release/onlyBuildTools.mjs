// `node scripts/release/onlyBuildTools.mjs`: leaves in package.json the dependencies that the build uses, and no other,
// so that `npm install` fetches those alone, as package-lock.json has them. For the job that packs a release: what
// tests, lint and benchmarks are made with never runs there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const needed = ['@types/luxon', '@types/node', 'gulp', 'n8n-workflow', 'typescript'];

const file = join(import.meta.dirname, '..', '..', 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
manifest.devDependencies = Object.fromEntries(
	needed.map((name) => [name, manifest.devDependencies[name]]),
);
writeFileSync(file, JSON.stringify(manifest, null, '\t'));
