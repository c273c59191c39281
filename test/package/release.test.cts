// The requirements for a release: no placeholder in package.json, and an entry in the changelog.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { problemsOf } from '../../scripts/release/check.mjs';

const root = join(__dirname, '..', '..');

const changelog = `# Changelog

## [Unreleased]

### Added

- What comes next.

## [1.2.0] - 2026-05-04

### Fixed

- A thing.

## [1.1.0] - 2026-04-03

- Another.
`;

const manifest = {
	version: '1.2.0',
	author: { name: 'A. Owner', email: 'owner@records.dev' },
	homepage: 'https://github.com/records/nodes#readme',
	repository: { url: 'git+https://github.com/records/nodes.git' },
	bugs: { url: 'https://github.com/records/nodes/issues' },
};

const released = { tag: 'v1.2.0', isOnMain: true, repository: 'records/nodes' };

test('a complete release passes', () => {
	expect(problemsOf(manifest, changelog, released)).toEqual([]);
	expect(problemsOf(manifest, changelog)).toEqual([]);
});

test.each([
	['an address of an example', { author: { email: 'owner@records.example' } }, /author\.email/],
	['an example domain', { homepage: 'https://nodes.example.org/docs#readme' }, /homepage/],
	['no real domain', { homepage: 'https://nodes.invalid' }, /homepage/],
	['an example account', { bugs: { url: 'https://github.com/example/nodes/issues' } }, /bugs\.url/],
	['another repository', { repository: { url: 'https://github.com/others/nodes' } }, /others/],
	['another version', { version: '1.1.0' }, /v1\.2\.0, but package\.json says 1\.1\.0/],
])('a package with %s is refused', (_, changes, problem) => {
	const problems = problemsOf({ ...manifest, ...changes }, changelog, released);
	expect(problems).toEqual([expect.stringMatching(problem)]);
});

test('a version without a heading or a date is refused', () => {
	const problem = [expect.stringMatching(/no heading "## \[1\.2\.0\] - " with a date/)];
	const undated = changelog.replace('2026-05-04', 'unreleased');
	expect(problemsOf(manifest, undated, released)).toEqual(problem);
	expect(problemsOf(manifest, '# Changelog\n', released)).toEqual(problem);
});

test('npm runs the check before publishing, and it refuses placeholders', () => {
	const { scripts, author } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
		author: { email: string };
	};
	const [first] = scripts.prepublishOnly!.split(' && ');
	const [node, ...args] = first!.split(' ');
	expect(node).toBe('node');
	const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
	const isExample = author.email.endsWith('.example');
	expect(stderr.includes('is still an example')).toBe(isExample);
	if (isExample) expect(status).toBe(1);
});
