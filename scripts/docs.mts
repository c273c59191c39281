// `npm run docs`: writes what the documentation has from the code; with --check it only says what is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import prettier from 'prettier';

import { houseDocs } from './house.mts';
import { policyDocs } from './docs/policy.mts';
import { serviceDocs } from './docs/service.mts';

const root = join(import.meta.dirname, '..');

/** A page with one part made anew; the part stands between two comments. */
function withPart(page: string, name: string, part: string): string {
	const begin = `<!-- ${name}: made by npm run docs -->`;
	const end = `<!-- end of ${name} -->`;
	const text = readFileSync(join(root, page), 'utf8');
	const [before, rest] = text.split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`${page} has no place for ${name}`);
	return `${before}${begin}\n\n${part}\n\n${end}${after}`;
}

const makers: Record<string, (page: string) => string> = {
	'docs/service.md': serviceDocs,
	'docs/reliability.md': (page) => withPart(page, 'policy', policyDocs()),
	'CONTRIBUTING.md': (page) => withPart(page, 'house', houseDocs()),
};

/** @returns the page as it should be, formatted as the repository's files are */
async function made(page: string): Promise<string> {
	const filepath = join(root, page);
	const options = await prettier.resolveConfig(filepath);
	return await prettier.format(makers[page]!(page), { ...options, filepath });
}

const isCheck = process.argv.includes('--check');
for (const page of Object.keys(makers)) {
	const file = join(root, page);
	const text = await made(page);
	if (readFileSync(file, 'utf8') === text) continue;
	if (isCheck) {
		console.error(`${page} is out of date: npm run docs`);
		process.exitCode = 1;
	} else writeFileSync(file, text);
}
