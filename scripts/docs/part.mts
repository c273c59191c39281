// Pages written by hand that have one part from the code, or from a measurement.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './package.mts';

/** @param page its path from the root; a page that is not there is empty */
export const readPage = (page: string): string => {
	const file = join(root, page);
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/**
 * A page with one part made anew; the part stands between two comments.
 * @param command that makes it
 * @throws Error when the page has no place for it
 */
export function withPart(
	page: string,
	name: string,
	part: string,
	command = 'npm run docs',
): string {
	const begin = `<!-- ${name}: made by ${command} -->`;
	const end = `<!-- end of ${name} -->`;
	const [before, rest] = readPage(page).split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`${page} has no place for ${name}`);
	return `${before}${begin}\n\n${part}\n\n${end}${after}`;
}
