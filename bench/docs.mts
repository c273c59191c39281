// What the benchmarks write for the documentation.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withPart, writePage as write } from '../scripts/docs/pageFiles.mts';

/** Writes a page, formatted as the repository's files are. */
export const writePage = (name: string, markdown: string): Promise<void> =>
	write(`docs/${name}`, markdown);

/** Writes the part of a page that `npm run bench -- <name>` makes. */
export const writePart = (page: string, name: string, markdown: string): Promise<void> =>
	writePage(page, withPart(`docs/${page}`, name, markdown, `npm run bench -- ${name}`));

export const writePicture = (name: string, svg: string): void =>
	writeFileSync(join(import.meta.dirname, '..', 'docs', 'pictures', name), svg);
