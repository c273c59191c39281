// Writes the pages, parts of pages and pictures of the documentation that the benches make.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withPart, writePage as write } from '../scripts/docs/pageFiles.mts';

/** Writes a page of docs/ and formats it with Prettier. */
export const writePage = (name: string, markdown: string): Promise<void> =>
	write(`docs/${name}`, markdown);

/** Replaces the part of a page of docs/ that `npm run bench:<name>` makes. */
export const writePart = (page: string, name: string, markdown: string): Promise<void> =>
	writePage(page, withPart(`docs/${page}`, name, markdown, `npm run bench -- ${name}`));

export const writePicture = (name: string, svg: string): void =>
	writeFileSync(join(import.meta.dirname, '..', 'docs', 'pictures', name), svg);
