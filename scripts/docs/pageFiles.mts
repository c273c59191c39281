// The files of the pages: read, and written formatted as the repository's files are.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import prettier from 'prettier';

const root = join(import.meta.dirname, '..', '..');

/** @returns '' for a page that is not there yet */
export const readPage = (page: string): string => {
	const file = join(root, page);
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/**
 * A page with one part made anew; the part stands between two comments.
 * @param by the command that makes it
 */
export function withPart(page: string, name: string, part: string, by = 'npm run docs'): string {
	const begin = `<!-- ${name}: made by ${by} -->`;
	const end = `<!-- end of ${name} -->`;
	const [before, rest] = readPage(page).split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`${page} has no place for ${name}`);
	return `${before}${begin}\n\n${part}\n\n${end}${after}`;
}

export async function formatted(page: string, text: string): Promise<string> {
	const filepath = join(root, page);
	return await prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath });
}

export async function writePage(page: string, text: string): Promise<void> {
	const file = join(root, page);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, await formatted(page, text));
}
