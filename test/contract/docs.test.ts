// The documentation says what the code does, where it is made from it or can be held against it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { entries, tableFields } from './tables';

const root = join(__dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('every operation has its line in the README, and no other is there', () => {
	const lines = readme
		.split('\n')
		.filter((line) => /\| `(GET|POST|PATCH|DELETE) \//.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim()));
	const expected = entries.map(({ area, node, resource, operation }) => {
		const { label } = area.resources.find(({ name }) => name === resource)!;
		const fields = tableFields(operation).filter((line) => !line.startsWith('header'));
		const segment = operation.request.split('/')[1]!;
		const names = [segment, node.description.displayName, `${label}: ${operation.label}`];
		return ['', ...names, `\`${operation.request}\``, String(fields.length), ''];
	});
	expect(lines).toEqual(expected.sort((a, b) => a[2]!.localeCompare(b[2]!)));
});

test('what is made from the code is up to date (npm run docs)', () => {
	// Node.js warns that package.json does not say which kind of module the engine's files are.
	const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
	const script = join(root, 'scripts', 'docs.mts');
	const { status, stderr } = spawnSync(process.execPath, [...flags, script, '--check']);
	expect([String(stderr), status]).toEqual(['', 0]);
});
