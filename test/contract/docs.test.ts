// The documentation says what the code does, where it is made from it or can be held against it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

test('what is made from the code is up to date (npm run docs)', () => {
	// Node.js warns that package.json does not say which kind of module the engine's files are.
	const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
	const script = join(root, 'scripts', 'docs.mts');
	const { status, stderr } = spawnSync(process.execPath, [...flags, script, '--check']);
	expect([String(stderr), status]).toEqual(['', 0]);
});
