// What the benchmarks write for the documentation.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import prettier from 'prettier';

const docs = join(import.meta.dirname, '..', 'docs');

/** Writes a page, formatted as the repository's files are. */
export async function writePage(name: string, markdown: string): Promise<void> {
	const filepath = join(docs, name);
	const options = await prettier.resolveConfig(filepath);
	writeFileSync(filepath, await prettier.format(markdown, { ...options, filepath }));
}

/** Writes one part of a page; it stands between two comments. */
export async function writePart(page: string, name: string, markdown: string): Promise<void> {
	const begin = `<!-- ${name}: made by npm run bench:${name} -->`;
	const end = `<!-- end of ${name} -->`;
	const [before, rest] = readFileSync(join(docs, page), 'utf8').split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`${page} has no place for ${name}`);
	await writePage(page, `${before}${begin}\n\n${markdown}\n\n${end}${after}`);
}

export const writePicture = (name: string, svg: string): void =>
	writeFileSync(join(docs, 'pictures', name), svg);
