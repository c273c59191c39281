// `npm run release:fixture`: writes what is kept of the version in package.json, so that its workflows open and run
// as they did in all that follow (test/package/releases.test.ts); with --check it says whether that was done.
// What was released is never written again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import prettier from 'prettier';

import { documentedPackage, root } from '../docs/package.mts';
import { releaseIn } from './changelog.mjs';
import { casesOf } from './fixture/cases.mts';
import { formNames } from './fixture/forms.mts';
import { play } from './fixture/play.mts';

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const folder = join(root, 'test', 'fixtures', 'releases', version);

const documented = await documentedPackage();
const { nodeTypes, credentialTypes } = documented;
const saved = [];
for (const one of documented.nodes.flatMap(casesOf)) {
	const played = await play(one.node, one.items, documented);
	if (played.error !== undefined) throw new Error(`${one.name} fails: ${played.error}`);
	// What asks for nothing says nothing of its form.
	if (played.asked.length === 0) throw new Error(`${one.name} sends nothing`);
	saved.push({ ...one, ...played });
}

async function textOf(value: object): Promise<string> {
	const options = await prettier.resolveConfig(join(root, 'package.json'));
	return await prettier.format(JSON.stringify(value), { ...options, parser: 'json' });
}

const kept = {
	'saved.json': await textOf(saved),
	'forms.json': await textOf(formNames(nodeTypes, credentialTypes)),
};

const isCheck = process.argv.includes('--check');
const released = releaseIn(read('CHANGELOG.md'), version);
if (released && !isCheck) {
	throw new Error(`${version} was released on ${released.date}: what is kept of it stays as it is`);
}
for (const [name, text] of Object.entries(kept)) {
	const file = join(folder, name);
	if (!isCheck) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
		console.error(`${file} is not of this version: npm run release:fixture`);
		process.exitCode = 1;
	}
}
