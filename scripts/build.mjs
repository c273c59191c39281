// `npm run build`: makes dist/ anew. Compiles, then adds what the compiler leaves out: icons, codex files, addresses.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import manifest from '../package.json' with { type: 'json' };
import { withAddresses, withRepository } from './addresses.mjs';

process.chdir(join(import.meta.dirname, '..'));
rmSync('dist', { recursive: true, force: true });

const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (status !== 0) process.exit(1);

cpSync('icons', 'dist/icons', { recursive: true });
for (const file of globSync('nodes/**/*.node.json')) {
	const codex = JSON.parse(readFileSync(file, 'utf8'));
	const complete = withAddresses(codex, basename(file, '.node.json'), manifest);
	writeFileSync(join('dist', file), JSON.stringify(complete, null, '\t'));
}
for (const file of globSync('dist/credentials/*.js')) {
	writeFileSync(file, withRepository(readFileSync(file, 'utf8'), manifest));
}
