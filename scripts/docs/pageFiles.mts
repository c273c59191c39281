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
 * A page with some parts made anew; each stands between two comments.
 * @param parts by their names in the comments
 * @param by the command that makes them
 */
export function withParts(
	page: string,
	parts: Readonly<Record<string, string>>,
	by = 'npm run docs',
): string {
	return Object.entries(parts).reduce((text, [name, part]) => {
		const begin = `<!-- ${name}: made by ${by} -->`;
		const end = `<!-- end of ${name} -->`;
		const [before, rest] = text.split(begin);
		const after = rest?.split(end)[1];
		if (after === undefined) throw new Error(`${page} has no place for ${name}`);
		return `${before}${begin}\n\n${part}\n\n${end}${after}`;
	}, readPage(page));
}

export const withPart = (page: string, name: string, part: string, by?: string): string =>
	withParts(page, { [name]: part }, by);

export async function formatted(page: string, text: string): Promise<string> {
	const filepath = join(root, page);
	return await prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath });
}

export async function writePage(page: string, text: string): Promise<void> {
	const file = join(root, page);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, await formatted(page, text));
}
